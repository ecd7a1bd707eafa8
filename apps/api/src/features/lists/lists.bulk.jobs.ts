import { isUnderWay, jobActor, lockJob, noteJob } from '../../platform/jobs/job-progress.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { bulkBatch, bulkState } from '../../platform/lists/bulk-state.ts'
import type { BulkState } from '../../platform/lists/bulk-state.ts'
import { bulkStep } from '../../platform/lists/bulk.ts'
import type { BulkList } from '../../platform/lists/bulk.ts'
import { failureOf, toProblem } from '../../platform/procedures/problem.ts'
import type { Services } from '../../platform/services.ts'
import { chaptersBulk } from '../chapters/bulk/chapters.bulk.public.ts'
import { eventsBulk } from '../events/list/events.bulk.public.ts'
import { registrationsBulk } from '../events/attendees/events.attendees.bulk.public.ts'
import { invoicesBulk } from '../finance/finance.bulk.public.ts'
import { duesRunWork } from '../finance/finance.runs.public.ts'
import { givingRunWork } from '../fundraising/donors/fundraising.statements.runs.public.ts'
import { groupsBulk } from '../groups/groups.bulk.public.ts'
import { peopleBulk } from '../people/bulk/people.bulk.public.ts'

/** Lists of which many records are changed at once. */
const bulkLists: readonly BulkList[] = [
  peopleBulk,
  groupsBulk,
  chaptersBulk,
  invoicesBulk,
  duesRunWork,
  eventsBulk,
  registrationsBulk,
  givingRunWork,
]

/** The work of a stored job; null where no list knows it any more. */
export const bulkSteps = ({ list, request }: BulkState) => bulkLists.find((one) => one.list === list)?.steps(request) ?? null

/** The worker's part of changes to more records than fit into a request. */
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
          const steps = state && bulkSteps(state)
          if (!job || !state || !steps || !isUnderWay(job)) return false
          return !(await bulkStep(db, actor, steps, job, state, bulkBatch)).last
        })
      }
    } catch (error) {
      const expected = toProblem(error)
      // What another attempt would meet again is the end of the job; a lost connection is not.
      if (!expected || expected.status >= 500) throw error
      await database.asActor(actor, (db) => noteJob(db, jobId, { status: 'failed', error: failureOf(expected) }))
    }
  }
