export { registrationsExport } from './events.attendees.export.queries.ts'
