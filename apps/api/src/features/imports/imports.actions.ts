import { Readable } from 'node:stream'
import { ImportOptions, importLimits } from '@guildhall/contract/features/imports'
import type { ImportKind } from '@guildhall/contract/features/imports'
import type { PlainReason } from '@guildhall/contract/reasons'
import type { ActorDb } from '@guildhall/db'
import { beginJob, noteJob } from '../../platform/jobs/job-progress.ts'
import { StoredContent } from '../../platform/files/files.ts'
import { newId } from '../../platform/records/new-id.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { currentFindings, mappingFaults, safeFileName, stillMissing } from './mapping/imports.analysis.rules.ts'
import { foldHeader, headerKey } from './mapping/imports.columns.rules.ts'
import { readImport } from './imports.data.ts'
import { fileKeys } from './reading/imports.file.jobs.ts'
import { acceptChanges } from './running/imports.ledger.queries.ts'
import { saveMapping, savedMappings } from './mapping/imports.mappings.queries.ts'
import {
  configureImport,
  findImport,
  insertImport,
  lockContent,
  lockImport,
  readReach,
  runningTwin,
  updateImport,
} from './imports.queries.ts'
import type { StoredImport } from './imports.queries.ts'
import { ownFields } from './planning/imports.fields.jobs.ts'
import { lookAt, storeFile } from './reading/imports.upload.jobs.ts'

const { imports } = actions

export const importsActions = imports.router({
  upload: imports.upload.handler(async ({ input, context }) => {
    const reach = await context.inTx(readReach)
    // Before anything is stored; the database says the same again when the import is noted.
    if (!reach.rows.some(({ permission }) => permission === 'people.import'))
      throw problem('FORBIDDEN', { reason: 'import_not_allowed', detail: 'You may not import files.' })
    const id = newId()
    const { content, fileName } = await contentOf(context, input)
    try {
      await takeIn(context, id, input.kind, fileName, content)
    } catch (error) {
      for (const key of Object.values(fileKeys(id))) await context.services.files.remove(key)
      throw error
    }
    return readImport(context, id)
  }),

  configure: imports.configure.handler(async ({ input, context }) => {
    const { files } = context.services
    const one = mustFind(await context.inTx((db) => findImport(db, context.actor.orgId, input.importId)))
    if (one.status !== 'uploaded' && one.status !== 'checked')
      throw problem('CONFLICT', {
        reason: 'import_started',
        detail: 'This import was started; upload the file again to read it another way.',
      })
    const given = Object.fromEntries(Object.entries(input.format ?? {}).filter(([, value]) => value !== undefined))
    const rereads = ['encoding', 'separator', 'headerRow', 'sheet', 'garbled'].some((key) => key in given)
    const looked = rereads
      ? await lookAt(
          files,
          one.id,
          one.kind,
          { ...one.format, sure: true },
          {
            encoding: one.format.encoding,
            separator: one.format.separator,
            headerRow: one.format.headerRow,
            sheet: one.format.sheet,
            ...(one.format.dateOrder ? { dateOrder: one.format.dateOrder } : {}),
            ...(one.format.garbled ? { garbled: one.format.garbled } : {}),
            ...given,
          },
          await context.inTx((db) => ownFields(db, one.kind)),
        )
      : { format: { ...one.format, ...given }, preview: one.preview, mapping: one.mapping }
    const sameHeaders =
      headerKey(looked.preview.columns.map(({ header }) => header)) === headerKey(one.preview.columns.map(({ header }) => header))
    const mapping = input.mapping ?? (sameHeaders ? one.mapping : looked.mapping)
    const options = ImportOptions.parse({ ...one.options, ...input.options })
    const errors = mappingFaults(one.kind, mapping, looked.preview.columns.length, options)
    if (errors.length > 0) throw problem('UNPROCESSABLE_CONTENT', { reason: 'mapping', errors, detail: errors[0]?.message ?? '' })

    const changed = await context.inTx(async (db) => {
      const isChanged = await configureImport(db, context.actor.orgId, one.id, context.ifMatch, {
        format: looked.format,
        mapping,
        options,
        preview: looked.preview,
      })
      if (isChanged && input.saveMappingAs)
        await saveMapping(
          db,
          context.actor.orgId,
          context.actor.accountId,
          one.kind,
          input.saveMappingAs,
          looked.preview.columns.map(({ header }) => header),
          mapping,
          options.values,
        )
      return isChanged
    })
    await mustTouch(changed, () => readImport(context, one.id), context.ifMatch)
    return readImport(context, one.id)
  }),

  check: imports.check.handler(async ({ input, context }) => {
    await start(context, input.importId, 'check', async (db, one) => {
      if (one.status !== 'uploaded' && one.status !== 'checked') throw conflict('import_started', 'This import was already started.')
      refuseUnready(one, await readReach(db))
      const { check: _forgotten, kinds: _kinds, ...counts } = one.counts
      return { status: 'checking', counts }
    })
    return readImport(context, input.importId)
  }),

  accept: imports.accept.handler(async ({ input, context }) => {
    const { orgId } = context.actor
    await context.inTx(async (db) => {
      const one = mustFind(await lockImport(db, orgId, input.importId))
      const { check } = one.counts
      if (one.status !== 'checked' || !check) throw conflict('check_first', 'Check the file first; the check says what would change.')
      const accepted = await acceptChanges(db, orgId, one.id, check, input.lines ?? null)
      const counts = { ...one.counts, check: accepted.counts }
      await updateImport(
        db,
        orgId,
        one.id,
        accepted.forgotten > 0 ? { counts, ...(await begin(db, context, one, 'check')), status: 'checking' } : { counts },
      )
    })
    return readImport(context, input.importId)
  }),

  run: imports.run.handler(async ({ input, context }) => {
    await start(context, input.importId, 'run', async (db, one) => {
      if (one.status === 'uploaded' || one.status === 'checking')
        throw conflict('check_first', 'Check the file first; the check says what would happen.')
      if (one.status !== 'checked' && one.status !== 'cancelled' && one.status !== 'failed')
        throw one.status === 'running'
          ? conflict('import_running', 'This import is already running.')
          : conflict('import_over', 'This import is over; upload the file again to import it again.')
      await lockContent(db, context.actor.orgId, one.fileHash)
      if (await runningTwin(db, context.actor.orgId, one))
        throw conflict(
          'same_file_running',
          'The same file is being imported just now. Wait until that is done; this import will then find everything there.',
        )
      return { status: 'running' }
    })
    return readImport(context, input.importId)
  }),

  cancel: imports.cancel.handler(async ({ input, context }) => {
    await context.inTx(async (db) => {
      const one = mustFind(await lockImport(db, context.actor.orgId, input.importId))
      if (one.status !== 'checking' && one.status !== 'running') throw conflict('not_running', 'This import is not under way.')
      const checking = one.status === 'checking'
      await updateImport(db, context.actor.orgId, one.id, { status: checking ? 'uploaded' : 'cancelled', finished: !checking })
      const jobId = checking ? one.checkJobId : one.runJobId
      if (jobId) await noteJob(db, jobId, { status: 'cancelled' })
    })
    return readImport(context, input.importId)
  }),

  undo: imports.undo.handler(async ({ input, context }) => {
    const until = (await readImport(context, input.importId)).undoUntil
    await start(context, input.importId, 'undo', async (_db, one) => {
      if (one.status === 'undoing' || one.status === 'undone')
        throw conflict('import_undone', 'This import was already undone, or is being undone.')
      if (!undoable.has(one.status)) throw conflict('not_run', 'This import did nothing that could be undone.')
      if (until === null) throw problem('CONFLICT', tooLate)
      // What is left of an earlier undo is counted anew.
      const { undo: _former, ...counts } = one.counts
      return { status: 'undoing', counts }
    })
    return readImport(context, input.importId)
  }),

  errors: imports.errors.handler(async ({ input, context }) => {
    const one = await readImport(context, input.importId)
    const key = fileKeys(one.id).errors
    const { files } = context.services
    const size = await files.size(key)
    if (size === null)
      throw problem('NOT_FOUND', { reason: 'no_errors', detail: 'No row was rejected, or the import was not checked yet.' })
    const name = `${one.fileName.replace(/\.[a-z0-9]{1,5}$/i, '')}-errors.csv`
    return new StoredContent(files, key, { name, type: 'text/csv; charset=utf-8', size })
  }),
})

const undoable: ReadonlySet<string> = new Set(['done', 'cancelled', 'failed', 'partly_undone'])
const tooLate = {
  reason: 'undo_too_late',
  detail: `An import can be undone for ${importLimits.undoDays} days.`,
  params: { days: importLimits.undoDays },
} as const
const conflict = (reason: PlainReason, detail: string) => problem('CONFLICT', { reason, detail })

/** Pasted text, or the file part of a multipart request, as a stream. */
async function contentOf(
  context: CallerContext,
  input: { text?: string | undefined; fileName?: string | undefined },
): Promise<{ content: Readable; fileName: string }> {
  if (input.text !== undefined)
    return { content: Readable.from([Buffer.from(input.text)]), fileName: safeFileName(input.fileName, 'pasted.csv') }
  const part = await context.upload()
  if (!part)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('file', 'no_file', 'Choose a file.', { detail: 'Send a file in a part named "file", or rows as "text".' }),
    )
  return { content: part.content, fileName: safeFileName(input.fileName ?? part.fileName, 'file.csv') }
}

async function takeIn(context: CallerContext, id: string, kind: ImportKind, fileName: string, content: Readable): Promise<void> {
  const { files } = context.services
  const { orgId, accountId } = context.actor
  const { size, hash, sniffed } = await storeFile(files, id, content)
  const seen = sniffed.type === 'xlsx' ? ({ type: 'xlsx', encoding: 'utf-8', sure: true } as const) : sniffed
  const { format, preview, mapping } = await lookAt(files, id, kind, seen, {}, await context.inTx((db) => ownFields(db, kind)))
  const headers = preview.columns.map(({ header }) => header)
  await context.inTx(async (db) => {
    // Columns without names are the same in every file: nothing was ever said about these.
    const named = headers.some((header) => foldHeader(header) !== '')
    const saved = (await savedMappings(db, kind)).find((one) => named && headerKey(one.headers) === headerKey(headers))
    const options = ImportOptions.parse({
      ...(saved ? { values: saved.values } : {}),
      tag: kind === 'people' ? `Import ${new Date().toISOString().slice(0, 10)} ${fileName}`.slice(0, 60) : null,
    })
    await insertImport(db, orgId, accountId, {
      id,
      kind,
      fileName,
      fileSize: size,
      fileHash: hash,
      fileKey: fileKeys(id).source,
      format,
      mapping: saved ? saved.mapping : mapping,
      options,
      preview: { ...preview, savedMapping: saved ? { id: saved.id, name: saved.name } : null },
    })
  })
}

/** A check begins only where nothing about the file as a whole stands in its way. */
function refuseUnready(one: StoredImport, reach: { rows: readonly { permission: string }[] }) {
  const sensitive = reach.rows.some(({ permission }) => permission === 'people.sensitive')
  const blocking = currentFindings(one, sensitive).find(({ level }) => level === 'error')
  if (blocking) throw problem('UNPROCESSABLE_CONTENT', { reason: 'findings_first', detail: `${blocking.message} ${blocking.fix}` })
  const missing = stillMissing(one)
  if (missing.length > 0) {
    throw problem('UNPROCESSABLE_CONTENT', {
      reason: 'fields_missing',
      detail: `Choose a column for ${missing.map((choice) => choice.join(' or ')).join(', ')}.`,
      errors: missing.map((choice) => ({
        path: 'mapping',
        code: 'fields_missing' as const,
        message: `Choose a column for ${choice.join(' or ')}.`,
      })),
    })
  }
}

const jobs = { check: 'import_check', run: 'import_run', undo: 'import_undo' } as const
const titles = { check: 'Checking', run: 'Importing', undo: 'Undoing' } as const
const jobColumns = { check: 'checkJobId', run: 'runJobId', undo: 'undoJobId' } as const

/** Status, progress and the queue's message in one transaction: the work exists exactly when the import says so. */
async function start(
  context: CallerContext,
  importId: string,
  phase: keyof typeof jobs,
  allow: (db: ActorDb, one: StoredImport) => Promise<Parameters<typeof updateImport>[3]>,
): Promise<void> {
  const { orgId } = context.actor
  await context.inTx(async (db) => {
    const one = mustFind(await lockImport(db, orgId, importId))
    const change = await allow(db, one)
    await updateImport(db, orgId, importId, { ...change, error: null, ...(await begin(db, context, one, phase)) })
  })
}

/** Sends the work of a phase off; the import is to note its job in the same transaction. */
async function begin(db: ActorDb, context: CallerContext, one: StoredImport, phase: keyof typeof jobs) {
  const { orgId, accountId } = context.actor
  const jobId = await beginJob(db, context.actor, { kind: jobs[phase], title: `${titles[phase]} ${one.fileName}`, total: one.rowsTotal })
  await context.services.jobs.send(db, 'imports', { orgId, accountId, importId: one.id, phase })
  return { [jobColumns[phase]]: jobId }
}
