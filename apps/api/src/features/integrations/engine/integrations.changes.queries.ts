import type { SyncChange } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { cut } from '../connectors/integrations.connector.rules.ts'
import type { RowError } from '../connectors/integrations.connector.rules.ts'
import type { Change } from './integrations.compare.rules.ts'
import type { Entity } from './integrations.ties.queries.ts'

export type Kind = SyncChange['kind']
export type NewChange = {
  direction: 'in' | 'out'
  kind: Kind
  state: SyncChange['state']
  recordId: string | null
  externalId: string | null
  name: string
  fields: readonly Change[]
}
type Of = { orgId: string; connectionId: string; runId: string; entity: Entity }

/** Columns of a field are cut where a list shows no more of them. */
const shown = (fields: readonly Change[]) => fields.slice(0, 40)

export async function insertChanges(db: ActorDb, { orgId, connectionId, runId, entity }: Of, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((change) => ({ ...change, name: cut(change.name, 300), fields: shown(change.fields) }))
  await sql`insert into app.sync_changes (org_id, connection_id, run_id, direction, kind, state, entity, person_id, event_id, external_id, name, fields)
    select ${orgId}::uuid, ${connectionId}::uuid, ${runId}::uuid, x.direction, x.kind, x.state, ${entity}, case when ${entity} = 'person' then x."recordId" end,
      case when ${entity} = 'event' then x."recordId" end, x."externalId", x.name, x.fields
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      x (direction text, kind text, state text, "recordId" uuid, "externalId" text, name text, fields jsonb)`.execute(db)
}

export type OpenChange = {
  id: string
  direction: 'in' | 'out'
  kind: Kind
  state: 'waiting' | 'refused'
  recordId: string | null
  externalId: string | null
  fields: Change[]
}
/** Changes of these records that wait for somebody, or were refused. */
export async function openChanges(
  db: ActorDb,
  connectionId: string,
  { recordIds, externalIds }: { recordIds: readonly string[]; externalIds: readonly string[] },
): Promise<OpenChange[]> {
  const { rows } =
    await sql<OpenChange>`select c.id, c.direction, c.kind, c.state, c.record_id as "recordId", c.external_id as "externalId", c.fields from app.sync_changes c
    where c.connection_id = ${connectionId}::uuid and c.state in ('waiting', 'refused')
      and (c.external_id = any (${externalIds}::text[]) or c.record_id = any (${recordIds}::uuid[]))`.execute(db)
  return rows
}

/** What waits says from now on what holds now. */
export async function reviseChange(
  db: ActorDb,
  id: string,
  runId: string,
  { name, fields, recordId }: Pick<NewChange, 'name' | 'fields' | 'recordId'>,
  entity: Entity,
) {
  await sql`update app.sync_changes c set run_id = ${runId}, name = ${cut(name, 300)}, fields = ${JSON.stringify(shown(fields))}::jsonb,
    person_id = case when ${entity} = 'person' then ${recordId}::uuid end, event_id = case when ${entity} = 'event' then ${recordId}::uuid end where c.id = ${id}`.execute(
    db,
  )
}
export async function removeChanges(db: ActorDb, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from app.sync_changes c where c.id = any (${ids}::uuid[]) and c.state = 'waiting'`.execute(db)
}
/** A change that waits; nobody else decides it until the transaction ends. */
export async function waitingChange(
  db: ActorDb,
  connectionId: string,
  changeId: string,
): Promise<(OpenChange & { name: string }) | undefined> {
  const { rows } = await sql<
    OpenChange & { name: string }
  >`select c.id, c.direction, c.kind, c.state, c.record_id as "recordId", c.external_id as "externalId", c.name, c.fields
    from app.sync_changes c where c.id = ${changeId} and c.connection_id = ${connectionId} and c.state = 'waiting' for update`.execute(db)
  return rows[0]
}
export async function settleChange(db: ActorDb, id: string, state: 'written' | 'refused', accountId: string): Promise<void> {
  await sql`update app.sync_changes c set state = ${state}, decided_by = ${accountId}, decided_at = now() where c.id = ${id}`.execute(db)
}
/** A run that begins anew leaves nothing of what it found before. */
export async function forgetPlanned(db: ActorDb, runId: string): Promise<void> {
  await sql`delete from app.sync_changes c where c.run_id = ${runId} and c.state = 'planned'`.execute(db)
  await sql`update app.sync_errors e set state = 'retried' where e.run_id = ${runId} and e.state = 'open'`.execute(db)
}

// Rows that failed -----------------------------------------------------------------------------------------------------------------------

export type FailedRow = {
  direction: 'in' | 'out'
  row: string
  externalId: string | null
  recordId: string | null
  keyHash?: string | undefined
  error: RowError
}
/** What failed and was noted by this run already, by its direction and row. */
export async function failedIn(db: ActorDb, runId: string, rows: readonly string[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const found = await sql<{
    key: string
  }>`select e.direction || ' ' || e.row as key from app.sync_errors e where e.run_id = ${runId} and e.state <> 'retried' and e.row = any (${rows}::text[])`.execute(
    db,
  )
  return new Set(found.rows.map(({ key }) => key))
}

/** Rows that failed; those that somebody ignores for this reason stay ignored. What was open of them before has been tried again by this. */
export async function insertErrors(db: ActorDb, { orgId, connectionId, runId }: Of, failed: readonly FailedRow[]): Promise<void> {
  if (failed.length === 0) return
  const rows = failed.map(({ error, row, ...same }) => ({
    ...same,
    row: cut(row, 300) || '?',
    code: error.code.slice(0, 60),
    message: cut(error.message, 1_000),
  }))
  await settleErrors(
    db,
    connectionId,
    rows.map(({ direction, row }) => ({ direction, row })),
  )
  await sql`insert into app.sync_errors (org_id, connection_id, run_id, direction, row, external_id, record_id, key_hash, code, message)
    select ${orgId}::uuid, ${connectionId}::uuid, ${runId}::uuid, x.direction, x.row, x."externalId", x."recordId", x."keyHash", x.code, x.message
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x (direction text, row text, "externalId" text, "recordId" uuid, "keyHash" text, code text, message text)
    where not exists (select from app.sync_errors e where e.connection_id = ${connectionId}::uuid and e.direction = x.direction and e.row = x.row and e.code = x.code and e.state = 'ignored')`.execute(
    db,
  )
}

/** These rows were tried again. */
export async function settleErrors(
  db: ActorDb,
  connectionId: string,
  rows: readonly { direction: 'in' | 'out'; row: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`update app.sync_errors e set state = 'retried' from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x (direction text, row text)
    where e.connection_id = ${connectionId}::uuid and e.state = 'open' and e.direction = x.direction and e.row = x.row`.execute(db)
}

/** The run of a row that failed, where it is still open. */
export async function runOfError(db: ActorDb, connectionId: string, errorId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    runId: string
  }>`select e.run_id as "runId" from app.sync_errors e where e.connection_id = ${connectionId} and e.id = ${errorId} and e.state = 'open'`.execute(
    db,
  )
  return rows[0]?.runId
}

/** Which of these keys a row of theirs has that several of ours fit. */
export async function unclearKeys(db: ActorDb, connectionId: string, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const { rows } = await sql<{ hash: string }>`select distinct e.key_hash as hash from app.sync_errors e
    where e.connection_id = ${connectionId}::uuid and e.state = 'open' and e.key_hash = any (${hashes}::text[])`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

/** Rows that failed before a pass over everything which did not fail in it: repaired, under another name, or not there any more. */
export async function settleUnseen(db: ActorDb, connectionId: string, passId: string): Promise<void> {
  // Ids of runs are in the order of time.
  await sql`update app.sync_errors e set state = 'retried'
    where e.connection_id = ${connectionId}::uuid and e.state = 'open' and e.direction = 'in' and e.run_id < ${passId}::uuid`.execute(db)
}
/** The same of rows that were tried again alone. */
export async function settleRetried(db: ActorDb, { runId, errorId }: Retried['of']): Promise<void> {
  await sql`update app.sync_errors e set state = 'retried' where e.run_id = ${runId}::uuid and e.state = 'open' and e.direction = 'in'
    and (${errorId}::uuid is null or e.id = ${errorId}::uuid)`.execute(db)
}

export type Retried = { in: Set<string>; out: Set<string>; of: { runId: string; errorId: string | null } }
/** The rows of a run that failed: theirs by their row, ours by their id. */
export async function failedRows(db: ActorDb, runId: string, errorId: string | null): Promise<Retried> {
  const { rows } = await sql<{ direction: 'in' | 'out'; row: string; recordId: string | null }>`
    select e.direction, e.row, e.record_id as "recordId" from app.sync_errors e where e.run_id = ${runId} and e.state = 'open' and (${errorId}::uuid is null or e.id = ${errorId}::uuid) limit 100000`.execute(
    db,
  )
  return {
    in: new Set(rows.flatMap(({ direction, row }) => (direction === 'in' ? [row] : []))),
    out: new Set(rows.flatMap(({ direction, recordId }) => (direction === 'out' && recordId ? [recordId] : []))),
    of: { runId, errorId },
  }
}
