import { plainTextOf } from '@guildhall/contract/formatted-document'
import type { Group, GroupChange, NewGroup, NewGroupMember } from '@guildhall/contract/features/groups'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { groupOf, groupQuery } from './groups.queries.ts'

export async function findGroup(db: ActorDb, groupId: string): Promise<Group | undefined> {
  const { rows } = await db.executeQuery(groupQuery(groupId).compile())
  return rows[0] && groupOf(rows[0])
}

/** Whether a row of another table is there for the caller to refer to. */
export const referable = async (db: ActorDb, table: 'app.chapters' | 'app.groups', id: string) =>
  (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
export const personThere = async (db: ActorDb, personId: string) =>
  (await db.selectFrom('app.people').select('id').where('id', '=', personId).where('deleted_at', 'is', null).executeTakeFirst()) !==
  undefined
export const codeTaken = async (db: ActorDb, code: string, except: string | null) =>
  (await db.selectFrom('app.groups').select('id').where('code', '=', code).where('id', 'is distinct from', except).executeTakeFirst()) !==
  undefined

/** What a group says of itself is kept with its words, which imports and exports speak of. */
type GroupFacts = Omit<GroupChange, 'fields'>
const wordsOf = ({ about }: GroupFacts) => (about ? { description: plainTextOf(about) } : {})

export async function insertGroup(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  group: Omit<NewGroup, 'fields'>,
): Promise<string> {
  const { id } = await db
    .insertInto('app.groups')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.groups', group), ...wordsOf(group) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { groupId: string; version: number }

/** `touch`: what belongs to the group changes too, which is a change of the group. */
export const updateGroup = (db: ActorDb, { groupId, version }: Guarded, change: GroupFacts, touch = false): Promise<Group> =>
  updateRecord(
    db,
    'app.groups',
    { id: groupId, version },
    { ...(touch ? { phone: sql`phone` } : {}), ...columnsOf('app.groups', change), ...wordsOf(change) },
    () => findGroup(db, groupId),
  )

export const setArchived = (db: ActorDb, { groupId, version }: Guarded, archived: boolean): Promise<Group> =>
  updateRecord(db, 'app.groups', { id: groupId, version }, { archived_at: archived ? sql`now()` : null }, () => findGroup(db, groupId))

// Members ---------------------------------------------------------------------------------------------------------------------------

const today = sql<string>`(select app.today())`
/** Today, or the first day for someone who has not begun. */
const endedNow = sql<string>`greatest(starts_on, (select app.today()))`

/** Id of the new membership, or nothing when the person is in the group, invited or waiting already. */
export async function insertMember(db: ActorDb, orgId: string, groupId: string, member: NewGroupMember) {
  const row = await db
    .insertInto('app.group_members')
    .values({
      org_id: orgId,
      group_id: groupId,
      starts_on: member.status === 'active' ? today : null,
      ...columnsOf('app.group_members', member),
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'group_id', 'person_id']).where('ends_on', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function insertMyself(db: ActorDb, orgId: string, groupId: string, status: 'active' | 'requested'): Promise<string> {
  const row = await db
    .insertInto('app.group_members')
    .values({
      org_id: orgId,
      group_id: groupId,
      person_id: sql<string>`(select app.person_id())`,
      status,
      starts_on: status === 'active' ? today : null,
    })
    .returning('person_id')
    .executeTakeFirstOrThrow()
  return row.person_id
}

const myRow = (db: ActorDb, groupId: string) =>
  db
    .updateTable('app.group_members')
    .where('group_id', '=', groupId)
    .where('person_id', '=', sql<string>`(select app.person_id())`)
    .where('ends_on', 'is', null)
    .returning('id')

export const acceptInvitation = (db: ActorDb, groupId: string) =>
  myRow(db, groupId).set({ status: 'active', starts_on: today }).where('status', '=', 'invited').executeTakeFirst()

/** Someone who leaves stays among the former members; who only asked or was invited does not. */
export const leaveGroup = (db: ActorDb, groupId: string) =>
  myRow(db, groupId)
    .set({ status: sql`case status when 'active' then 'removed' else 'declined' end`, ends_on: endedNow })
    .executeTakeFirst()

type Member = { groupId: string; memberId: string }
const memberRow = (db: ActorDb, { groupId, memberId }: Member) =>
  db.updateTable('app.group_members').where('id', '=', memberId).where('group_id', '=', groupId).returning('id')

export async function removeMember(db: ActorDb, member: Member): Promise<boolean> {
  const row = await memberRow(db, member)
    .set({ status: sql`case status when 'active' then 'removed' else 'declined' end`, ends_on: endedNow })
    .where('status', 'in', ['active', 'invited', 'requested'])
    .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', today)]))
    .executeTakeFirst()
  return row !== undefined
}

/** False when nobody waits there (any more), or it is not the caller's to answer. */
export async function answerRequest(db: ActorDb, member: Member, admitted: boolean): Promise<boolean> {
  const row = await memberRow(db, member)
    .set(admitted ? { status: 'active', starts_on: today } : { status: 'declined', ends_on: endedNow })
    .where('status', '=', 'requested')
    .where('ends_on', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
