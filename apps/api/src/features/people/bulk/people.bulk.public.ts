// Changes of many people: what the job and its undo need.
export { peopleBulk } from './people.bulk.data.ts'
