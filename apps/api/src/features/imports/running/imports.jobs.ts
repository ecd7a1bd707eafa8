import type { ImportCounts, UndoCounts } from '@guildhall/contract/features/imports'
import type { Failure } from '@guildhall/contract/reasons'
import type { Actor, ActorDb } from '@guildhall/db'
import { jobActor, noteJob } from '../../../platform/jobs/job-progress.ts'
import { failureOf } from '../../../platform/procedures/problem.ts'
import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import { notify } from '../../../platform/notify.ts'
import type { Services } from '../../../platform/services.ts'
import type { Importable } from '../planning/imports.kinds.rules.ts'
import { mappedOf, workChunk } from './imports.chunks.jobs.ts'
import type { Pass, ReadRow } from './imports.chunks.jobs.ts'
import { readDraft } from '../planning/imports.drafts.rules.ts'
import { writeErrorFile } from './imports.errors.jobs.ts'
import { ownFields } from '../planning/imports.fields.jobs.ts'
import { isPassing, isRowFault } from './imports.faults.rules.ts'
import { FileFault, fileGone, isTree, readRows, readTree, rowsKey } from '../reading/imports.file.jobs.ts'
import { refusedFile } from '../reading/imports.upload.jobs.ts'
import {
  countKinds,
  countLedger,
  findDoubles,
  forgetCheck,
  forgetHeld,
  isHeld,
  linesToMerge,
  lastStep,
  noCounts,
  noUndo,
  rejectedRows,
} from './imports.ledger.queries.ts'
import { findImport, lockImport, recordImport, updateImport } from '../imports.queries.ts'
import type { Preview, StoredImport } from '../imports.queries.ts'
import { createTally } from './imports.tally.rules.ts'
import { undoChunk } from './imports.undo.jobs.ts'

const chunkSize = 500
/** Rights may be taken away while a job runs: it learns of it after at most this long. */
const actorFor = 4_000

export type Work = { importable: Importable; orgId: string; accountId: string; importId: string; phase: 'check' | 'run' | 'undo' }
export type WorkOptions = {
  /** False only in the control of the kill test: without the ledger a restart begins anew. */
  ledger?: boolean
  onProgress?: (done: number, total: number | null) => void
}

const busy = { check: 'checking', run: 'running', undo: 'undoing' } as const

/** Works on checks, runs and undos. A job that was cut off is taken up by another worker, which goes on where the ledger ends. */
export const importJobs =
  (services: Services, importable: Importable, options: WorkOptions = {}): JobHandler =>
  async ({ orgId = '', accountId = '', importId = '', phase = '' }, { signal }) => {
    if (phase !== 'check' && phase !== 'run' && phase !== 'undo') throw new Error(`imports have no phase ${phase}`)
    await workImport(services, { importable, orgId, accountId, importId, phase }, signal, options)
  }

/** Brings one phase of one import to its end, or throws what another try may mend. */
export async function workImport(services: Services, work: Work, signal: AbortSignal, options: WorkOptions = {}): Promise<void> {
  const inTx = await transactions(services, work)
  if (!inTx) return
  const one = await inTx((db) => findImport(db, work.orgId, work.importId))
  if (!one || one.status !== busy[work.phase]) return
  try {
    const finished =
      work.phase === 'undo'
        ? await undoAll(work, one, inTx, signal)
        : await passThrough(services, { ...work, phase: work.phase }, one, inTx, signal, options)
    if (finished) await inTx((db) => finish(db, work))
  } catch (error) {
    if (error instanceof Revoked) return
    if (!(error instanceof FileFault) && (isPassing(error) || signal.aborted)) throw error
    if (!(error instanceof FileFault)) services.log.error({ err: error, import: work.importId }, 'an import stopped')
    await inTx((db) => fail(db, work, error instanceof FileFault ? failureOf(refusedFile(error.why)) : stopped))
  }
}

const stopped: Failure = {
  reason: 'import_stopped',
  detail: 'Something went wrong here. What was done so far is kept; you can go on or undo it.',
}

class Revoked extends Error {}
type InTx = <T>(run: (db: ActorDb) => Promise<T>) => Promise<T>

/** Transactions as the account that asked for the work, with the rights it has now; null when it may no longer act. */
async function transactions(services: Services, { orgId, accountId, importId }: Work): Promise<InTx | null> {
  const { database } = services
  let actor: Actor | null = await jobActor(database, orgId, accountId)
  let since = performance.now()
  if (!actor) return null
  return async (run) => {
    if (performance.now() - since > actorFor) {
      actor = await jobActor(database, orgId, accountId)
      since = performance.now()
    }
    if (!actor) throw new Revoked()
    return database.asActor(actor, run, { via: `import:${importId}`, statementTimeoutMs: 60_000 })
  }
}

async function passThrough(
  services: Services,
  work: Work & { phase: 'check' | 'run' },
  one: StoredImport,
  inTx: InTx,
  signal: AbortSignal,
  options: WorkOptions,
): Promise<boolean> {
  const { files } = services
  const { orgId, importId, phase } = work
  if ((await files.size(rowsKey(importId, one.format))) === null) throw fileGone
  // The whole file is read once before the first row counts: a fault in its structure must not leave half an import.
  const known = phase === 'run' ? one.rowsTotal : null
  const { total, preview } = known === null ? await lookThrough(services, one) : { total: known, preview: one.preview }
  if (phase === 'check' && !one.counts.check) while (await inTx((db) => forgetCheck(db, orgId, importId)));
  await inTx((db) => begin(db, work, one, total, preview))
  // Of a tree some lines may be looked at again, wherever they stand in the order of work.
  const start = options.ledger === false || isTree(one.kind) ? 0 : await inTx((db) => lastStep(db, orgId, importId, phase))
  const { rows, tree } = isTree(one.kind)
    ? await readTree(files, importId, one.format, one.mapping)
    : { rows: readRows(files, importId, one.format), tree: null }
  const own = await inTx((db) => ownFields(db, one.kind, one.mapping))
  const pass: Pass = { ...work, tree, ledger: options.ledger !== false, merging: false, own }

  const mapped = mappedOf({ ...one, preview }, own)
  const write = async (chunk: readonly ReadRow[]): Promise<boolean> => {
    signal.throwIfAborted()
    const counts = await inTx((db) => workChunk(db, pass, chunk, false)).catch((error: unknown) => {
      if (!isRowFault(error)) throw error
      return inTx((db) => workChunk(db, pass, chunk, true))
    })
    options.onProgress?.(chunk.at(-1)?.row.step ?? 0, total)
    return counts !== null
  }
  // While the database writes one chunk, the next is read here.
  let writing = Promise.resolve(true)
  try {
    let chunk: ReadRow[] = []
    for await (const row of rows) {
      if (row.step <= start) continue
      chunk.push({ row, draft: readDraft(row, mapped) })
      if (chunk.length < chunkSize) continue
      if (!(await writing)) return false
      writing = write(chunk)
      // What goes wrong is heard where it is waited for.
      writing.catch(() => undefined)
      chunk = []
    }
    if (!(await writing)) return false
    if (chunk.length > 0 && !(await write(chunk))) return false
  } finally {
    await writing.catch(() => undefined)
  }
  if (one.kind === 'people' && phase === 'check') await inTx((db) => findDoubles(db, orgId, importId, one.options.doubles))
  if (
    one.kind === 'people' &&
    phase === 'run' &&
    one.options.doubles === 'merge' &&
    !(await mergeDoubles(services, pass, one, inTx, signal))
  )
    return false
  await writeErrorFile(files, one, (after, limit) => inTx((db) => rejectedRows(db, orgId, importId, phase, after, limit)))
  return true
}

/** The second part of a run that merges: rows that mean someone whom an earlier row of the file made, one after another. */
async function mergeDoubles({ files }: Services, pass: Pass, one: StoredImport, inTx: InTx, signal: AbortSignal): Promise<boolean> {
  const page = (after: number) => inTx((db) => linesToMerge(db, pass.orgId, one.id, after, chunkSize))
  let waiting = await page(0)
  if (waiting.length === 0) return true
  const mapped = mappedOf(one, pass.own)
  let chunk: ReadRow[] = []
  for await (const row of readRows(files, one.id, one.format)) {
    if (row.line !== waiting[0]) continue
    signal.throwIfAborted()
    waiting.shift()
    chunk.push({ row, draft: readDraft(row, mapped) })
    if (waiting.length > 0) continue
    const rows = chunk
    // Singly: several rows may mean the same person, and each looks at what the one before left.
    if ((await inTx((db) => workChunk(db, { ...pass, merging: true }, rows, true))) === null) return false
    chunk = []
    waiting = await page(row.line)
    if (waiting.length === 0) break
  }
  return true
}

/** Reads the whole file once: how many rows it has, and what only the whole of a column can tell. */
async function lookThrough({ files }: Services, one: StoredImport): Promise<{ total: number; preview: Preview }> {
  let total = 0
  const tally = createTally(one)
  for await (const row of readRows(files, one.id, one.format)) {
    total = row.step
    tally.add(row.cells)
  }
  if (total === 0)
    throw new FileFault({
      reason: 'no_rows',
      message: 'This file has no rows below its header.',
      fix: 'Add rows, or choose another header row.',
    })
  return { total, preview: { ...one.preview, ...tally.result() } }
}

async function begin(
  db: ActorDb,
  { importable, orgId, importId, phase }: Work,
  one: StoredImport,
  total: number,
  preview: Preview,
): Promise<void> {
  const name = phase === 'run' && !one.tagId ? one.options.tag : null
  const tagId = name ? await importable.kinds[one.kind].ensureTag?.(db, orgId, name) : undefined
  // Counts of zero say that this phase has begun: what its ledger holds from now on is its own.
  await updateImport(db, orgId, importId, {
    rowsTotal: total,
    ...(phase === 'check' ? { preview } : {}),
    counts: { ...one.counts, [phase]: one.counts[phase] ?? noCounts },
    ...(tagId ? { tagId } : {}),
  })
  const jobId = phase === 'check' ? one.checkJobId : one.runJobId
  if (jobId) await noteJob(db, jobId, { status: 'running', total })
}

async function undoAll(work: Work, one: StoredImport, inTx: InTx, signal: AbortSignal): Promise<boolean> {
  const { orgId, importId } = work
  if (!one.counts.undo) {
    while (await inTx((db) => forgetHeld(db, orgId, importId)));
    // As with a check: counts say that this attempt has begun, and a worker that takes it up forgets nothing more.
    await inTx(async (db) => updateImport(db, orgId, importId, { counts: { ...one.counts, undo: noUndo } }))
  }
  let before = 2_147_483_647
  for (;;) {
    signal.throwIfAborted()
    const from = before
    const next = await inTx((db) => undoChunk(db, work, from, false)).catch((error: unknown) => {
      if (!isRowFault(error)) throw error
      return inTx((db) => undoChunk(db, work, from, true))
    })
    if (next === 'stopped') return false
    if (next === null) return true
    before = next
  }
}

/** The counts that stay are counted from the ledger itself. */
async function finish(db: ActorDb, { orgId, accountId, importId, phase }: Work): Promise<void> {
  const one = await lockImport(db, orgId, importId)
  if (!one || one.status !== busy[phase]) return
  const ledger = await countLedger(db, orgId, importId, phase)
  const counts: ImportCounts | UndoCounts = phase === 'undo' ? { ...noUndo, ...ledger } : { ...noCounts, ...ledger }
  const undone = phase === 'undo' && (await isHeld(db, orgId, importId)) ? 'partly_undone' : 'undone'
  const status = ({ check: 'checked', run: 'done', undo: undone } as const)[phase]
  const kinds = { ...one.counts.kinds, [phase]: await countKinds(db, orgId, importId, phase) }
  await updateImport(db, orgId, importId, {
    status,
    error: null,
    counts: { ...one.counts, [phase]: counts, kinds },
    finished: phase === 'run',
  })
  if (phase !== 'check') await recordImport(db, phase === 'run' ? 'import' : 'undo', one, counts)
  if (phase === 'run') await tellStarter(db, accountId, one, 'done')
  const jobId = jobOf(one, phase)
  if (jobId)
    await noteJob(db, jobId, { status: 'done', done: Object.values(counts).reduce((sum, rows) => sum + rows, 0), result: { ...counts } })
}

async function fail(db: ActorDb, { orgId, accountId, importId, phase }: Work, failure: Failure): Promise<void> {
  const one = await lockImport(db, orgId, importId)
  if (!one || one.status !== busy[phase]) return
  // A check that cannot be finished leaves a file to be mended; nothing was written. An undo can be gone on with.
  await updateImport(db, orgId, importId, {
    status: phase === 'check' ? 'uploaded' : phase === 'undo' ? 'partly_undone' : 'failed',
    error: failure,
    finished: phase === 'run',
  })
  if (phase === 'run') await tellStarter(db, accountId, one, 'failed')
  const jobId = jobOf(one, phase)
  if (jobId) await noteJob(db, jobId, { status: 'failed', error: failure })
}

const tellStarter = (db: ActorDb, accountId: string, one: StoredImport, outcome: 'done' | 'failed') =>
  notify(db, {
    kind: 'import-finished',
    to: { accountId },
    about: { recordId: one.id },
    params: { outcome, file: one.fileName },
    toSelf: true,
  })

const jobOf = (one: StoredImport, phase: Work['phase']) => ({ check: one.checkJobId, run: one.runJobId, undo: one.undoJobId })[phase]
