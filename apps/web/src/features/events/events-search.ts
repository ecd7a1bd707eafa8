import { asDay, asFlag, asId, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

export const EventsSearch = searchParams({
  ...listSearch,
  /** Days in place of the list. */
  calendar: asFlag,
  /** Of the calendar: a day of what it shows, how much of it, and what it is narrowed by. */
  day: asDay,
  span: asOneOf('month', 'week'),
  chapter: asId,
  mine: asFlag,
})
export type EventsSearch = ReturnType<typeof EventsSearch>

export const EventSearch = searchParams({
  ...listSearch,
  section: asText(40),
  registration: asId,
  cancel: asFlag,
  copy: asFlag,
  register: asFlag,
  survey: asFlag,
  paid: asId,
  unpaid: asId,
})

/** A draft keeps its page while it is created, so its id stands here and not in the path. */
export const EventCreateSearch = searchParams({ draft: asId, chapter: asId, group: asId, preview: asFlag, publish: asFlag })
export const EventEditSearch = searchParams({ preview: asFlag, publish: asFlag })

export const EventAnalyticsSearch = searchParams({ compare: asId })
const asIdOrNone = (value: unknown) => (value === 'none' ? value : asId(value))
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
/** Without days of its own, the period is one of those that go by today. */
export const EventComparisonSearch = searchParams({
  period: asOneOf('year', 'thisYear', 'lastYear', 'next'),
  from: asDay,
  to: asDay,
  by: asOneOf('event', 'chapter', 'group', 'series', 'kind', 'mode', 'month', 'weekday', 'hour'),
  measure: asOneOf('seats', 'attended', 'attendance', 'noShows', 'fill', 'events', 'firstTime'),
  /** One, or none. */
  chapter: asIdOrNone,
  group: asIdOrNone,
  kind: asOneOf('meeting', 'social', 'training', 'conference', 'fundraiser', 'service', 'other'),
  mode: asOneOf('in_person', 'online', 'hybrid'),
  series: asIdOrNone,
  // An unquoted one reaches us as a number.
  weekday: (value) => asOneOf('1', '2', '3', '4', '5', '6', '7')(String(value)),
  hour: (value) => asOneOf(...hours)(String(value)),
})
export type EventComparisonSearch = ReturnType<typeof EventComparisonSearch>
