import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import { mayWith } from '../../../platform/lists/people-rights.ts'
import { readHolds } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'

const uuid = { type: 'uuid' } as const
const text = { type: 'text' } as const
const date = { type: 'date' } as const

/** Memberships and terms as an import writes them: through functions, since nobody writes a term by themselves. */
export const membershipTables = {
  memberships: {
    table: 'memberships',
    key: ['id'],
    columns: { person_id: uuid, type_id: uuid, chapter_id: uuid, auto_renew: { type: 'boolean', empty: true } },
    through: { insert: 'app.import_memberships', remove: 'app.remove_imported_terms' },
  },
  terms: {
    table: 'membership_terms',
    key: ['id'],
    columns: {
      membership_id: uuid,
      starts_on: date,
      ends_on: date,
      settled_on: date,
      price_amount: text,
      price_currency: text,
      stated: text,
    },
    through: { insert: 'app.import_membership_terms', remove: 'app.remove_imported_terms' },
  },
  people: { table: 'people', key: ['id'], columns: { joined_on: date } },
} as const satisfies Record<string, TableShape>

export type FoundType = { id: string; name: string; period: string; graceDays: number }

/** Types by name in lower case; of two with one name the one that is not archived. */
export async function typesByName(db: ActorDb, orgId: string): Promise<Map<string, FoundType>> {
  const { rows } = await sql<FoundType>`
    select y.id, y.name, y.period, y.grace_days as "graceDays" from app.membership_types y where y.org_id = ${orgId}::uuid
    order by y.archived_at is null, y.id`.execute(db)
  return new Map(rows.map((row) => [row.name.toLowerCase(), row]))
}

export type FoundTerm = {
  id: string
  startsOn: string
  endsOn: string | null
  paidOn: string
  price: number
  currency: string
  imported: boolean
}
export type FoundMembership = {
  id: string
  personId: string
  typeId: string
  chapterId: string | null
  status: string
  terms: FoundTerm[]
}

/** Memberships of these people of these types, newest first, each with its settled terms. */
export async function membershipsOf(
  db: ActorDb,
  orgId: string,
  wanted: readonly { personId: string; typeId: string }[],
): Promise<FoundMembership[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<FoundMembership>`
    select m.id, m.person_id as "personId", m.type_id as "typeId", m.chapter_id as "chapterId", m.status,
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'startsOn', t.starts_on, 'endsOn', t.ends_on, 'paidOn', t.settled_on,
          'price', t.price_amount, 'currency', t.price_currency, 'imported', t.imported) order by t.starts_on)
        from app.membership_terms t where t.org_id = m.org_id and t.membership_id = m.id and t.status = 'settled'), '[]') as terms
    from (select distinct x."personId", x."typeId" from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x ("personId" uuid, "typeId" uuid)) w
    join app.memberships m on m.org_id = ${orgId}::uuid and m.person_id = w."personId" and m.type_id = w."typeId"
    order by m.id desc`.execute(db)
  return rows
}

/** Which of these the actor decides on, as "person:chapter". */
export async function decidedOf(db: ActorDb, wanted: readonly { personId: string; chapterId: string | null }[]): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const { rows } = await sql<{ pair: string }>`
    select w."personId" || ':' || coalesce(w."chapterId"::text, '') as pair
    from (select distinct x."personId", x."chapterId" from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x ("personId" uuid, "chapterId" uuid)) w
    where app.decides_membership(w."personId", w."chapterId")`.execute(db)
  return new Set(rows.map(({ pair }) => pair))
}

export async function ownCurrency(db: ActorDb, orgId: string): Promise<string> {
  const { rows } = await sql<{ currency: string }>`select o.currency from app.organisations o where o.org_id = ${orgId}::uuid`.execute(db)
  return rows[0]?.currency ?? ''
}

/** Why terms that an import brought cannot be removed. */
export const termsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    {
      why: 'was renewed since',
      table: 'membership_terms',
      rows: sql`select n.id, n.person_id as subject, concat_ws(' – ', n.starts_on, n.ends_on) as name
        from app.membership_terms t join app.membership_terms n on n.org_id = t.org_id and n.membership_id = t.membership_id and not n.imported
          and n.status in ('open', 'settled') and n.created_at > t.created_at
        where t.org_id = ${orgId}::uuid and t.id = k.id`,
    },
    {
      why: 'belongs to a membership that was paused, overridden or moved since',
      table: 'memberships',
      rows: sql`select m.id, m.person_id as subject, '' as name
        from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
        where t.org_id = ${orgId}::uuid and t.id = k.id and (m.status = 'suspended' or m.override_status is not null or m.leaves_on is not null)`,
    },
  ])

/** Removes memberships that an import made and that have no terms any more. */
export async function removeEmptyMemberships(db: ActorDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select app.remove_imported_memberships(${ids}::uuid[])`.execute(db)
}

/** Since when people belong to the organisation, and whether the actor may say so of them. */
export async function joinedDays(
  db: ActorDb,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, { joinedOn: string | null; editable: boolean }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; joinedOn: string | null; editable: boolean }>`
    select p.id, p.joined_on as "joinedOn", ${mayWith('people.write')} as editable from app.people p
    where p.org_id = ${orgId}::uuid and p.id = any (${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
