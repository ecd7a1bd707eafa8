export { invoicesExport } from './finance.export.queries.ts'
