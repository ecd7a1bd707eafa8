import type { Failure } from '@guildhall/contract/reasons'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { kindOf } from '../../../platform/notify.ts'

// What becomes of a connection is decided in the database, by functions that a worker calls without an actor: the owner may have lost every right.

type AnyDb = ActorDb | Kysely<Schema>
const note = () => JSON.stringify(kindOf('connection-trouble'))
const asJson = (failure: Failure | null) => (failure ? JSON.stringify(failure) : null)

export type RunEnd = { state: 'succeeded' | 'partial' | 'failed' | 'cancelled'; failure?: Failure | null; isFatal?: boolean }

/**
 * Ends a run, and says what its connection is from now on and when it runs next. The third failure in a row degrades it; a fatal one, which somebody must
 * repair, stops it. The owner is told of either once. The caller has written counts and cursor.
 */
export async function noteRunEnd(
  db: AnyDb,
  orgId: string,
  runId: string,
  { state, failure = null, isFatal = false }: RunEnd,
): Promise<void> {
  await sql`select app.note_run_end(${orgId}, ${runId}, ${state}, ${asJson(failure)}::jsonb, ${isFatal}, ${note()}::jsonb)`.execute(db)
}

/** After the other side was asked: one that works is connected, one that was never connected says why it is not. */
export async function noteTest(db: ActorDb, connectionId: string, failure: Failure | null): Promise<void> {
  if (failure) {
    await sql`update app.connections set failure = ${asJson(failure)}::jsonb where id = ${connectionId} and state = 'connecting'`.execute(
      db,
    )
    return
  }
  await sql`update app.connections set state = 'connected', failure = null, failed_runs = 0, next_run_at = now() + make_interval(mins => every_minutes)
    where id = ${connectionId} and state in ('connecting', 'error')`.execute(db)
}

export type Working = {
  orgId: string
  id: string
  chapterId: string | null
  state: 'connected' | 'degraded'
  settings: Readonly<Record<string, string | number | boolean>>
  ownerAccountId: string | null
  freshHours: number | null
  lastSuccessAt: string | null
}

/** Connections that run, of a connector or of all; for the worker. */
export async function workingConnections(db: Kysely<Schema>, connector: string | null): Promise<Working[]> {
  const { rows } =
    await sql<Working>`select c.org_id as "orgId", c.id, c.chapter_id as "chapterId", c.state, c.settings, c.owner_account_id as "ownerAccountId",
    c.fresh_hours as "freshHours", c.last_success_at as "lastSuccessAt" from app.connections_of(${connector}) c`.execute(db)
  return rows
}

export async function purgeSync(db: Kysely<Schema>, orgId: string): Promise<void> {
  await sql`select app.purge_sync(${orgId})`.execute(db)
}
