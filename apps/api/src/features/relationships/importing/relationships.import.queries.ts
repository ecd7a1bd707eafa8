import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import { editedUse, readHolds } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'

/** Relationships as an import writes them: through functions, which keep the rules of their types. */
export const relationshipsTable = {
  table: 'relationships',
  key: ['id'],
  columns: { type_id: { type: 'uuid' }, from_person_id: { type: 'uuid' }, to_person_id: { type: 'uuid' } },
  through: { insert: 'app.import_relationships', remove: 'app.remove_imported_relationships' },
} as const satisfies TableShape

export type FoundType = { id: string; name: string }
/** Types by key, name and what the first is to the second, all in lower case; the key counts before the others. */
export async function typesByWord(db: ActorDb, orgId: string): Promise<Map<string, FoundType>> {
  const { rows } = await sql<FoundType & { words: string[] }>`
    select t.id, t.name, array[lower(t.key), lower(t.name), lower(t.forward_label)] as words from app.relationship_types t
    where t.org_id = ${orgId}::uuid order by t.archived_at nulls first, t.id`.execute(db)
  const found = new Map<string, FoundType>()
  for (const place of [0, 1, 2])
    for (const { words, ...type } of rows) {
      const word = words[place] ?? ''
      if (!found.has(word)) found.set(word, type)
    }
  return found
}

export type Edge = { typeId: string; fromId: string; toId: string; startsOn: string | null; endsOn: string | null }
export type FoundEdge = Edge & { id: string; state: string; note: string }

/** Relationships that are there of these pairs, of those that the caller sees. */
export async function relationshipsOf(db: ActorDb, orgId: string, pairs: readonly Edge[]): Promise<FoundEdge[]> {
  if (pairs.length === 0) return []
  const { rows } = await sql<FoundEdge>`
    select r.id, r.type_id as "typeId", r.from_person_id as "fromId", r.to_person_id as "toId", r.starts_on as "startsOn", r.ends_on as "endsOn", r.state, r.note
    from (select distinct x."typeId", x."fromId", x."toId" from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) x ("typeId" uuid, "fromId" uuid, "toId" uuid)) x
    join app.relationships r on r.org_id = ${orgId}::uuid and r.type_id = x."typeId" and r.from_person_id = x."fromId" and r.to_person_id = x."toId"
    order by r.id`.execute(db)
  return rows
}

/** Those by the ids of an export that are here, of those that the caller sees. */
export async function relationshipsHere(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`select r.id from app.relationships r where r.org_id = ${orgId}::uuid and r.id = any (${ids}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The first persons of these people, as relationships stand today. */
export async function parentsOf(db: ActorDb, orgId: string, people: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct r.from_person_id as id from app.relationships r
    where r.org_id = ${orgId}::uuid and r.to_person_id = any (${people}::uuid[]) and r.state in ('active', 'ended')`.execute(db)
  return rows.map(({ id }) => id)
}

export type Broken = { line: number; rule: string; params: Record<string, string | number> }
type Row = { type_id: string; from_person_id: string; to_person_id: string; starts_on: string | null; ends_on: string | null }

/** Which rows a rule refuses once `earlier` ones are there; nothing is written. */
export async function brokenRules(
  db: ActorDb,
  rows: readonly (Row & { line: number })[],
  earlier: readonly Row[],
): Promise<Map<number, Broken>> {
  if (rows.length === 0) return new Map()
  const { rows: found } = await sql<Broken>`
    select x.line, x.rule, x.params from app.check_relationships(${JSON.stringify(rows)}::jsonb, ${JSON.stringify(earlier)}::jsonb) x`.execute(
    db,
  )
  return new Map(found.map((one) => [one.line, one]))
}

/** Why relationships that an import brought cannot be removed. */
export const relationshipsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [editedUse(orgId, 'relationships')])
