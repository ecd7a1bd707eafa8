import type { BulkRequest } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { beginJob, cancelJob, findJob, lockJob } from '../../platform/jobs/job-progress.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { groupTakesPeople } from '../groups/groups.bulk.public.ts'
import { countEffects } from './bulk/people.bulk.effects.queries.ts'
import { bulkStep } from './bulk/people.bulk.jobs.ts'
import { asBulkWork, checkSelection, missingOf, nextTargets, previewBulk, unfinishedBulk } from './bulk/people.bulk.queries.ts'
import { bulkAtOnce, bulkResult, bulkState, undoableUntil } from './bulk/people.bulk.rules.ts'
import type { BulkState } from './bulk/people.bulk.rules.ts'
import { printCard } from './cards/people.cards.actions.ts'

const { bulk } = actions.people

export const peopleActions = actions.people.router({
  printCard,
  bulk: {
    preview: bulk.preview.handler(({ input, context }) =>
      context.inTx(async (db) => {
        await checkRequest(db, input)
        await asBulkWork(db, null)
        return previewBulk(db, input.selection, input.change)
      }),
    ),

    run: bulk.run.handler(({ input, context }) =>
      context.inTx(async (db) => {
        await checkRequest(db, input)
        await asBulkWork(db, null)
        const few = (await nextTargets(db, input.selection, input.change, null, bulkAtOnce + 1)).length <= bulkAtOnce
        const total = few ? null : (await previewBulk(db, input.selection, input.change)).matched
        return start(db, context, { request: input }, `Change ${input.change.do} of many people`, few, total)
      }),
    ),

    get: bulk.get.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const { job, state } = await ownBulk(db, input.jobId)
        return bulkResult(job, state)
      }),
    ),

    list: bulk.list.handler(({ context }) =>
      context.inTx(async (db) => {
        const jobs = await unfinishedBulk(db)
        return {
          items: jobs.flatMap((job) => {
            const state = bulkState(job)
            return state ? [bulkResult(job, state)] : []
          }),
        }
      }),
    ),

    cancel: bulk.cancel.handler(({ input, context }) =>
      context.inTx(async (db) => {
        await ownBulk(db, input.jobId)
        await cancelJob(db, input.jobId)
        const { job, state } = await ownBulk(db, input.jobId)
        return bulkResult(job, state)
      }),
    ),

    undo: bulk.undo.handler(({ input, context }) =>
      context.inTx(async (db) => {
        // One undo at a time: the second waits here and then finds it done.
        await lockJob(db, input.jobId)
        const { job, state } = await ownBulk(db, input.jobId)
        if (!undoableUntil(job, state)) {
          throw problem('CONFLICT', {
            reason: 'not_undoable',
            detail: 'This cannot be undone: it is still running, has already been undone, or was too long ago.',
          })
        }
        const total = await countEffects(db, job.id)
        return start(db, context, { request: state.request, undoes: job.id }, 'Undo a bulk change', total <= bulkAtOnce, total)
      }),
    ),
  },
})

/** Begins the job and, when it is small, ends it in the same transaction. */
async function start(db: ActorDb, context: CallerContext, begun: BulkState, title: string, few: boolean, total: number | null) {
  const { actor, services } = context
  const jobId = await beginJob(db, actor, { kind: 'bulk', title, total, result: begun })
  if (few) {
    const { job, state } = await ownBulk(db, jobId)
    await bulkStep(db, actor, job, state, bulkAtOnce + 1)
  } else {
    await services.jobs.send(db, 'bulk', { orgId: actor.orgId, accountId: actor.accountId, jobId })
  }
  const { job, state } = await ownBulk(db, jobId)
  return bulkResult(job, state)
}

async function ownBulk(db: ActorDb, jobId: string) {
  const job = await findJob(db, jobId)
  const state = job && bulkState(job)
  if (!job || !state) throw problem('NOT_FOUND')
  return { job, state }
}

async function checkRequest(db: ActorDb, { selection, change }: BulkRequest) {
  await checkSelection(db, selection)
  if (change.do === 'addToGroup') {
    const group = await groupTakesPeople(db, change.groupId)
    if (!group) throw problem('UNPROCESSABLE_CONTENT', fault('change.groupId', 'group_not_found', 'There is no such group.'))
    if (!group.may) throw problem('FORBIDDEN')
    return
  }
  const missing = await missingOf(db, change)
  if (missing === 'right') throw problem('FORBIDDEN')
  if (missing === 'tag') throw problem('UNPROCESSABLE_CONTENT', fault('change.tagId', 'tag_not_found', 'There is no such tag.'))
  if (missing === 'chapter')
    throw problem('UNPROCESSABLE_CONTENT', fault('change.chapterId', 'chapter_unavailable', 'There is no such chapter, or it is closed.'))
}
