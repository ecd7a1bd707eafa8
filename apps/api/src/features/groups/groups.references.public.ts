export { seesRoster } from './groups.queries.ts'
export { mustSeeGroup } from './groups.references.queries.ts'
