export { duesFilter, duesOfPerson, openDuesCell } from './finance.people.queries.ts'
