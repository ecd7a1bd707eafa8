import type { BulkCounts, BulkPreview, BulkResult } from '@guildhall/contract/bulk'
import { Selection } from '@guildhall/contract/shapes'
import type { Job } from '@guildhall/contract/shapes'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { beginJob, findJob, jobOf, lockJob, noteJob } from '../jobs/job-progress.ts'
import type { CallerContext } from '../procedures/context.ts'
import { problem } from '../procedures/problem.ts'
import { countEffects, forgetEffects, nextEffects } from './bulk-effects.ts'
import type { BulkEffect } from './bulk-effects.ts'
import { addCounts, bulkAtOnce, bulkResult, bulkState, none, undoableUntil } from './bulk-state.ts'
import type { BulkState } from './bulk-state.ts'

type Condition = RawBuilder<SqlBool>

/** Pieces of one SELECT over the records of a selection: which they are, whether the caller may change each, and whether it would differ afterwards. */
export type BulkTargets = {
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  name: RawBuilder<unknown>
  sort: RawBuilder<unknown>
  where: Condition
  may: Condition
  differs: Condition
  /** Why a record that would not differ stays as it is, as one of a few words. */
  why?: RawBuilder<unknown> | undefined
}
export type BulkWork<Change> = { orgId: string; jobId: string; change: Change }

/** What a feature says of changing many of its records. */
type Definition<Change extends { do: string }> = {
  /** Kept with each job, to find its undo by. */
  list: string
  change: z.ZodType<Change>
  /** Refuses what cannot be meant, before any work is queued. */
  check(db: ActorDb, selection: Selection, change: Change): Promise<void>
  targets(db: ActorDb, selection: Selection, change: Change): Promise<BulkTargets>
  /** Changes these records with one statement and keeps what undo needs (`keepEffects`), where there is one; answers how many were changed. */
  apply(db: ActorDb, work: BulkWork<Change>, ids: readonly string[]): Promise<number>
  /** Changes that are not undone, where others of the list are. */
  stays?(change: Change): boolean
  /** Undoes it, save where someone changed a record again since, or the caller may no longer; answers how many. Without it there is no undo. */
  revert?(db: ActorDb, work: BulkWork<Change>, effects: readonly BulkEffect[]): Promise<number>
}
export type Step = { counts: BulkCounts; after: string | null; last: boolean }
export type Steps = {
  change(db: ActorDb, actor: Actor, jobId: string, state: BulkState, size: number): Promise<Step>
  undo(db: ActorDb, actor: Actor, undone: string, size: number): Promise<Step>
}
/** A list as jobs know it, whatever can be changed about its records. */
export type BulkList = { list: string; steps(request: unknown): Steps | null }

type Request<Change> = { selection: Selection; change: Change }

export function bulkList<Change extends { do: string }>(definition: Definition<Change>) {
  const { list, check, targets, apply, revert, stays } = definition
  const stepsOf = ({ selection, change }: Request<Change>): Steps => ({
    async change(db, { orgId }, jobId, { after = null }, size) {
      const found = await nextTargets(db, await targets(db, selection, change), after, size)
      const ids = found.filter(({ may, differs }) => may && differs).map(({ id }) => id)
      const changed = ids.length > 0 ? await apply(db, { orgId, jobId, change }, ids) : 0
      const refused = found.filter(({ may }) => !may).length
      return {
        counts: { matched: found.length, changed, refused, unchanged: found.length - refused - changed },
        after: found.at(-1)?.id ?? after,
        last: found.length < size,
      }
    },
    async undo(db, { orgId }, undone, size) {
      const effects = await nextEffects(db, undone, size)
      const changed = effects.length > 0 && revert ? await revert(db, { orgId, jobId: undone, change }, effects) : 0
      await forgetEffects(
        db,
        undone,
        effects.map(({ recordId }) => recordId),
      )
      return {
        counts: { matched: effects.length, changed, unchanged: effects.length - changed, refused: 0 },
        after: null,
        last: effects.length < size,
      }
    },
  })
  return {
    list,
    steps(stored: unknown): Steps | null {
      if (typeof stored !== 'object' || stored === null || !('selection' in stored) || !('change' in stored)) return null
      const selection = Selection.safeParse(stored.selection)
      const change = definition.change.safeParse(stored.change)
      return selection.success && change.success ? stepsOf({ selection: selection.data, change: change.data }) : null
    },
    preview: (context: CallerContext, { selection, change }: Request<Change>): Promise<BulkPreview> =>
      context.inTx(async (db) => {
        await check(db, selection, change)
        await asBulkWork(db, null)
        return preview(db, await targets(db, selection, change))
      }),
    run: (context: CallerContext, request: Request<Change>): Promise<BulkResult> =>
      context.inTx(async (db) => {
        const { selection, change } = request
        await check(db, selection, change)
        await asBulkWork(db, null)
        const pieces = await targets(db, selection, change)
        const few = (await nextTargets(db, pieces, null, bulkAtOnce + 1)).length <= bulkAtOnce
        const total = few ? null : (await preview(db, pieces)).matched
        return begin(
          db,
          context,
          stepsOf(request),
          { list, request, ...((!revert || stays?.(change)) && { stays: true }) },
          `Change ${change.do} of many ${list}`,
          few,
          total,
        )
      }),
  }
}

// Rows --------------------------------------------------------------------------------------------------------------------------------

type Target = { id: string; may: boolean; differs: boolean }

/** The next records of a selection in the order of their ids, which a change cannot disturb. */
async function nextTargets(db: ActorDb, pieces: BulkTargets, after: string | null, limit: number): Promise<Target[]> {
  const { from, id, where, may, differs } = pieces
  const { rows } = await sql<Target>`select ${id} as id, ${may} as may, ${differs} as differs ${from}
    where ${where} and ${id} > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') order by ${id} limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows
}

/** What a change would come to. */
async function preview(db: ActorDb, { from, id, name, sort, where, may, differs, why }: BulkTargets): Promise<BulkPreview> {
  const sample = (which: Condition) => sql`(select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name)), '[]')
    from (select id, name from marked where ${which} order by sort, id limit 10) s)`
  const reasons = sql`(select coalesce(json_agg(json_build_object('reason', g.why, 'total', g.total, 'first', ${sample(sql`may and not differs and why = g.why`)})
    order by g.total desc, g.why), '[]') from (select why, count(*)::int as total from marked where may and not differs group by why) g)`
  const { rows } = await sql<BulkPreview>`
    with marked as materialized (select ${id} as id, ${name} as name, ${sort} as sort, ${may} as may, ${differs} as differs, ${why ?? sql`null::text`} as why ${from} where ${where})
    select count(*)::int as matched, count(*) filter (where may and differs)::int as changed, count(*) filter (where may and not differs)::int as unchanged,
      count(*) filter (where not may)::int as refused, ${sample(sql`may and differs`)} as sample, ${sample(sql`not may`)} as "refusedSample"${why ? sql`, ${reasons} as "unchangedWhy"` : sql``}
    from marked`.execute(db)
  return rows[0] ?? { ...none, sample: [], refusedSample: [] }
}

/** Work on many rows may take longer than a page does; the audit log notes through which job a change came. */
async function asBulkWork(db: ActorDb, jobId: string | null): Promise<void> {
  await sql`select set_config('statement_timeout', '30000', true), set_config('app.via', ${jobId ? `bulk:${jobId}` : ''}, true)`.execute(db)
}

/** The caller's changes that are not done yet, newest first. */
export async function unfinishedBulk(db: ActorDb): Promise<Job[]> {
  const { rows } = await sql<{ job: Job }>`select ${jobOf('j')} as job from app.job_progress j
    where j.kind = 'bulk' and j.status in ('queued', 'running') order by j.created_at desc, j.id limit 20`.execute(db)
  return rows.map(({ job }) => job)
}

// Jobs --------------------------------------------------------------------------------------------------------------------------------

/** Changes the next records of a job: the change, its undo and the progress are one transaction, so that a kill in between loses and doubles nothing. */
export async function bulkStep(db: ActorDb, actor: Actor, steps: Steps, job: Job, state: BulkState, size: number): Promise<Step> {
  await asBulkWork(db, job.id)
  const step = state.undoes ? await steps.undo(db, actor, state.undoes, size) : await steps.change(db, actor, job.id, state, size)
  const counts = addCounts(state.counts ?? none, step.counts)
  await noteJob(db, job.id, {
    status: step.last ? 'done' : 'running',
    done: counts.matched,
    result: { counts, after: step.after },
    ...(step.last ? { total: counts.matched } : {}),
  })
  if (step.last && state.undoes) await noteJob(db, state.undoes, { result: { undone: true } })
  return { ...step, counts }
}

/** Begins the job and, when it is small, ends it in the same transaction. Work that is no change of a list begins here too. */
export async function begin(
  db: ActorDb,
  context: CallerContext,
  steps: Steps,
  begun: BulkState,
  title: string,
  few: boolean,
  total: number | null,
) {
  const { actor, services } = context
  const jobId = await beginJob(db, actor, { kind: 'bulk', title, total, result: begun })
  if (few) {
    const { job, state } = await ownBulk(db, jobId)
    await bulkStep(db, actor, steps, job, state, bulkAtOnce + 1)
  } else {
    await services.jobs.send(db, 'bulk', { orgId: actor.orgId, accountId: actor.accountId, jobId })
  }
  const { job, state } = await ownBulk(db, jobId)
  return bulkResult(job, state)
}

export async function undoBulk(db: ActorDb, context: CallerContext, stepsFor: (state: BulkState) => Steps | null, jobId: string) {
  // One undo at a time: the second waits here and then finds it done.
  await lockJob(db, jobId)
  const { job, state } = await ownBulk(db, jobId)
  const steps = stepsFor(state)
  if (!steps || !undoableUntil(job, state)) {
    throw problem('CONFLICT', {
      reason: 'not_undoable',
      detail: 'This cannot be undone: it is still running, has already been undone, or was too long ago.',
    })
  }
  const total = await countEffects(db, job.id)
  const begun = { list: state.list, request: state.request, undoes: job.id }
  return begin(db, context, steps, begun, 'Undo a bulk change', total <= bulkAtOnce, total)
}

export async function ownBulk(db: ActorDb, jobId: string) {
  const job = await findJob(db, jobId)
  const state = job && bulkState(job)
  if (!job || !state) throw problem('NOT_FOUND')
  return { job, state }
}
