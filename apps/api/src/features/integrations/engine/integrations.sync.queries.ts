import type { ConnectorKey, FieldMapping, SyncRun } from '@guildhall/contract/features/integrations'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { TheirField } from '../connectors/integrations.connector.rules.ts'
import type { Counts, RunCursor } from './integrations.runs.rules.ts'

export type SyncedConnection = {
  id: string
  name: string
  connector: ConnectorKey
  state: string
  chapterId: string | null
  settings: Readonly<Record<string, string | number | boolean>>
  mapping: FieldMapping[]
  matchBy: string | null
  onMissing: 'leave' | 'ask'
  mappingVersion: number
  dryRunOf: number | null
  cursor: RunCursor | null
  mark: string | null
}
export type StoredRun = {
  id: string
  isDry: boolean
  trigger: SyncRun['trigger']
  state: SyncRun['state']
  mappingVersion: number
  in: Partial<Counts>
  out: Partial<Counts>
  done: number
  total: number | null
  cursor: RunCursor | null
  retryOf: string | null
  retryError: string | null
  accountId: string | null
}

const runColumns = sql`r.id, r.is_dry as "isDry", r.trigger, r.state, r.mapping_version as "mappingVersion", r.counts_in as "in", r.counts_out as "out", r.done, r.total, r.cursor,
  r.retry_of as "retryOf", r.retry_error as "retryError", r.account_id as "accountId"`

const synced = sql<SyncedConnection>`select c.id, c.name, c.connector, c.state, c.chapter_id as "chapterId", c.settings, c.mapping, c.match_by as "matchBy",
  c.on_missing as "onMissing", c.mapping_version as "mappingVersion", c.dry_run_of as "dryRunOf", c.cursor, c.mark
  from app.connections c where c.id = any ((select app.managed_connections())::uuid[])`

/** One that the actor manages. */
export async function findSynced(db: ActorDb, connectionId: string): Promise<SyncedConnection | undefined> {
  const { rows } = await sql<SyncedConnection>`${synced} and c.id = ${connectionId}`.execute(db)
  return rows[0]
}
/** The same by its run. */
export async function findSyncedOf(db: ActorDb, runId: string): Promise<SyncedConnection | undefined> {
  const { rows } =
    await sql<SyncedConnection>`${synced} and c.id = (select r.connection_id from app.sync_runs r where r.id = ${runId})`.execute(db)
  return rows[0]
}

/** Nobody else writes for the run until the transaction ends; nothing where the actor does not manage it any more. */
export async function holdRun(db: ActorDb, runId: string): Promise<StoredRun | undefined> {
  const { rows } = await sql<StoredRun>`select ${runColumns} from app.sync_runs r
    where r.id = ${runId} and r.connection_id = any ((select app.managed_connections())::uuid[]) for update`.execute(db)
  return rows[0]
}

/** Before its run, as everybody does who changes both, so that nobody waits for each other. */
export async function holdConnection(db: ActorDb, connectionId: string): Promise<void> {
  await sql`select from app.connections c where c.id = ${connectionId} for no key update`.execute(db)
}

type RunNote = { state?: 'running'; in?: Counts; out?: Counts; done?: number; total?: number | null; cursor?: RunCursor | null }
/** Notes how far the run is, with a sign of life. */
export async function noteRun(db: ActorDb, runId: string, note: RunNote): Promise<void> {
  await db
    .updateTable('app.sync_runs')
    .set({
      heartbeat_at: sql<string>`now()`,
      ...(note.state && { state: note.state, started_at: sql<string>`coalesce(started_at, now())` }),
      ...(note.in && { counts_in: JSON.stringify(note.in) }),
      ...(note.out && { counts_out: JSON.stringify(note.out) }),
      ...(note.done === undefined ? {} : { done: note.done }),
      ...(note.total === undefined ? {} : { total: note.total }),
      ...(note.cursor === undefined ? {} : { cursor: note.cursor && JSON.stringify(note.cursor) }),
    })
    .where('id', '=', runId)
    .execute()
}

/** Where the next run of the connection goes on, and what the other side said of its data. */
export async function keepCursor(db: ActorDb, connectionId: string, cursor: RunCursor | null, mark?: string | null): Promise<void> {
  await db
    .updateTable('app.connections')
    .set({ cursor: cursor && JSON.stringify(cursor), ...(mark === undefined ? {} : { mark }) })
    .where('id', '=', connectionId)
    .execute()
}

export async function keepTheirFields(db: ActorDb, connectionId: string, fields: readonly TheirField[]): Promise<void> {
  await sql`update app.connections set their_fields = ${JSON.stringify(fields)}::jsonb where id = ${connectionId} and their_fields <> ${JSON.stringify(fields)}::jsonb`.execute(
    db,
  )
}

export async function connectorOf(db: ActorDb, connectionId: string): Promise<ConnectorKey | undefined> {
  const { rows } = await sql<{ connector: ConnectorKey }>`select c.connector from app.connections c
    where c.id = ${connectionId} and c.id = any ((select app.managed_connections())::uuid[])`.execute(db)
  return rows[0]?.connector
}

/** The organisation's day. */
export async function todayIn(db: ActorDb): Promise<string> {
  const { rows } = await sql<{ today: string }>`select app.today()::text as today`.execute(db)
  return rows[0]?.today ?? ''
}

// Runs by request and by the clock ---------------------------------------------------------------------------------------------------

type NewRun = {
  connectionId: string
  isDry: boolean
  trigger: SyncRun['trigger']
  mappingVersion: number
  retryOf: string | null
  retryError: string | null
  cursor: RunCursor | null
}
/** Nothing when one is under way already. */
export async function insertRun(db: ActorDb, orgId: string, accountId: string, run: NewRun): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into app.sync_runs (org_id, connection_id, is_dry, trigger, mapping_version, retry_of, retry_error, account_id, cursor)
    values (${orgId}, ${run.connectionId}, ${run.isDry}, ${run.trigger}, ${run.mappingVersion}, ${run.retryOf}, ${run.retryError}, ${accountId}, ${run.cursor && JSON.stringify(run.cursor)}::jsonb)
    on conflict (org_id, connection_id) where state in ('queued', 'running') do nothing returning id`.execute(db)
  return rows[0]?.id
}

/** As whom runs of the connection act; null where its owner is gone. */
export async function ownerOf(db: ActorDb, connectionId: string): Promise<string | null> {
  const { rows } = await sql<{
    owner: string | null
  }>`select c.owner_account_id as owner from app.connections c where c.id = ${connectionId}`.execute(db)
  return rows[0]?.owner ?? null
}

export type DueRun = { orgId: string; accountId: string; runId: string }
export async function startDueSyncs(db: Kysely<Schema>, most: number): Promise<DueRun[]> {
  const { rows } =
    await sql<DueRun>`select r.org_id as "orgId", r.account_id as "accountId", r.run_id as "runId" from app.start_due_syncs(${most}) r`.execute(
      db,
    )
  return rows
}

/** What somebody decided need not wait for the next moment of the schedule. */
export async function hurryRun(db: ActorDb, connectionId: string): Promise<void> {
  await sql`update app.connections set next_run_at = now() where id = ${connectionId} and next_run_at > now()`.execute(db)
}
