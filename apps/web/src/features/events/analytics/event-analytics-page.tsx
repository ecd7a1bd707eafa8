import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconArrowLeft } from '@tabler/icons-react'
import { useApi } from '../../../platform/api/api.tsx'
import { recordId } from '../../../platform/api/no-such-record.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { named } from '../../../platform/records/record-sources.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RecordPicker } from '../../../ui/form/record-picker.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { useEventTimes } from '../event-times.ts'
import { shareOf, useEventAnalytics } from './analytics-api.ts'
import type { EventAnalytics } from './analytics-api.ts'
import classes from './analytics.module.css'
import { attendeesOf, flag, invoicesOf, seated, withStatus } from './attendee-links.ts'
import { EventCharts } from './event-charts.tsx'
import { EventRevenuePage } from './event-revenue-page.tsx'
import { SurveyResults } from './survey-results.tsx'
import { RevenueFigures } from './revenue-figures.tsx'

export const route = createLazyRoute('/signed-in/event/$eventId/analytics')({ component: EventAnalyticsPage })

function EventAnalyticsPage() {
  const eventId = recordId(route.useParams().eventId)
  const { compare } = route.useSearch()
  const navigate = route.useNavigate()
  const analytics = useEventAnalytics(eventId, compare)
  const times = useEventTimes()
  const { data, error } = analytics
  usePageTitle(t`Event analytics`, data?.event.title)
  // Whoever keeps the books without running the event sees its revenue only.
  if (error instanceof ApiProblem && (error.status === 403 || error.status === 404)) return <EventRevenuePage eventId={eventId} />
  return (
    <Page>
      <PageHeader
        title={data ? t`${data.event.title}: analytics` : t`Event analytics`}
        description={data && times.day(data.event.startsLocal)}
        actions={
          <>
            <ButtonLink to="/event/analytics" variant="default">
              <Trans>Compare events</Trans>
            </ButtonLink>
            <ButtonLink
              to="/event/$eventId"
              params={{ eventId }}
              variant="default"
              leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />}
            >
              <Trans>Event page</Trans>
            </ButtonLink>
          </>
        }
      />
      {!data && !error && (
        <Loading label={t`Loading`}>
          <SkeletonCards count={6} height={128} />
        </Loading>
      )}
      {!data && error && (
        <ProblemState problem={error} title={t`The analytics could not be loaded`} retry={() => void analytics.refetch()} />
      )}
      {data && (
        <div className={classes['stack']} aria-busy={analytics.isPlaceholderData} data-stale={analytics.isPlaceholderData || undefined}>
          <Figures analytics={data} />
          <div className={classes['bar']}>
            <EarlierEventPicker
              eventId={eventId}
              value={compare ?? null}
              onChange={(id) => void navigate({ search: id ? { compare: id } : {}, replace: true })}
            />
          </div>
          <EventCharts analytics={data} />
          <SurveyResults event={data.event} />
        </div>
      )}
    </Page>
  )
}

function Figures({ analytics }: { analytics: EventAnalytics }) {
  const { number, percent } = useFormats()
  const { event, seats, attended, noShows, waiting, cancelled, guests, pendingApproval, pendingPayment, offered, booksChapterId } =
    analytics
  const of = (...conditions: Parameters<typeof attendeesOf>[1][]) => attendeesOf(event.id, ...conditions)
  const fill = event.capacity === null ? null : shareOf(seats, event.capacity)
  const rate = shareOf(attended, seats)
  const missed = noShows === null ? null : shareOf(noShows, seats)
  const pending = [
    { key: 'approval', label: t`Awaiting approval`, value: pendingApproval, href: of(withStatus('pending_approval')) },
    { key: 'payment', label: t`Awaiting payment`, value: pendingPayment, href: of(withStatus('pending_payment')) },
    { key: 'offered', label: t`Seats offered`, value: offered, href: of(withStatus('offered')) },
  ].filter(({ value }) => value > 0)
  return (
    <div className={classes['figures']}>
      <AppLink href={of(seated)}>
        <Stat
          label={t`Registered`}
          value={number(seats)}
          change={
            event.capacity !== null && fill !== null
              ? t`${percent(fill)} of ${number(event.capacity)} seats`
              : guests > 0
                ? t`${number(guests)} of them guests`
                : undefined
          }
        />
      </AppLink>
      <AppLink href={of(withStatus('checked_in'))}>
        <Stat
          label={t`Attended`}
          value={number(attended)}
          change={rate !== null && attended > 0 ? t`${percent(rate)} of registered` : undefined}
        />
      </AppLink>
      {noShows !== null && (
        <AppLink href={of(flag('noShow'))}>
          <Stat label={t`No-shows`} value={number(noShows)} change={missed !== null ? t`${percent(missed)} of registered` : undefined} />
        </AppLink>
      )}
      <AppLink href={of(withStatus('waitlisted'))}>
        <Stat label={t`Waiting list`} value={number(waiting)} />
      </AppLink>
      <AppLink href={of(withStatus('cancelled'))}>
        <Stat label={t`Cancelled`} value={number(cancelled)} />
      </AppLink>
      {pending.map(({ key, label, value, href }) => (
        <AppLink key={key} href={href}>
          <Stat label={label} value={number(value)} />
        </AppLink>
      ))}
      <RevenueFigures
        revenue={analytics.revenue}
        linked={(figure) => <AppLink href={invoicesOf(event.id, booksChapterId) ?? of(flag('paid'))}>{figure}</AppLink>}
      />
      <AppLink href={of(flag('firstTime'))}>
        <Stat label={t`First-time attendees`} value={number(analytics.firstTime)} change={t`New to the events you manage`} />
      </AppLink>
      {analytics.over && (
        <AppLink href={of(flag('newMember'))}>
          <Stat label={t`New members`} value={number(analytics.newMembers)} change={t`Joined within 30 days`} />
        </AppLink>
      )}
    </div>
  )
}

type PickerProps = { eventId: string; value: string | null; onChange: (id: string | null) => void }

function EarlierEventPicker({ eventId, value, onChange }: PickerProps) {
  const { events } = useApi().data
  const times = useEventTimes()
  return (
    <RecordPicker
      label={t`Compare with`}
      placeholder={t`Earlier events of the series`}
      clearable
      value={value}
      onChange={onChange}
      search={async (q, signal) => {
        const { items } = await events.list.call({ ...(q && { q }), sort: q ? 'match' : '-startsAt', limit: 20 }, { signal })
        return items.flatMap(({ id, title, startsLocal }) =>
          id === eventId ? [] : [{ value: id, label: title, hint: times.shortDay(startsLocal) }],
        )
      }}
      names={named(async (id) => (await events.get.call({ eventId: id })).title)}
    />
  )
}
