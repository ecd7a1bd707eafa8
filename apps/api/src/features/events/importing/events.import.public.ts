// What can be imported of events.
export { registrationsImport } from './events.import.jobs.ts'
