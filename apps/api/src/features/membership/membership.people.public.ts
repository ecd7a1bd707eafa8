export {
  commonStanding,
  countStandings,
  hasStanding,
  manyStandings,
  pageByTermEnd,
  standingCell,
  standingFilters,
  standingOfPerson,
  termEndKey,
  walkByTermEnd,
  withoutTermEnd,
} from './membership.people.queries.ts'
