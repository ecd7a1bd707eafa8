import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

// What a change did to each record, until it is undone or its job goes.

export type BulkEffect = { recordId: string; before: Record<string, unknown> }

/**
 * Runs a change and keeps what undo needs, in one statement; answers how many records were changed. `changed` returns the record's id
 * in `column`, and whatever `before` speaks of.
 */
export async function keepEffects(
  db: ActorDb,
  { orgId, jobId }: { orgId: string; jobId: string },
  changed: RawBuilder<unknown>,
  before: RawBuilder<unknown> = sql`'{}'::jsonb`,
  column = 'record_id',
): Promise<number> {
  const { rows } = await sql`with changed as (${changed}) insert into app.bulk_effects (org_id, job_id, record_id, before)
    select ${orgId}, ${jobId}, ${sql.ref(`changed.${column}`)}, ${before} from changed returning 1`.execute(db)
  return rows.length
}

export async function nextEffects(db: ActorDb, jobId: string, limit: number): Promise<BulkEffect[]> {
  const { rows } =
    await sql<BulkEffect>`select e.record_id as "recordId", e.before from app.bulk_effects e where e.job_id = ${jobId} order by e.record_id limit ${sql.lit(limit)}`.execute(
      db,
    )
  return rows
}

export async function countEffects(db: ActorDb, jobId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.bulk_effects where job_id = ${jobId}`.execute(db)
  return rows[0]?.n ?? 0
}

export const forgetEffects = (db: ActorDb, jobId: string, ids: readonly string[]) =>
  sql`delete from app.bulk_effects e where e.job_id = ${jobId} and e.record_id = any (${ids}::uuid[])`.execute(db)
