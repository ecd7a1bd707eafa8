import type { SyncChange, SyncError, SyncRun } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { List } from '../../../platform/lists/list-page.ts'
import { statement } from '../../../platform/records/statement.ts'
import { accountName } from './integrations.connections.queries.ts'
import { seesField } from './integrations.values.queries.ts'

// Runs -----------------------------------------------------------------------------------------------------------------------------------

const countOf = (counts: string, name: string) => sql`coalesce((${sql.ref(counts)} ->> ${sql.lit(name)})::int, 0)`
const counts = (column: string) =>
  sql`json_build_object(${sql.join(
    ['read', 'created', 'updated', 'unchanged', 'skipped', 'conflicts', 'failed'].flatMap((name) => [sql.lit(name), countOf(column, name)]),
  )})`
const run = sql<SyncRun>`json_build_object('id', r.id, 'connectionId', r.connection_id, 'isDry', r.is_dry, 'trigger', r.trigger, 'state', r.state,
  'in', ${counts('r.counts_in')}, 'out', ${counts('r.counts_out')}, 'done', r.done, 'total', r.total, 'failure', r.failure,
  'by', ${accountName('r.account_id')}, 'startedAt', r.started_at, 'finishedAt', r.finished_at, 'createdAt', r.created_at)`

export const runsList = (connectionId: string): List<SyncRun> => ({
  key: ['sync-runs', connectionId],
  item: run,
  from: sql`from app.sync_runs r`,
  where: [sql`r.connection_id = ${connectionId}`],
  order: [sql`r.id`],
  descending: true,
})

export const runQuery = (connectionId: string, runId: string) =>
  statement(sql<{ item: SyncRun }>`select ${run} as item from app.sync_runs r where r.id = ${runId} and r.connection_id = ${connectionId}`)
export async function findRun(db: ActorDb, connectionId: string, runId: string): Promise<SyncRun | undefined> {
  const { rows } = await db.executeQuery(runQuery(connectionId, runId).compile())
  return rows[0]?.item
}

// Changes --------------------------------------------------------------------------------------------------------------------------------

const shownFields = sql`(select coalesce(json_agg(json_build_object('field', x.value ->> 'field', 'before', x.value ->> 'before', 'after', x.value ->> 'after') order by x.place), '[]')
  from jsonb_array_elements(s.fields) with ordinality x (value, place) where x.place <= 40 and (s.entity <> 'person' or ${seesField(sql`x.value ->> 'field'`)}))`
const change = sql<SyncChange>`json_build_object('id', s.id, 'direction', s.direction, 'kind', s.kind, 'state', s.state, 'recordId', s.record_id, 'externalId', s.external_id,
  'name', coalesce(p.display_name, s.name), 'fields', ${shownFields}, 'version', s.version)`
const changesFrom = sql`from app.sync_changes s join app.connections c on c.org_id = s.org_id and c.id = s.connection_id
  left join app.people p on p.org_id = s.org_id and p.id = s.person_id`

type Wanted = { runId?: string | undefined; kind?: string | undefined; state?: string | undefined }
export function changesList(connectionId: string, { runId, kind, state }: Wanted): List<SyncChange> {
  const where: RawBuilder<SqlBool>[] = [sql`s.connection_id = ${connectionId}`]
  if (runId) where.push(sql`s.run_id = ${runId}`)
  if (kind) where.push(sql`s.kind = ${kind}`)
  if (state) where.push(sql`s.state = ${state}`)
  return {
    key: ['sync-changes', connectionId, runId ?? null, kind ?? null, state ?? null],
    item: change,
    from: changesFrom,
    where,
    order: [sql`s.id`],
  }
}

export async function findChange(db: ActorDb, connectionId: string, changeId: string): Promise<SyncChange | undefined> {
  const { rows } = await sql<{
    item: SyncChange
  }>`select ${change} as item ${changesFrom} where s.id = ${changeId} and s.connection_id = ${connectionId}`.execute(db)
  return rows[0]?.item
}

// Errors ---------------------------------------------------------------------------------------------------------------------------------

const error = sql<SyncError>`json_build_object('id', e.id, 'runId', e.run_id, 'direction', e.direction, 'row', e.row, 'code', e.code, 'message', e.message, 'state', e.state,
  'at', e.created_at, 'version', e.version)`

type WantedErrors = { runId?: string | undefined; state?: string | undefined; code?: string | undefined }
export function errorsList(connectionId: string, { runId, state, code }: WantedErrors): List<SyncError> {
  const where: RawBuilder<SqlBool>[] = [sql`e.connection_id = ${connectionId}`]
  if (runId) where.push(sql`e.run_id = ${runId}`)
  if (state) where.push(sql`e.state = ${state}`)
  if (code) where.push(sql`e.code = ${code}`)
  return {
    key: ['sync-errors', connectionId, runId ?? null, state ?? null, code ?? null],
    item: error,
    from: sql`from app.sync_errors e`,
    where,
    order: [sql`e.id`],
    descending: true,
  }
}

export const causesQuery = (connectionId: string) =>
  statement(sql<{ code: string; count: number }>`select e.code, count(*)::int as count from app.sync_errors e
    where e.connection_id = ${connectionId} and e.state = 'open' group by e.code order by 2 desc, 1 limit 100`)

export async function findError(db: ActorDb, connectionId: string, errorId: string): Promise<SyncError | undefined> {
  const { rows } = await sql<{
    item: SyncError
  }>`select ${error} as item from app.sync_errors e where e.id = ${errorId} and e.connection_id = ${connectionId}`.execute(db)
  return rows[0]?.item
}

export async function ignoreError(db: ActorDb, errorId: string, version: number): Promise<boolean> {
  const { rows } =
    await sql`update app.sync_errors set state = 'ignored' where id = ${errorId} and version = ${version} and state = 'open' returning 1`.execute(
      db,
    )
  return rows.length > 0
}
