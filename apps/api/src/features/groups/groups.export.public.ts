export { groupMembersExport, groupsExport } from './groups.export.queries.ts'
