export { changeFromCalendar, endFromCalendar, insertFromCalendar, publishFromCalendar } from './events.connections.queries.ts'
export type { CalendarFacts } from './events.connections.queries.ts'
