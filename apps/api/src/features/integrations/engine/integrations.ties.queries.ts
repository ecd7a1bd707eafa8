import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

export type Entity = 'person' | 'event'
export type AgreedField = {
  value: string | null
  ours?: string | null
  accepted?: string | null
  at: string
  run: string
  direction: 'in' | 'out'
}
/** Which of ours is which of theirs, with what both last held. */
export type Tie = {
  id: string
  recordId: string
  externalId: string | null
  agreed: Record<string, AgreedField>
  theirsVersion: string | null
  seenIn: string | null
  state: 'creating' | 'tied' | 'gone'
  isErased: boolean
}

const columns = sql`r.id, r.record_id as "recordId", r.external_id as "externalId", r.agreed, r.theirs_version as "theirsVersion", r.seen_in_run as "seenIn", r.state,
  r.erased_at is not null as "isErased"`
const of = (connectionId: string, more: RawBuilder<unknown>) =>
  sql<Tie>`select ${columns} from app.external_refs r where r.connection_id = ${connectionId}::uuid and ${more}`

export async function tiesByExternalId(
  db: ActorDb,
  connectionId: string,
  entity: Entity,
  externalIds: readonly string[],
): Promise<Map<string, Tie>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await of(connectionId, sql`r.entity = ${entity} and r.external_id = any (${externalIds}::text[])`).execute(db)
  return new Map(rows.map((tie) => [tie.externalId ?? '', tie]))
}

export async function tiesByRecord(db: ActorDb, connectionId: string, recordIds: readonly string[]): Promise<Map<string, Tie>> {
  if (recordIds.length === 0) return new Map()
  const { rows } = await of(connectionId, sql`r.record_id = any (${recordIds}::uuid[])`).execute(db)
  return new Map(rows.map((tie) => [tie.recordId, tie]))
}

/** `missing`: the whole pass did not see them; `creating`: their making was cut off. In the order of their ids. */
export async function tiesAfter(
  db: ActorDb,
  connectionId: string,
  { after, limit, which, pass }: { after: string | null; limit: number; which: 'missing' | 'tied' | 'erased' | 'creating'; pass: string },
): Promise<Tie[]> {
  const narrowed = {
    missing: sql`r.state = 'tied' and r.seen_in_run is distinct from ${pass}::uuid`,
    tied: sql`r.state = 'tied'`,
    erased: sql`r.state = 'tied' and r.erased_at is not null`,
    creating: sql`r.state = 'creating'`,
  }[which]
  const { rows } = await of(
    connectionId,
    sql`${narrowed} and r.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') order by r.id limit ${limit}`,
  ).execute(db)
  return rows
}

export type NewTie = {
  recordId: string
  externalId: string | null
  agreed: Record<string, AgreedField>
  theirsVersion: string | null
  seenIn: string | null
  state: Tie['state']
  run: string
}
/** A tie that another worker made in the same moment is not made twice. */
export async function insertTies(db: ActorDb, orgId: string, connectionId: string, entity: Entity, ties: readonly NewTie[]): Promise<void> {
  if (ties.length === 0) return
  await sql`insert into app.external_refs (org_id, connection_id, entity, person_id, event_id, external_id, agreed, agreed_at, agreed_in, theirs_version, seen_in_run, state)
    select ${orgId}::uuid, ${connectionId}::uuid, ${entity}, case when ${entity} = 'person' then x."recordId" end, case when ${entity} = 'event' then x."recordId" end,
      x."externalId", x.agreed, now(), x.run, x."theirsVersion", x."seenIn", x.state
    from jsonb_to_recordset(${JSON.stringify(ties)}::jsonb)
      x ("recordId" uuid, "externalId" text, agreed jsonb, "theirsVersion" text, "seenIn" uuid, state text, run uuid)`.execute(db)
}

export type TieChange = {
  id: string
  externalId?: string | null
  agreed?: Record<string, AgreedField>
  theirsVersion?: string | null
  seenIn?: string
  state?: Tie['state']
  run: string
}
/** What a change does not name stays. Of who was erased no value is kept, also where that happened a moment ago. */
export async function updateTies(db: ActorDb, connectionId: string, changes: readonly TieChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`update app.external_refs r set
      external_id = case when x.v ? 'externalId' then x.v ->> 'externalId' else r.external_id end,
      agreed = case when r.erased_at is null then coalesce(x.v -> 'agreed', r.agreed) else '{}' end, agreed_at = case when x.v ? 'agreed' then now() else r.agreed_at end,
      agreed_in = case when x.v ? 'agreed' then (x.v ->> 'run')::uuid else r.agreed_in end,
      theirs_version = case when x.v ? 'theirsVersion' then x.v ->> 'theirsVersion' else r.theirs_version end,
      seen_in_run = coalesce((x.v ->> 'seenIn')::uuid, r.seen_in_run), state = coalesce(x.v ->> 'state', r.state)
    from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) x (v)
    where r.connection_id = ${connectionId}::uuid and r.id = (x.v ->> 'id')::uuid`.execute(db)
}

export async function removeTies(db: ActorDb, connectionId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await sql`delete from app.external_refs r where r.connection_id = ${connectionId}::uuid and r.id = any (${ids}::uuid[])`.execute(db)
}
