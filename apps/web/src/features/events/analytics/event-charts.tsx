import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Chart } from '../../../ui/charts/chart.tsx'
import type { ChartRow } from '../../../ui/charts/chart-data.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { dayOf, useEventTimes } from '../event-times.ts'
import { shareOf } from './analytics-api.ts'
import type { EventAnalytics } from './analytics-api.ts'
import classes from './analytics.module.css'
import { attendeesOf, choosing, daysBefore, flag, invoicesOf, ofTicket, seated, waiting, withStatus } from './attendee-links.ts'
import type { FilterCondition } from '../../../ui/filter/filter.ts'
import { registrationsByDay } from './registration-days.ts'
import { useRevenueText } from './revenue-figures.tsx'
import { sourceWords } from './analytics-words.ts'

type Props = { analytics: EventAnalytics }

/** The pictures of one event; each bar, point and row leads to the registrations it counts. */
export const EventCharts = ({ analytics }: Props) => (
  <>
    <Section title={t`Registrations over time`}>
      <OverTime analytics={analytics} />
    </Section>
    <div className={classes['halves']}>
      <Section title={t`Funnel`}>
        <Funnel analytics={analytics} />
      </Section>
      <Section title={t`Sources`}>
        <Sources analytics={analytics} />
      </Section>
      {analytics.arrivals.length > 0 && (
        <Section title={t`Arrivals`}>
          <Arrivals analytics={analytics} />
        </Section>
      )}
      {analytics.waitingList.joined > 0 && (
        <Section title={t`Waiting list`}>
          <WaitingList analytics={analytics} />
        </Section>
      )}
    </div>
    {analytics.ticketTypes.some(({ id }) => id !== null) && (
      <Section title={t`Tickets`}>
        <Tickets analytics={analytics} />
      </Section>
    )}
    {analytics.answers.length > 0 && (
      <div className={classes['halves']}>
        {analytics.answers.map((question) => (
          <Section key={question.questionId} title={question.text}>
            <Answers analytics={analytics} question={question} />
          </Section>
        ))}
      </div>
    )}
  </>
)

function useOpenAttendees({ event }: EventAnalytics) {
  const navigate = useNavigate()
  return (...conditions: FilterCondition[]) => void navigate({ href: attendeesOf(event.id, ...conditions) })
}

function OverTime({ analytics }: Props) {
  const { number, day } = useFormats()
  const open = useOpenAttendees(analytics)
  const { event, earlier, seats } = analytics
  const rows = registrationsByDay(analytics)
  const days = (count: number) =>
    count > 0 ? t`${number(count)} days before` : count === 0 ? t`Day of the event` : t`${number(-count)} days after`
  const [first] = earlier
  if (rows.length === 0) return <Nothing />
  return (
    <Chart
      kind="line"
      title={
        first
          ? t`${number(seats)} registered, ${number(first.seats)} for ${first.title} on ${day(dayOf(first.startsLocal))}`
          : t`${number(seats)} registered`
      }
      summary={t`Registrations with a seat, by days left until the event.`}
      data={{
        heading: t`Day`,
        series: [
          { key: 'seats', label: event.title },
          ...earlier.map(({ id, title, startsLocal }) => ({ key: id, label: `${title}, ${day(dayOf(startsLocal))}`, previous: true })),
        ],
        rows: rows.map(({ days: left, values }) => ({
          key: String(left),
          label: days(left),
          short: left < 0 ? `+${number(-left)}` : number(left),
          values,
        })),
      }}
      onSelect={({ key }) => open({ field: 'createdAt', op: 'is', value: daysBefore(dayOf(event.startsLocal), Number(key)) })}
    />
  )
}

const Nothing = () => (
  <p className={classes['none']}>
    <Trans>Nobody has registered yet.</Trans>
  </p>
)

function Funnel({ analytics }: Props) {
  const { number, percent } = useFormats()
  const open = useOpenAttendees(analytics)
  const { invited, registered, confirmed, attended } = analytics.funnel
  const steps = [
    ...(invited === null ? [] : [{ key: 'invited', label: t`Invited`, value: invited }]),
    { key: 'registered', label: t`Registered`, value: registered },
    { key: 'confirmed', label: t`Had a seat`, value: confirmed },
    { key: 'attended', label: t`Attended`, value: attended },
  ]
  const came = shareOf(attended, registered)
  const behind: Record<string, FilterCondition[]> = { registered: [], confirmed: [flag('hadSeat')], attended: [withStatus('checked_in')] }
  return (
    <Chart
      kind="bars"
      inOrder
      title={came === null ? t`Nobody has registered yet` : t`${percent(came)} of all registrations attended`}
      summary={t`All ${number(registered)} registrations ever made, including those cancelled later.`}
      data={{
        heading: t`Step`,
        series: [{ key: 'people', label: t`Registrations` }],
        rows: steps.map(({ key, label, value }) => ({ key, label, values: { people: value } })),
      }}
      onSelect={({ key }) => behind[key] && open(...behind[key])}
    />
  )
}

function Sources({ analytics }: Props) {
  const { number } = useFormats()
  const open = useOpenAttendees(analytics)
  const words = sourceWords()
  const { sources, funnel } = analytics
  const [largest] = sources.toSorted((a, b) => b.registered - a.registered)
  if (!largest) return <Nothing />
  return (
    <Chart
      kind="bars"
      title={t`${words[largest.source]}: ${number(largest.registered)} of ${number(funnel.registered)}`}
      summary={t`How people registered.`}
      data={{
        heading: t`Source`,
        series: [
          { key: 'registered', label: t`Registrations` },
          { key: 'attended', label: t`Attended` },
        ],
        rows: sources.map(({ source, registered, attended }) => ({ key: source, label: words[source], values: { registered, attended } })),
      }}
      onSelect={({ key }) => open({ field: 'source', op: 'in', value: [key] })}
    />
  )
}

function Arrivals({ analytics }: Props) {
  const { number } = useFormats()
  const times = useEventTimes()
  const open = useOpenAttendees(analytics)
  const { arrivals } = analytics
  const [most] = arrivals.toSorted((a, b) => b.count - a.count)
  const long = (local: string) => `${times.shortDay(local)} ${times.clock(local)}`
  return (
    <Chart
      kind="area"
      title={most ? t`Most arrived from ${times.clock(most.atLocal)}: ${number(most.count)}` : t`Arrivals`}
      summary={t`People checked in per quarter of an hour, in the event’s local time.`}
      data={{
        heading: t`From`,
        series: [{ key: 'people', label: t`Checked in` }],
        rows: arrivals.map(({ at, atLocal, count }) => ({
          key: at,
          label: long(atLocal),
          short: times.clock(atLocal),
          values: { people: count },
        })),
      }}
      onSelect={({ key }) => {
        const arrival = arrivals.find(({ at }) => at === key)
        if (arrival) open(withStatus('checked_in'), { field: 'checkedInAt', op: 'is', value: dayOf(arrival.atLocal) })
      }}
    />
  )
}

function WaitingList({ analytics }: Props) {
  const { number } = useFormats()
  const { event, waitingList } = analytics
  const { joined, offered, accepted, declined, expired, left } = waitingList
  const facts = [
    { what: 'joined', label: t`Joined the list`, count: joined },
    { what: 'offered', label: t`Seats offered`, count: offered },
    { what: 'accepted', label: t`Offers accepted`, count: accepted },
    { what: 'declined', label: t`Offers declined`, count: declined },
    { what: 'expired', label: t`Offers expired`, count: expired },
    { what: 'left', label: t`Left the list`, count: left },
  ]
  return (
    <FactList>
      {facts.map(({ what, label, count }) => (
        <Fact key={what} label={label}>
          <AppLink href={attendeesOf(event.id, waiting(what))}>{number(count)}</AppLink>
        </Fact>
      ))}
    </FactList>
  )
}

function Tickets({ analytics }: Props) {
  const { number, percent } = useFormats()
  const revenueText = useRevenueText()
  const { event, ticketTypes, booksChapterId } = analytics
  const invoices = invoicesOf(event.id, booksChapterId)
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t`Tickets`}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{t`Ticket`}</th>
            <th scope="col">{t`Registrations`}</th>
            <th scope="col">{t`Seats`}</th>
            <th scope="col">{t`Sold`}</th>
            <th scope="col">{t`Attended`}</th>
            <th scope="col">{t`Revenue`}</th>
          </tr>
        </thead>
        <tbody>
          {ticketTypes.map(({ id, name, quota, registered, seats, attended, revenue }) => {
            const of = (...conditions: FilterCondition[]) => attendeesOf(event.id, ...(id === null ? [] : [ofTicket(id)]), ...conditions)
            const sold = quota === null ? null : shareOf(seats, quota)
            return (
              <tr key={id ?? ''}>
                <th scope="row">{id === null ? t`Without a ticket` : name}</th>
                <td>
                  <AppLink href={of()}>{number(registered)}</AppLink>
                </td>
                <td>
                  <AppLink href={of(seated)}>{number(seats)}</AppLink>
                </td>
                <td>{sold === null ? '–' : percent(sold)}</td>
                <td>
                  <AppLink href={of(withStatus('checked_in'))}>{number(attended)}</AppLink>
                </td>
                <td>{revenue.length === 0 ? '–' : <AppLink href={of(flag('paid'))}>{revenueText(revenue)}</AppLink>}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {invoices && (
        <p>
          <AppLink href={invoices}>
            <Trans>Invoices of this event</Trans>
          </AppLink>
        </p>
      )}
    </div>
  )
}

function Answers({ analytics, question }: Props & { question: EventAnalytics['answers'][number] }) {
  const { number } = useFormats()
  const open = useOpenAttendees(analytics)
  const { kind, answered, options } = question
  const label = (value: string) => (kind !== 'flag' ? value : value === 'true' ? t`Yes` : t`No`)
  const [most] = options
  const rows: ChartRow[] = options.map(({ value, count }) => ({ key: value, label: label(value), values: { people: count } }))
  return (
    <Chart
      kind="bars"
      title={most && most.count > 0 ? t`${label(most.value)}: ${number(most.count)} of ${number(answered)}` : t`No answers yet`}
      summary={t`Answers of people with a seat: ${number(answered)}.`}
      data={{ heading: t`Answer`, series: [{ key: 'people', label: t`People` }], rows }}
      onSelect={({ key }) => open(seated, choosing(question.questionId, key))}
    />
  )
}
