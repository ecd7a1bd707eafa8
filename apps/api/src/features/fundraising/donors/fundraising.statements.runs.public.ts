import * as z from 'zod'
import { begin } from '../../../platform/lists/bulk.ts'
import type { BulkList, Steps } from '../../../platform/lists/bulk.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { findRun, mailGivingRun, noteGivingJob, startGivingRun } from './fundraising.statements.queries.ts'

/** Mailed while the caller waits; more is done by the worker. */
const atOnce = 200
const list = 'giving_runs'
const Request = z.object({ runId: z.uuid() })

type Wanted = { since: string; until: string; personIds?: string[] | undefined }
/** Writes down who gets a statement, and mails them in portions: the documents are made while each mail leaves. */
export const mailStatements = (context: CallerContext, wanted: Wanted) =>
  context.inTx(async (db) => {
    const runId = await startGivingRun(db, wanted)
    const { people } = mustFind(await findRun(db, runId))
    const request = { runId }
    const begun = { list, request, stays: true }
    const result = await begin(db, context, stepsOf(request), begun, 'Mail giving statements', people <= atOnce, people)
    await noteGivingJob(db, runId, result.job.id)
    return { run: mustFind(await findRun(db, runId)), result }
  })

const nothing = { counts: { matched: 0, changed: 0, unchanged: 0, refused: 0 }, after: null, last: true }

/** Whom a run has mailed is noted with the mail, so that a portion that comes again finds the next ones. */
const stepsOf = ({ runId }: z.infer<typeof Request>): Steps => ({
  async change(db, { orgId }, _jobId, _state, size) {
    const before = await findRun(db, runId)
    if (!before) return nothing
    const people = await mailGivingRun(db, orgId, runId, size)
    const after = mustFind(await findRun(db, runId))
    const mailed = after.mailed - before.mailed
    return { counts: { matched: people, changed: mailed, unchanged: people - mailed, refused: 0 }, after: null, last: people < size }
  },
  undo: async () => nothing,
})

/** The work of statement runs, as the worker takes it up again. */
export const givingRunWork: BulkList = {
  list,
  steps(request) {
    const known = Request.safeParse(request)
    return known.success ? stepsOf(known.data) : null
  },
}
