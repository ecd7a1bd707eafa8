// What a feature says of a list of its own that can be exported.
export type { ExportField, ExportRequest, ExportRows, ExportSource } from './lists.sources.queries.ts'
