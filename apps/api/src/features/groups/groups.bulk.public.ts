// What changes to many people need of groups: who may be added, adding them, and taking that back.
export { addPeople, groupTakesPeople, notInGroup, takeBackPeople } from './groups.bulk.queries.ts'
// Changes of many groups, for the job and its undo.
export { groupsBulk } from './groups.bulk.data.ts'
