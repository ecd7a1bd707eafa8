import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { EventHour, EventWeekday } from '@guildhall/contract/features/events'
import { useApi } from '../../../platform/api/api.tsx'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import { useEventTimes } from '../event-times.ts'
import { eventKindWords, eventVisibilityWords, modeWords, optionsOf, statusWords } from '../events-words.tsx'

/** What the columns of the table are called in a file; a file also says who came, and what was paid. */
export const exportColumns = (shown: readonly string[]): string[] => [
  ...shown.flatMap((id) => inFile[id] ?? [id]).filter((key) => key !== 'price'),
  ...['attended', 'paid', 'currency'],
]
const inFile: Readonly<Record<string, readonly string[]>> = {
  startsAt: ['startsAt', 'endsAt'],
  host: ['chapter', 'group'],
  place: ['venueName'],
  seats: ['capacity', 'taken'],
}

/** A series is called as the last of its events that are listed. */
function useSeries(): Required<Pick<FilterField, 'search' | 'names'>> {
  const { events } = useApi().data
  return useMemo(
    () => ({
      search: async (q, signal) => {
        const inSeries = JSON.stringify({ and: [{ or: [{ field: 'series', op: 'notEmpty' }] }] })
        const { items } = await events.list.call(
          { ...(q && { q }), filter: inSeries, sort: q ? 'match' : '-startsAt', limit: 50 },
          { signal },
        )
        const once = new Map(items.toReversed().map((event) => [event.seriesId ?? '', event]))
        return [...once].map(([value, { title, startsLocal }]) => ({ value, label: title, hint: startsLocal.slice(0, 10) }))
      },
      names: (ids, signal) =>
        Promise.all(
          ids.map(async (value) => {
            const filter = JSON.stringify({ and: [{ or: [{ field: 'series', op: 'in', value: [value] }] }] })
            const { items } = await events.list.call({ filter, sort: '-startsAt', limit: 1 }, { signal })
            return { value, label: items[0]?.title ?? t`Not found` }
          }),
        ),
    }),
    [events],
  )
}

/** What events can be filtered by. */
export function useEventFields(): readonly FilterField[] {
  const { chapters, groups } = useRecordSources()
  const series = useSeries()
  const { longWeekday, clock } = useEventTimes()
  return useMemo(
    () => [
      { id: 'kind', label: t`Kind`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(eventKindWords()) },
      { id: 'mode', label: t`Place or online`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(modeWords()) },
      { id: 'startsAt', label: t`Day`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'group', label: t`Group`, kind: 'record', ...groups },
      { id: 'series', label: t`Series`, kind: 'record', ops: ['in', 'notIn', 'empty', 'notEmpty'], ...series },
      {
        ...{ id: 'weekday', label: t`Weekday`, kind: 'choice', ops: ['in', 'notIn'] },
        // 1 January 2024 was a Monday.
        options: EventWeekday.options.map((value) => ({ value, label: longWeekday(`2024-01-0${value}T12:00:00`) })),
      },
      {
        ...{ id: 'hour', label: t`Hour of the day`, kind: 'choice', ops: ['in', 'notIn'] },
        options: EventHour.options.map((value) => ({ value, label: clock(`2024-01-01T${value}:00:00`) })),
      },
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(statusWords()) },
      { id: 'visibility', label: t`Visibility`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(eventVisibilityWords()) },
      { id: 'upcoming', label: t`Upcoming`, kind: 'yesNo' },
      { id: 'past', label: t`Past`, kind: 'yesNo' },
      { id: 'myChapters', label: t`My chapters`, kind: 'yesNo' },
      { id: 'drafts', label: t`Drafts`, kind: 'yesNo' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
      { id: 'full', label: t`Full`, kind: 'yesNo' },
      { id: 'mine', label: t`Mine`, kind: 'yesNo' },
      { id: 'title', label: t`Title`, kind: 'text' },
    ],
    [chapters, groups, series, longWeekday, clock],
  )
}
