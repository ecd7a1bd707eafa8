import { sql } from 'kysely'
import { isWithin, mayWith } from '../../../platform/lists/people-rights.ts'

// What the caller may do with `p`, a row of app.people, for answers and for choosing rows, by the functions that the policies call; these decide.

const isSelf = sql<boolean>`coalesce(p.id = (select app.person_id()), false)`

export const mayWrite = mayWith('people.write')

/** What ends a membership is decided in the home chapter; for who has none, in the organisation. */
export const mayDecide = sql<boolean>`(${mayWrite} and ((select app.everywhere('people.write'))
  or coalesce(p.home_chapter_id = any ((select app.scope('people.write'))::uuid[]), false)))`

/** Records of others are read-only. */
export const isOpen = sql<boolean>`(p.lifecycle not in ('deceased', 'merged', 'erased'))`
export const isLasting = sql<boolean>`(p.lifecycle not in ('merged', 'erased'))`
export const isMyself = sql<boolean>`(p.id = any ((select app.my_records())::uuid[]))`

/** Whether the caller may enter people anywhere at all. */
export const mayEnter = sql<boolean>`((select app.everywhere('people.write')) or (select app.scope('people.write')) <> '{}')`

export const maySeeContact = sql<boolean>`app.sees_contact(${isSelf}, false, (select app.everywhere('people.contact')), ${isWithin('people.contact')},
  exists (select from app.people_led('people.contact') w where w.org_id = p.org_id and w.person_id = p.id), false)`

/** Never about oneself, whatever rights one has. */
export const seesOfficeNote = sql<boolean>`(not ${isMyself} and ${mayWith('people.sensitive')})`

/** Whoever looks after people anywhere, about everybody else whom they see. */
const keepsNotes = sql<boolean>`(not ${isMyself} and (${mayEnter} or (select app.everywhere('people.sensitive')) or (select app.scope('people.sensitive')) <> '{}'))`

/** Member numbers are given by those who see everybody: for others, one that is taken would tell of somebody hidden. */
export const isOffice = sql<boolean>`((select app.everywhere('people.write')) and (select app.everywhere('people.sensitive')))`

/** The `may` of a person's answer. */
export const personMay = sql`json_build_object('edit', ${isOpen} and ${mayWrite}, 'editSelf', ${isOpen} and ${isSelf}, 'seeContact', ${maySeeContact},
  'editContact', ${isOpen} and (${isSelf} or ${mayWrite}), 'seeSensitive', ${isSelf} or ${mayWith('people.sensitive')},
  'editSensitive', ${isOpen} and (${isSelf} or ${mayWith('people.sensitive')}), 'setMemberNo', ${isOpen} and ${isOffice},
  'decide', ${isLasting} and ${mayDecide}, 'setDeath', ${isLasting} and ${mayDecide} and ${seesOfficeNote},
  'seeOfficeNote', ${seesOfficeNote}, 'editOfficeNote', ${isLasting} and ${seesOfficeNote}, 'keepNotes', ${keepsNotes}, 'archive', ${isOpen} and ${mayDecide},
  'appoint', ${isOpen} and ((select app.everywhere('positions.appoint')) or (select app.scope('positions.appoint')) <> '{}'),
  'seeHistory', ${maySeeContact} or (select app.everywhere('audit.read')))`

/** Archived people exist for those only who may change people there. */
export const unlessArchived = sql<boolean>`(p.deleted_at is null or ${mayWrite})`
