export { eventsExport } from './events.list.export.queries.ts'
