import type { Permission } from '@guildhall/contract/permissions'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isCurrent } from '../../../platform/lists/json-refs.ts'

// What the caller may do with `p`, a row of app.people, for answers and for choosing rows; row-level security is what decides.

const isSelf = sql<boolean>`coalesce(p.id = (select app.person_id()), false)`

/** Whether the caller holds the permission everywhere, or in a chapter that the person belongs to today. */
export const mayWith = (permission: Permission): RawBuilder<boolean> => sql`((select app.everywhere(${sql.lit(permission)}))
  or exists (select from app.affiliations r where r.org_id = p.org_id and r.person_id = p.id
    and r.chapter_id = any ((select app.scope(${sql.lit(permission)}))::uuid[]) and ${isCurrent('r')}))`

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

const maySeeContact = sql<boolean>`(${isSelf} or ${mayWith('people.contact')}
  or exists (select from app.group_members g where g.org_id = p.org_id and g.person_id = p.id and g.status = 'active' and g.ends_on is null
    and g.group_id = any ((select app.group_scope('people.contact'))::uuid[])))`

/** Never about oneself, whatever rights one has. */
export const seesOfficeNote = sql<boolean>`(not ${isMyself} and ${mayWith('people.sensitive')})`

/** Member numbers are given by those who see everybody: for others, one that is taken would tell of somebody hidden. */
export const isOffice = sql<boolean>`((select app.everywhere('people.write')) and (select app.everywhere('people.sensitive')))`

/** The `may` of a person's answer. */
export const personMay = sql`json_build_object('edit', ${isOpen} and ${mayWrite}, 'editSelf', ${isOpen} and ${isSelf}, 'seeContact', ${maySeeContact},
  'editContact', ${isOpen} and (${isSelf} or ${mayWrite}), 'seeSensitive', ${isSelf} or ${mayWith('people.sensitive')},
  'editSensitive', ${isOpen} and (${isSelf} or ${mayWith('people.sensitive')}), 'setMemberNo', ${isOpen} and ${isOffice},
  'decide', ${isLasting} and ${mayDecide}, 'setDeath', ${isLasting} and ${mayDecide} and ${seesOfficeNote},
  'seeOfficeNote', ${seesOfficeNote}, 'editOfficeNote', ${isLasting} and ${seesOfficeNote}, 'archive', ${isOpen} and ${mayDecide},
  'appoint', ${isOpen} and ((select app.everywhere('positions.appoint')) or (select app.scope('positions.appoint')) <> '{}'),
  'seeHistory', ${maySeeContact} or (select app.everywhere('audit.read')))`

/** Archived people exist for those only who may change people there. */
export const unlessArchived = sql<boolean>`(p.deleted_at is null or ${mayWrite})`
