// What can be imported of people, and whom the rows of other imports mean.
export { peopleImport } from './people.import.jobs.ts'
export { referredPeople as peopleLookUp } from './people.import.references.jobs.ts'
