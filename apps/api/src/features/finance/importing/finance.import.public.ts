// What can be imported of finance.
export { invoicesImport } from './finance.import.jobs.ts'
