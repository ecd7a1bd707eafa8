export { givingCells, givingFilters, givingOfPerson } from './fundraising.people.queries.ts'
