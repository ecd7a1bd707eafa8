export { peopleExport } from './people.export.queries.ts'
