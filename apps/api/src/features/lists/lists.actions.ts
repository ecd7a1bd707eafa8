import { exportReasonAbove, pdfColumnLimit, pdfRowLimit, xlsxRowLimit } from '@guildhall/contract/features/lists'
import type { NewExport } from '@guildhall/contract/features/lists'
import type { ActorDb } from '@guildhall/db'
import { StoredContent } from '../../platform/files/files.ts'
import { bulkResult, bulkState } from '../../platform/lists/bulk-state.ts'
import { ownBulk, undoBulk, unfinishedBulk } from '../../platform/lists/bulk.ts'
import { bulkSteps } from './lists.bulk.jobs.ts'
import { beginJob, cancelJob } from '../../platform/jobs/job-progress.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import {
  countRows,
  exportQuery,
  exportRequest,
  exportSource,
  findExport,
  insertExport,
  listsPeople,
  mayExport,
} from './lists.exports.queries.ts'

const { bulk, exports } = actions.lists
const types = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export const listsActions = actions.lists.router({
  bulk: {
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
    undo: bulk.undo.handler(({ input, context }) => context.inTx((db) => undoBulk(db, context, bulkSteps, input.jobId))),
  },

  exports: {
    create: exports.create.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const total = await admit(db, input)
        const { actor, services } = context
        if (listsPeople(input.list)) await services.reading.check(actor, total ?? xlsxRowLimit + 1)
        const jobId = await beginJob(db, actor, { kind: 'export', title: `Export of ${input.list.replace('_', ' ')}`, total })
        const exportId = await insertExport(db, actor, jobId, input)
        await services.jobs.send(db, 'exports', { orgId: actor.orgId, accountId: actor.accountId, exportId })
        const { rows } = await db.executeQuery(exportQuery(exportId).compile())
        return mustFind(rows[0]).item
      }),
    ),

    cancel: exports.cancel.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const asked = mustFind(await findExport(db, input.exportId))
        await cancelJob(db, asked.jobId)
        const { rows } = await db.executeQuery(exportQuery(asked.id).compile())
        return mustFind(rows[0]).item
      }),
    ),

    download: exports.download.handler(async ({ input, context }) => {
      const asked = mustFind(await context.inTx((db) => findExport(db, input.exportId)))
      if (asked.expired) throw problem('GONE', { reason: 'expired', detail: 'This file is no longer kept; export the list again.' })
      const { files } = context.services
      const size = asked.fileKey ? await files.size(asked.fileKey) : null
      if (!asked.fileKey || size === null) throw problem('CONFLICT', { reason: 'not_ready', detail: 'The file is not ready yet.' })
      const mayHave = () => context.inTx(async (db) => mayExport(db, await exportSource(db, asked.list), exportRequest(asked)))
      if (!(await mayHave())) throw problem('FORBIDDEN', { reason: 'export', detail: 'You may not export this list any more.' })
      context.whileAllowed(mayHave)
      context.setHeader('cache-control', 'private, no-store')
      const type = types[asked.format]
      const name = `${asked.list.replace('_', '-')}-${asked.createdAt.slice(0, 10)}.${asked.format}`
      return new StoredContent(files, asked.fileKey, { name, type, size })
    }),
  },
})

/** Refuses what may not or cannot be exported; answers how many rows it will be, where that is known. */
async function admit(db: ActorDb, input: NewExport): Promise<number | null> {
  const source = await exportSource(db, input.list)
  const unknown = input.columns.find((key) => !source.fields.some((field) => field.key === key))
  if (unknown !== undefined) throw problem('BAD_REQUEST', fault('columns', 'columns', `There is no column “${unknown}”.`))
  const limit = xlsxRowLimit + 1
  source.rows(input)
  if (!(await mayExport(db, source, input))) throw problem('FORBIDDEN', { reason: 'export', detail: 'You may not export this list.' })
  const total = await countRows(db, source, input, limit)
  if (total > exportReasonAbove && !input.reason)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('reason', 'export_reason_needed', `Say what more than ${exportReasonAbove.toLocaleString('en')} rows are for.`, {
        params: { above: exportReasonAbove },
      }),
    )
  if (input.format === 'xlsx' && total > xlsxRowLimit)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault(
        'format',
        'export_too_many_rows',
        `A workbook holds up to ${xlsxRowLimit.toLocaleString('en')} rows here; choose CSV or narrow the list down.`,
        { params: { max: xlsxRowLimit } },
      ),
    )
  if (input.format === 'pdf' && total > pdfRowLimit)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault(
        'format',
        'export_too_many_rows_to_print',
        `A PDF holds up to ${pdfRowLimit.toLocaleString('en')} rows here; choose CSV or narrow the list down.`,
        { params: { max: pdfRowLimit } },
      ),
    )
  if (input.format === 'pdf' && input.columns.length > pdfColumnLimit)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('columns', 'export_too_many_columns', `A PDF has room for ${pdfColumnLimit} columns; choose fewer.`, {
        params: { max: pdfColumnLimit },
      }),
    )
  return total < limit ? total : null
}
