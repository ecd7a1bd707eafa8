import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import { editedUse, readHolds } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'

const text = { type: 'text', empty: '' } as const
const uuid = { type: 'uuid' } as const
const date = { type: 'date' } as const

/** Tables of groups as an import writes them. */
export const groupTables = {
  groups: {
    table: 'groups',
    key: ['id'],
    columns: {
      chapter_id: uuid,
      parent_id: uuid,
      code: { type: 'text' },
      name: text,
      kind: { type: 'text', empty: 'interest' },
      description: text,
      visibility: { type: 'text', empty: 'members' },
      join_policy: { type: 'text', empty: 'request' },
      capacity: { type: 'int' },
      website: text,
      phone: text,
      created_by: uuid,
    },
  },
  groupMembers: {
    table: 'group_members',
    key: ['id'],
    columns: {
      group_id: uuid,
      person_id: uuid,
      role: { type: 'text', empty: 'member' },
      title: text,
      side: text,
      rank: { type: 'int' },
      status: { type: 'text', empty: 'active' },
      starts_on: date,
      ends_on: date,
    },
  },
} as const satisfies Record<string, TableShape>

/** `many`: several groups that the actor sees have the code. */
export type GroupState = { id: string; many: boolean; parentCode: string | null; row: Record<string, string | number | null> }

/** Groups by code with what an import compares. */
export async function groupStates(db: ActorDb, orgId: string, codes: readonly string[]): Promise<Map<string, GroupState>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<GroupState & { code: string }>`
    select g.id, g.code, count(*) over (partition by g.code) > 1 as many, u.code as "parentCode", to_jsonb(g) - array['search', 'sort_name', 'about'] as row
    from app.groups g left join app.groups u on u.org_id = g.org_id and u.id = g.parent_id
    where g.org_id = ${orgId}::uuid and g.code = any (${codes}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.code, row]))
}

/** The same by id, archived ones too. */
export async function groupStatesById(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Map<string, GroupState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<GroupState>`
    select g.id, false as many, u.code as "parentCode", to_jsonb(g) - array['search', 'sort_name', 'about'] as row
    from app.groups g left join app.groups u on u.org_id = g.org_id and u.id = g.parent_id
    where g.org_id = ${orgId}::uuid and g.id = any (${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type FoundGroup = { id: string; code: string | null; name: string; many: boolean }

/** Groups by code or, where a code says nothing, by a name that only one of them has. */
export async function groupsByCode(db: ActorDb, orgId: string, words: readonly string[]): Promise<Map<string, FoundGroup>> {
  if (words.length === 0) return new Map()
  const { rows } = await sql<FoundGroup>`
    select g.id, g.code, g.name, coalesce(g.code is not null and count(*) over (partition by g.code) > 1, false) as many from app.groups g
    where g.org_id = ${orgId}::uuid and g.archived_at is null and (g.code = any (${words}::text[]) or g.name = any (${words}::text[]))`.execute(
    db,
  )
  const found = new Map<string, FoundGroup>()
  for (const word of words) {
    const named = rows.filter((row) => row.name === word)
    const group = rows.find((row) => row.code === word) ?? (named.length === 1 ? named[0] : undefined)
    if (group) found.set(word, group)
  }
  return found
}

/** Groups by id, archived ones too. */
export async function groupsById(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Map<string, FoundGroup>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<FoundGroup>`
    select g.id, g.code, g.name, false as many from app.groups g where g.org_id = ${orgId}::uuid and g.id = any (${ids}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map((group) => [group.id, group]))
}

export type MembershipState = { id: string; groupId: string; personId: string; row: Record<string, string | number | null> }

/** Memberships, live and ended, of some people in some groups. */
export async function membershipStates(
  db: ActorDb,
  orgId: string,
  wanted: readonly { groupId: string; personId: string }[],
): Promise<MembershipState[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<MembershipState>`
    select m.id, m.group_id as "groupId", m.person_id as "personId", to_jsonb(m) as row
    from (select distinct x."groupId", x."personId" from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x ("groupId" uuid, "personId" uuid)) w
    join app.group_members m on m.org_id = ${orgId}::uuid and m.group_id = w."groupId" and m.person_id = w."personId"
    order by m.ends_on desc nulls first`.execute(db)
  return rows
}

/** Why groups that an import made cannot be removed. */
export const groupsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    editedUse(orgId, 'groups'),
    {
      why: 'has members',
      table: 'group_members',
      rows: sql`select c.id, c.person_id as subject, (select p.display_name from app.people p where p.org_id = c.org_id and p.id = c.person_id) as name
        from app.group_members c where c.org_id = ${orgId}::uuid and c.group_id = k.id`,
    },
    {
      why: 'has groups below it',
      table: 'groups',
      rows: sql`select c.id, c.id as subject, c.name from app.groups c where c.org_id = ${orgId}::uuid and c.parent_id = k.id and not c.id = any (${ids}::uuid[])`,
    },
  ])

/** Which memberships that an import made were changed since. */
export const membershipsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [editedUse(orgId, 'group_members')])
