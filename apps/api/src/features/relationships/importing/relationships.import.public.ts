// What can be imported of relationships.
export { relationshipsImport } from './relationships.import.jobs.ts'
