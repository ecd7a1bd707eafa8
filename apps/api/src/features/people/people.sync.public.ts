// How people are read and written for another system, by the rules of imports and pages.
export { peopleTables } from './people.import.queries.ts'
export { newPerson } from './people.import.rules.ts'
export { archivePerson } from './people.queries.ts'
export { addEntry, removeEntry, updateEntry } from './rights/people.reach.queries.ts'
export { isMyself, mayDecide, maySeeContact } from './rights/people.rights.queries.ts'
