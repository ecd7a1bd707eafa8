import type { EventGrouping } from '@guildhall/contract/features/events.analytics'
import type { FilterCondition } from '../../../ui/filter/filter.ts'
import type { EventComparisonSearch } from '../events-search.ts'
import type { Comparison, EventComparison } from './analytics-api.ts'
import { allOf, attendeesOf, flag, invoicesOf, seated, withStatus } from './attendee-links.ts'

type Asked = Omit<Comparison, 'by'>

/** The list of events that are compared. */
export function behindAll(
  { from, to, chapterId, groupId, kind, mode, seriesId, weekday, hour }: Asked,
  ...more: FilterCondition[]
): string {
  const conditions: FilterCondition[] = [
    { field: 'startsAt', op: 'between', value: [from, to] },
    ...(chapterId ? [ofOneOrNone('chapter', chapterId)] : []),
    ...(groupId ? [ofOneOrNone('group', groupId)] : []),
    ...(kind ? [{ field: 'kind', op: 'in', value: [kind] } satisfies FilterCondition] : []),
    ...(mode ? [{ field: 'mode', op: 'in', value: [mode] } satisfies FilterCondition] : []),
    ...(seriesId ? [ofOneOrNone('series', seriesId)] : []),
    ...(weekday ? [{ field: 'weekday', op: 'in', value: [weekday] } satisfies FilterCondition] : []),
    ...(hour ? [{ field: 'hour', op: 'in', value: [hour] } satisfies FilterCondition] : []),
    ...more,
  ]
  return `/events?view=all&filter=${encodeURIComponent(JSON.stringify(allOf(conditions)))}`
}

const ofOneOrNone = (field: string, id: string): FilterCondition =>
  id === 'none' ? { field, op: 'empty' } : { field, op: 'in', value: [id] }

/** What a row counts: the event itself, or a list of events. */
export function behindRow(by: EventGrouping, key: string, asked: Asked): string | undefined {
  if (by === 'series') return behindAll({ ...asked, seriesId: key || 'none' })
  if (by === 'chapter') return behindAll({ ...asked, chapterId: key || 'none' })
  if (by === 'group') return behindAll({ ...asked, groupId: key || 'none' })
  if (by === 'event') return `/event/${key}/analytics`
  if (by === 'month') return behindAll({ ...asked, ...daysOfMonth(key, asked) })
  return behindAll(asked, { field: by, op: 'in', value: [key] })
}

type Measure = NonNullable<EventComparisonSearch['measure']>

/** The events that a figure adds up, each with its part of it, which leads to the people. */
export function eventByEvent(search: EventComparisonSearch, measure: Measure): string {
  const told = Object.entries({ ...search, by: 'event', measure }).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/event/analytics?${new URLSearchParams(told)}`
}

type Figure = 'events' | 'seats' | 'attended' | 'noShows' | 'firstTime' | 'revenue'

/** The lists behind the figures of a row: of one event its registrations and invoices, else the events of which it is made. */
export function behindFigures(
  by: EventGrouping,
  { key, managed }: EventComparison['items'][number],
  search: EventComparisonSearch,
  asked: Asked,
  booksChapterId: string | null,
): Partial<Record<Figure, string | undefined>> {
  if (by === 'event')
    return {
      ...(managed && {
        events: `/event/${key}`,
        seats: attendeesOf(key, seated),
        attended: attendeesOf(key, withStatus('checked_in')),
        noShows: attendeesOf(key, flag('noShow')),
        firstTime: attendeesOf(key, flag('firstTime')),
      }),
      revenue: invoicesOf(key, booksChapterId) ?? (managed ? attendeesOf(key, flag('paid')) : undefined),
    }
  const inside = narrowed(by, key, search, asked)
  const of = (measure: Measure) => inside && eventByEvent(inside, measure)
  return {
    events: behindRow(by, key, asked),
    seats: of('seats'),
    attended: of('attended'),
    noShows: of('noShows'),
    firstTime: of('firstTime'),
    revenue: of('seats'),
  }
}

/** The same comparison of one row only; what the address cannot say of a row has none. */
function narrowed(by: EventGrouping, key: string, search: EventComparisonSearch, asked: Asked): EventComparisonSearch | undefined {
  if (by === 'series') return { ...search, series: key || 'none' }
  if (by === 'chapter') return { ...search, chapter: key || 'none' }
  if (by === 'group') return { ...search, group: key || 'none' }
  if (by === 'kind' || by === 'mode' || by === 'weekday' || by === 'hour') return { ...search, [by]: key }
  if (by !== 'month') return undefined
  return { ...search, period: undefined, ...daysOfMonth(key, asked) }
}

function daysOfMonth(month: string, { from, to }: Asked) {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)
  const first = `${month}-01`
  return { from: first > from ? first : from, to: last < to ? last : to }
}
