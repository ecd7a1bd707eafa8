// What can be imported of groups and who is in them.
export { groupsImport } from './groups.import.jobs.ts'
export { groupMembersImport } from './groups.import.members.jobs.ts'
