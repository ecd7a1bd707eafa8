import { chapterLookUp, chaptersImport, positionsImport } from './features/chapters/chapters.import.public.ts'
import { registrationsImport } from './features/events/importing/events.import.public.ts'
import { invoicesImport } from './features/finance/importing/finance.import.public.ts'
import { giftsImport } from './features/fundraising/importing/fundraising.import.public.ts'
import { groupMembersImport, groupsImport } from './features/groups/importing/groups.import.public.ts'
import { withFields } from './features/imports/planning/imports.fields.jobs.ts'
import { withTags } from './features/imports/planning/imports.tags.jobs.ts'
import type { Importable } from './features/imports/planning/imports.kinds.rules.ts'
import { membershipsImport } from './features/membership/importing/membership.import.public.ts'
import { relationshipsImport } from './features/relationships/importing/relationships.import.public.ts'
import { peopleImport, peopleLookUp } from './features/people/people.import.public.ts'

/** What can be imported, and which feature plans it. */
export const importable: Importable = {
  kinds: {
    people: withFields('people', peopleImport),
    chapters: withFields('chapters', withTags('chapter', chaptersImport)),
    positions: positionsImport,
    groups: withFields('groups', withTags('group', groupsImport)),
    group_members: groupMembersImport,
    memberships: membershipsImport,
    invoices: invoicesImport,
    registrations: registrationsImport,
    gifts: giftsImport,
    relationships: relationshipsImport,
  },
  lookUps: { people: peopleLookUp, chapters: chapterLookUp },
}
