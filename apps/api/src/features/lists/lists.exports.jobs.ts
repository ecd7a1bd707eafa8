import type { Actor, ActorDb } from '@guildhall/db'
import { findJob, isUnderWay, jobActor, lockJob, noteJob } from '../../platform/jobs/job-progress.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { failureOf, toProblem } from '../../platform/procedures/problem.ts'
import type { Services } from '../../platform/services.ts'
import { csvTable, xlsxTable } from '../../platform/files/table-writer.ts'
import type { Cell } from '../../platform/files/table-writer.ts'
import { letterheadOf } from '../../platform/public-pages/brand.ts'
import { pdfTable } from './lists.exports.pdf.jobs.ts'
import { exportRequest, exportSource, findExport, finishExport, listsPeople, readRows, rowIds } from './lists.exports.queries.ts'
import type { StoredExport } from './lists.exports.queries.ts'

const pageRows = 1_000
/** Bytes of an id in the packed list. */
const idBytes = 16
const patient = { statementTimeoutMs: 120_000 }

/** Writes the file of an export, as the account that asked for it and with the rights it has now. */
export const exportJob =
  (services: Services): JobHandler =>
  async ({ orgId = '', accountId = '', exportId = '' }, { signal }) => {
    const { database, log } = services
    const actor = await jobActor(database, orgId, accountId)
    if (!actor) return log.warn({ exportId }, 'an export was given up: its account may no longer act')
    const asked = await database.asActor(actor, (db) => findExport(db, exportId))
    if (!asked || asked.fileKey) return
    const wanted = async (db: ActorDb) => {
      const job = await findJob(db, asked.jobId)
      if (!job || !isUnderWay(job)) throw new NoLongerWanted()
    }
    try {
      await writeExport(services, actor, asked, wanted, signal)
    } catch (error) {
      if (error instanceof NoLongerWanted) return
      const expected = toProblem(error)
      if (!expected || expected.status >= 500) throw error
      await database.asActor(actor, (db) => noteJob(db, asked.jobId, { status: 'failed', error: failureOf(expected) }))
    }
  }

/** Its owner cancelled it. */
class NoLongerWanted extends Error {}

async function writeExport(
  { database, files, reading }: Services,
  actor: Actor,
  asked: StoredExport,
  wanted: (db: ActorDb) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const spec = exportRequest(asked)
  const source = await database.asActor(actor, (db) => exportSource(db, asked.list), patient)
  const fields = spec.columns.flatMap((key) => source.fields.filter((field) => field.key === key))
  const as = <T>(run: (db: ActorDb) => Promise<T>) => database.asActor(actor, run, patient)
  const ids = await as(async (db) => {
    await wanted(db)
    return rowIds(db, source, spec)
  })
  const total = ids.length / idBytes
  // As they are read, not when the file is fetched: the same file again is nothing new.
  if (listsPeople(asked.list)) await reading.take(actor, total)
  await as(async (db) => {
    await lockJob(db, asked.jobId)
    await wanted(db)
    await noteJob(db, asked.jobId, { status: 'running', total, done: 0 })
  })
  let rows = 0

  async function* pages(): AsyncGenerator<Cell[][]> {
    for (let from = 0; from < total; from += pageRows) {
      if (signal.aborted) throw new Error('The worker is stopping; the export begins again elsewhere.')
      const page = await as(async (db) => {
        await wanted(db)
        const read = await readRows(db, source, spec, fields, unpack(ids, from, Math.min(from + pageRows, total)))
        await noteJob(db, asked.jobId, { done: Math.min(from + pageRows, total) })
        return read
      })
      rows += page.length
      yield page
    }
  }

  const key = `exports/${asked.id}.${asked.format}`
  const content = {
    csv: async () => csvTable(fields, pages()),
    xlsx: async () => xlsxTable(fields, pages()),
    pdf: async () => pdfTable(await as((db) => letterheadOf(db, actor.orgId)), asked.list, fields, pages()),
  }
  await files.write(key, await content[asked.format]())
  await as(async (db) => {
    await lockJob(db, asked.jobId)
    await wanted(db)
    await finishExport(db, asked, key, rows, spec.columns)
    await noteJob(db, asked.jobId, { status: 'done', done: total, result: { exportId: asked.id, rows } })
  })
}

function unpack(ids: Buffer, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => {
    const hex = ids.toString('hex', (from + i) * idBytes, (from + i + 1) * idBytes)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  })
}
