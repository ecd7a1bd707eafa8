import type { ImportKind } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { chapterTables, chaptersInUse, holdersInUse, officesInUse, removeUnusedOffices } from '../../chapters/chapters.import.public.ts'
import { groupTables, groupsInUse, membershipsInUse } from '../../groups/groups.import.public.ts'
import { peopleInUse, peopleTables, removeUnusedTags, tagsInUse } from '../../people/people.import.public.ts'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'
import { planChapters } from './imports.chapters.jobs.ts'
import { planGroups } from './imports.groups.jobs.ts'
import { planGroupMembers } from './imports.members.jobs.ts'
import { planPeople } from './imports.people.jobs.ts'
import type { Planner } from './imports.planning.jobs.ts'
import { planPositions } from './imports.positions.jobs.ts'

type Shared = {
  removeUnused(db: ActorDb, orgId: string, ids: readonly string[]): Promise<void>
  inUse(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]>
}
type Kind = {
  plan: Planner
  /** Tables it writes, those that others refer to first. */
  tables: readonly TableShape[]
  /** The table whose row a line of the file stands for. */
  root: string
  /** Tables of rows that several lines share: removed by an undo only when nothing uses them. */
  shared: Record<string, Shared>
  /** Why rows that an import made cannot be removed any more. */
  inUse(db: ActorDb, orgId: string, ids: readonly string[], own: readonly string[]): Promise<Hold[]>
}

export const importKinds: Record<ImportKind, Kind> = {
  people: {
    plan: planPeople,
    tables: [
      peopleTables.tags,
      peopleTables.people,
      chapterTables.affiliations,
      peopleTables.emails,
      peopleTables.phones,
      peopleTables.externalIds,
      peopleTables.contacts,
      peopleTables.private,
      peopleTables.officeNotes,
      peopleTables.personTags,
    ],
    root: 'people',
    shared: { tags: { removeUnused: removeUnusedTags, inUse: tagsInUse } },
    inUse: peopleInUse,
  },
  chapters: { plan: planChapters, tables: [chapterTables.chapters], root: 'chapters', shared: {}, inUse: chaptersInUse },
  positions: {
    plan: planPositions,
    tables: [chapterTables.positions, chapterTables.positionHolders],
    root: 'position_holders',
    shared: { positions: { removeUnused: removeUnusedOffices, inUse: officesInUse } },
    inUse: holdersInUse,
  },
  groups: { plan: planGroups, tables: [groupTables.groups], root: 'groups', shared: {}, inUse: groupsInUse },
  group_members: { plan: planGroupMembers, tables: [groupTables.groupMembers], root: 'group_members', shared: {}, inUse: membershipsInUse },
}
