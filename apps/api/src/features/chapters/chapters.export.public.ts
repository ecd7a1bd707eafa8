export { chaptersExport } from './chapters.export.queries.ts'
