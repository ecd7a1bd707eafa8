export { membershipsExport } from './membership.export.queries.ts'
