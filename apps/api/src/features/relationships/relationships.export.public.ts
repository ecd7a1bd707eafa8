export { relationshipsExport } from './relationships.export.queries.ts'
