import { t } from '@lingui/core/macro'
import type { EventGrouping } from '@guildhall/contract/features/events.analytics'
import { EventKind, EventMode } from '@guildhall/contract/features/events'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useEventTimes } from '../event-times.ts'
import { eventKindWords, modeWords } from '../events-words.tsx'
import type { EventComparisonSearch } from '../events-search.ts'
import type { Period } from './comparison-search.ts'

export const groupingWords = (): Record<EventGrouping, string> => ({
  event: t`Event`,
  chapter: t`Chapter`,
  group: t`Group`,
  series: t`Series`,
  kind: t`Kind`,
  mode: t`Place or online`,
  month: t`Month`,
  weekday: t`Weekday`,
  hour: t`Hour of the day`,
})
export const periodWords = (): Record<Period, string> => ({
  year: t`Last 12 months`,
  thisYear: t`This year`,
  lastYear: t`Last year`,
  next: t`Next 12 months`,
})
export const measureWords = (): Record<NonNullable<EventComparisonSearch['measure']>, string> => ({
  seats: t`Registrations`,
  attended: t`Attended`,
  attendance: t`Attendance rate`,
  noShows: t`No-show rate`,
  fill: t`Fill rate`,
  events: t`Events`,
  firstTime: t`First-time attendees`,
})

/** What a row is called; ids come with their names, the rest is told in the reader's language. */
export function useGroupNames(by: EventGrouping) {
  const { day, month } = useFormats()
  const times = useEventTimes()
  const [kinds, modes] = [eventKindWords(), modeWords()]
  // 1 January 2024 was a Monday.
  const weekday = (key: string) => times.longWeekday(`2024-01-0${key}T12:00:00`)
  const none: Partial<Record<EventGrouping, string>> = { chapter: t`Whole organisation`, group: t`No group`, series: t`Not in a series` }
  return ({ key, label, startsOn = null }: { key: string; label: string; startsOn?: string | null }): string => {
    if (key === '') return none[by] ?? ''
    if (by === 'kind') return kinds[EventKind.parse(key)]
    if (by === 'mode') return modes[EventMode.parse(key)]
    if (by === 'month') return month(key, 'long')
    if (by === 'weekday') return weekday(key)
    if (by === 'hour') return times.clock(`2024-01-01T${key}:00:00`)
    // Events of one name are told apart by their day.
    return startsOn === null ? label : `${label}, ${day(startsOn)}`
  }
}
