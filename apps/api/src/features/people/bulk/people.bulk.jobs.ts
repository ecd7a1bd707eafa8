import type { BulkCounts } from '@guildhall/contract/features/people'
import type { Job } from '@guildhall/contract/shapes'
import type { Actor, ActorDb } from '@guildhall/db'
import type * as z from 'zod'
import { isUnderWay, jobActor, lockJob, noteJob } from '../../../platform/jobs/job-progress.ts'
import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import { failureOf, toProblem } from '../../../platform/procedures/problem.ts'
import type { Services } from '../../../platform/services.ts'
import { applyBulk, nextEffects, revertBulk } from './people.bulk.effects.queries.ts'
import { asBulkWork, nextTargets } from './people.bulk.queries.ts'
import { addCounts, bulkBatch, bulkState, none } from './people.bulk.rules.ts'
import type { BulkState } from './people.bulk.rules.ts'

type Step = { counts: z.infer<typeof BulkCounts>; after: string | null; last: boolean }

/** Changes the next people of a job: the change, its undo and the progress are one transaction, so that a kill in between loses and doubles nothing. */
export async function bulkStep(db: ActorDb, actor: Actor, job: Job, state: BulkState, size: number): Promise<Step> {
  await asBulkWork(db, job.id)
  const step = state.undoes ? await undoStep(db, actor, state.undoes, state, size) : await changeStep(db, actor, job.id, state, size)
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

async function changeStep(db: ActorDb, { orgId }: Actor, jobId: string, { request, after = null }: BulkState, size: number): Promise<Step> {
  const targets = await nextTargets(db, request.selection, request.change, after, size)
  const ids = targets.filter((target) => target.may && target.differs).map((target) => target.id)
  const changed = await applyBulk(db, { orgId, jobId, change: request.change }, ids)
  const refused = targets.filter((target) => !target.may).length
  return {
    counts: { matched: targets.length, changed, refused, unchanged: targets.length - refused - changed },
    after: targets.at(-1)?.id ?? after,
    last: targets.length < size,
  }
}

async function undoStep(db: ActorDb, { orgId }: Actor, jobId: string, { request }: BulkState, size: number): Promise<Step> {
  const effects = await nextEffects(db, jobId, size)
  const changed = await revertBulk(db, { orgId, jobId, change: request.change }, effects)
  return {
    counts: { matched: effects.length, changed, unchanged: effects.length - changed, refused: 0 },
    after: null,
    last: effects.length < size,
  }
}

/** The worker's part of changes to more people than fit into a request. */
export const bulkJob =
  ({ database, log }: Services): JobHandler =>
  async ({ orgId = '', accountId = '', jobId = '' }, { signal }) => {
    const actor = await jobActor(database, orgId, accountId)
    if (!actor) return log.warn({ jobId }, 'a bulk change was given up: its account may no longer act')
    try {
      let going = true
      while (going) {
        signal.throwIfAborted()
        going = await database.asActor(actor, async (db) => {
          const job = await lockJob(db, jobId)
          const state = job && bulkState(job)
          if (!job || !state || !isUnderWay(job)) return false
          return !(await bulkStep(db, actor, job, state, bulkBatch)).last
        })
      }
    } catch (error) {
      const expected = toProblem(error)
      // What another attempt would meet again is the end of the job; a lost connection is not.
      if (!expected || expected.status >= 500) throw error
      await database.asActor(actor, (db) => noteJob(db, jobId, { status: 'failed', error: failureOf(expected) }))
    }
  }
