import { chapterLookUp, chaptersImport, positionsImport } from './features/chapters/chapters.import.public.ts'
import { groupMembersImport, groupsImport } from './features/groups/groups.import.public.ts'
import { withFields } from './features/imports/planning/imports.fields.jobs.ts'
import type { Importable } from './features/imports/planning/imports.kinds.rules.ts'
import { peopleImport, peopleLookUp } from './features/people/people.import.public.ts'

/** What can be imported, and which feature plans it. */
export const importable: Importable = {
  kinds: {
    people: withFields('people', peopleImport),
    chapters: withFields('chapters', chaptersImport),
    positions: positionsImport,
    groups: withFields('groups', groupsImport),
    group_members: groupMembersImport,
  },
  lookUps: { people: peopleLookUp, chapters: chapterLookUp },
}
