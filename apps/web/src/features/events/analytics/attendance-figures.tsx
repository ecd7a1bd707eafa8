import { t } from '@lingui/core/macro'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Sparkline, Stat } from '../../../ui/page/figures.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { shareOf, useEventsOverview } from './analytics-api.ts'
import classes from './analytics.module.css'
import { allOf } from './attendee-links.ts'
import type { FilterCondition } from '../../../ui/filter/filter.ts'

type Place = { chapterId?: string; groupId?: string }

/** Events to come, and how many came to those of twelve months, of the organisation, a chapter with those below, or a group. */
export function AttendanceFigures(place: Place) {
  const { number, percent } = useFormats()
  const overview = useEventsOverview(place)
  const { chapterId, groupId } = place
  if (overview.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  if (overview.isError)
    return <ProblemState problem={overview.error} title={t`The events could not be loaded`} retry={() => void overview.refetch()} />
  const { upcoming, attendance } = overview.data
  const sum = (months: readonly { came: number; expected: number; events: number }[], what: 'came' | 'expected' | 'events') =>
    months.reduce((total, month) => total + month[what], 0)
  const now = attendance?.months ?? []
  const then = attendance?.before ?? []
  const rate = shareOf(sum(now, 'came'), sum(now, 'expected'))
  const conditions: FilterCondition[] = [
    ...(chapterId ? [{ field: 'chapter', op: 'in', value: [chapterId] } satisfies FilterCondition] : []),
    ...(groupId ? [{ field: 'group', op: 'in', value: [groupId] } satisfies FilterCondition] : []),
  ]
  const filter = conditions.length > 0 ? `?filter=${encodeURIComponent(JSON.stringify(allOf(conditions)))}` : ''
  const narrowed = chapterId ? `?chapter=${chapterId}` : groupId ? `?group=${groupId}` : ''
  return (
    <div className={classes['figures']}>
      <AppLink href={`/events${filter}`}>
        <Stat label={t`Upcoming events`} value={number(upcoming)} />
      </AppLink>
      {attendance && (
        <>
          <AppLink href={`/event/analytics${narrowed}`}>
            <Stat
              label={t`Attended in twelve months`}
              value={number(sum(now, 'came'))}
              change={t`${number(sum(then, 'came'))} in the twelve months before`}
              tone={sum(now, 'came') > sum(then, 'came') ? 'good' : 'neutral'}
            >
              <Sparkline values={now.map(({ came }) => came)} label={t`Attendance over the last twelve months`} />
            </Stat>
          </AppLink>
          <AppLink href={`/event/analytics${narrowed}`}>
            <Stat
              label={t`Attendance rate`}
              value={rate === null ? '–' : percent(rate)}
              change={t`${number(sum(now, 'events'))} events in twelve months`}
            />
          </AppLink>
        </>
      )}
    </div>
  )
}
