export { paymentsExport } from './payments.list.queries.ts'
