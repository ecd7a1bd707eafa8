export { deliveriesExport, messagesExport } from './communication.messages.export.queries.ts'
