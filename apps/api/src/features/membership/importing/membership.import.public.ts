// What can be imported of memberships.
export { membershipsImport } from './membership.import.jobs.ts'
