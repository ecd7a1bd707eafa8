import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { noSuchRecord } from '../../../platform/api/no-such-record.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Page, PageHeader, Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { useEventTimes } from '../event-times.ts'
import { shareOf, useEventRevenue } from './analytics-api.ts'
import type { EventMoney } from './analytics-api.ts'
import classes from './analytics.module.css'
import { invoicesOf } from './attendee-links.ts'
import { RevenueFigures, useRevenueText } from './revenue-figures.tsx'

/** An event as those see it who keep its books without running it: how many came, and the money. */
export function EventRevenuePage({ eventId }: { eventId: string }) {
  const { data, error, refetch } = useEventRevenue(eventId)
  const times = useEventTimes()
  usePageTitle(t`Event revenue`, data?.event.title)
  if (error instanceof ApiProblem && error.status === 404) throw noSuchRecord()
  return (
    <Page>
      <PageHeader
        title={data ? t`${data.event.title}: revenue` : t`Event revenue`}
        description={data && times.day(data.event.startsLocal)}
        actions={
          <ButtonLink to="/event/analytics" variant="default">
            <Trans>Compare events</Trans>
          </ButtonLink>
        }
      />
      {!data && !error && (
        <Loading label={t`Loading`}>
          <SkeletonCards count={3} height={128} />
        </Loading>
      )}
      {error && <ProblemState problem={error} title={t`The revenue could not be loaded`} retry={() => void refetch()} />}
      {data && <Money money={data} />}
    </Page>
  )
}

function Money({ money }: { money: EventMoney }) {
  const { number, percent } = useFormats()
  const revenueText = useRevenueText()
  const { event, capacity, seats, attended, revenue, ticketTypes, booksChapterId } = money
  const invoices = invoicesOf(event.id, booksChapterId)
  const fill = capacity === null ? null : shareOf(seats, capacity)
  return (
    <div className={classes['stack']}>
      <div className={classes['figures']}>
        <RevenueFigures revenue={revenue} linked={(figure) => (invoices ? <AppLink href={invoices}>{figure}</AppLink> : figure)} />
        <div>
          <Stat
            label={t`Registered`}
            value={number(seats)}
            change={capacity !== null && fill !== null ? t`${percent(fill)} of ${number(capacity)} seats` : undefined}
          />
        </div>
        <div>
          <Stat label={t`Attended`} value={number(attended)} />
        </div>
      </div>
      {revenue.length === 0 && (
        <p className={classes['none']}>
          <Trans>Nothing has been invoiced for this event.</Trans>
        </p>
      )}
      {ticketTypes.length > 0 && (
        <Section title={t`Tickets`}>
          <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t`Tickets`}>
            <table className={classes['table']}>
              <thead>
                <tr>
                  <th scope="col">{t`Ticket`}</th>
                  <th scope="col">{t`Revenue`}</th>
                </tr>
              </thead>
              <tbody>
                {ticketTypes.map(({ id, name, revenue: ofType }) => (
                  <tr key={id ?? ''}>
                    <th scope="row">{id === null ? t`Without a ticket` : name}</th>
                    <td>{revenueText(ofType)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Section>
      )}
    </div>
  )
}
