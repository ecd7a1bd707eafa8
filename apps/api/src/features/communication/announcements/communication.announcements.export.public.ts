export { announcementsExport } from './communication.announcements.queries.ts'
