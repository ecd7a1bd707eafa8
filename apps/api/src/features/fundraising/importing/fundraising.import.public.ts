// What can be imported of fundraising.
export { giftsImport } from './fundraising.import.jobs.ts'
