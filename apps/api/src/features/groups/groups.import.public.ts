// What an import needs of groups: their tables, which one a code means, who is in them.
export {
  groupStates,
  groupStatesById,
  groupTables,
  groupsByCode,
  groupsById,
  groupsInUse,
  membershipStates,
  membershipsInUse,
} from './groups.import.queries.ts'
export type { FoundGroup, GroupState, MembershipState } from './groups.import.queries.ts'
