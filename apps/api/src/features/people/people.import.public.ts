// What an import needs of people: their tables, who a row means, and whether someone works with them.
export {
  ensureTag,
  matchPeople,
  peopleInUse,
  peopleStates,
  peopleTables,
  removeUnusedTags,
  tagsByName,
  tagsInUse,
} from './people.import.queries.ts'
export type { PersonKey, PersonMatch, PersonState } from './people.import.queries.ts'
