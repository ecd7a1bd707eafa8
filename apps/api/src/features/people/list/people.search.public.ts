export { findPeople } from './people.search.queries.ts'
