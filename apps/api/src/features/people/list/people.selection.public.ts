export { peopleSelection } from './people.selection.queries.ts'
