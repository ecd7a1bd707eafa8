import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { ImportOptions } from '@guildhall/contract/features/imports'
import type { ImportKind } from '@guildhall/contract/features/imports'
import type { Actor, ActorDb } from '@guildhall/db'
import type { Importable } from './planning/imports.kinds.rules.ts'
import { beginJob, jobActor, noteJob } from '../../platform/jobs/job-progress.ts'
import { newId } from '../../platform/records/new-id.ts'
import type { Services } from '../../platform/services.ts'
import { currentFindings, mappingFaults, safeFileName, stillMissing } from './mapping/imports.analysis.rules.ts'
import type { Given } from './mapping/imports.analysis.rules.ts'
import { foldHeader } from './mapping/imports.columns.rules.ts'
import { accountsByEmail } from './imports.command.queries.ts'
import { fileKeys } from './reading/imports.file.jobs.ts'
import { workImport } from './running/imports.jobs.ts'
import { acceptChanges, rejectedRows } from './running/imports.ledger.queries.ts'
import { findImport, insertImport, lockContent, lockImport, readReach, runningTwin, updateImport } from './imports.queries.ts'
import type { StoredImport } from './imports.queries.ts'
import { ownFields } from './planning/imports.fields.jobs.ts'
import { lookAt, storeFile } from './reading/imports.upload.jobs.ts'

/** The command line may bring larger files than a browser. */
const fileLimit = 2_000_000_000

export type CommandInput = {
  kind: ImportKind
  path: string
  email: string
  given: Given
  options: Partial<ImportOptions>
  /** Code of the chapter for rows that name none. */
  chapter?: string
  /** Header to field, where the guess is wrong. */
  map: Record<string, string>
}

/** The work of `guildhall import`: the same upload, check and run as over HTTP, in this process. */
export async function prepareImport(
  services: Services,
  { lookUps }: Importable,
  input: CommandInput,
): Promise<{ actor: Actor; one: StoredImport }> {
  const actor = await actorOf(services, input.email)
  const inTx = <T>(run: (db: ActorDb) => Promise<T>) => services.database.asActor(actor, run)
  const id = newId()
  const fileName = safeFileName(basename(input.path), 'file.csv')
  const { size, hash, sniffed } = await storeFile(services.files, id, createReadStream(input.path), fileLimit)
  const seen = sniffed.type === 'xlsx' ? ({ type: 'xlsx', encoding: 'utf-8', sure: true } as const) : sniffed
  const { format, preview, mapping } = await lookAt(
    services.files,
    id,
    input.kind,
    seen,
    input.given,
    await inTx((db) => ownFields(db, input.kind)),
  )
  const targets = preview.columns.map(({ header }, index) => input.map[foldHeader(header)] ?? mapping[index] ?? 'ignore')
  const mark = input.kind === 'people' ? `Import ${new Date().toISOString().slice(0, 10)} ${fileName}`.slice(0, 60) : null
  const chapter = input.chapter
    ? (await inTx((db) => lookUps.chapters(db, actor.orgId, [input.chapter ?? '']))).get(input.chapter)
    : undefined
  if (input.chapter && !chapter) throw new Error(`There is no chapter "${input.chapter}".`)
  const options = ImportOptions.parse({ tag: mark, ...(chapter ? { defaultChapterId: chapter.id } : {}), ...input.options })
  const faults = mappingFaults(input.kind, targets, preview.columns.length, options)
  if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'))
  await inTx((db) =>
    insertImport(db, actor.orgId, actor.accountId, {
      id,
      kind: input.kind,
      fileName,
      fileSize: size,
      fileHash: hash,
      fileKey: fileKeys(id).source,
      format,
      mapping: targets,
      options,
      preview,
    }),
  )
  const one = await inTx((db) => findImport(db, actor.orgId, id))
  if (!one) throw new Error('The import could not be noted.')
  const reach = await inTx(readReach)
  const blocking = currentFindings(
    one,
    reach.rows.some(({ permission }) => permission === 'people.sensitive'),
  ).filter(({ level }) => level === 'error')
  const missing = stillMissing(one).map((choice) => `Choose a column for ${choice.join(' or ')}: --map "HEADER=${choice[0] ?? ''}".`)
  if (blocking.length + missing.length > 0)
    throw new Error([...blocking.map(({ message, fix }) => `${message} ${fix}`), ...missing].join('\n'))
  return { actor, one }
}

async function actorOf({ database }: Services, email: string): Promise<Actor> {
  const accounts = await database.withoutActor((db) => accountsByEmail(db, email))
  if (accounts.length === 0) throw new Error(`No active account has the address ${email}. Sign in with it once, or name another with --as.`)
  if (accounts.length > 1) throw new Error(`Several accounts have the address ${email}; name another with --as.`)
  const [account] = accounts
  const actor = account ? await jobActor(database, account.orgId, account.accountId) : null
  if (!actor) throw new Error(`The account ${email} may not act.`)
  return actor
}

/** Accepts all that the check says about chapters that are there, and looks again at the rows that waited for it. */
export async function acceptHere(
  services: Services,
  importable: Importable,
  actor: Actor,
  { id }: Pick<StoredImport, 'id'>,
  signal: AbortSignal,
) {
  await services.database.asActor(actor, async (db) => {
    const one = await lockImport(db, actor.orgId, id)
    if (one?.counts.check) await acceptChanges(db, actor.orgId, id, one.counts.check, null)
  })
  return workHere(services, importable, actor, id, 'check', signal, () => undefined)
}

/** Checks or runs in this process and gives the import as it is then; an abort stops between two chunks and leaves it to be continued. */
export async function workHere(
  services: Services,
  importable: Importable,
  actor: Actor,
  importId: string,
  phase: 'check' | 'run',
  signal: AbortSignal,
  onProgress: (done: number, total: number | null) => void,
) {
  const { orgId, accountId } = actor
  const inTx = <T>(run: (db: ActorDb) => Promise<T>) => services.database.asActor(actor, run)
  await inTx(async (db) => {
    const one = await lockImport(db, orgId, importId)
    if (!one) throw new Error('The import is gone.')
    if (phase === 'run') {
      await lockContent(db, orgId, one.fileHash)
      if (await runningTwin(db, orgId, one)) throw new Error('The same file is being imported just now. Wait until that is done.')
    }
    const jobId = await beginJob(db, actor, {
      kind: phase === 'check' ? 'import_check' : 'import_run',
      title: `${phase === 'check' ? 'Checking' : 'Importing'} ${one.fileName}`,
    })
    await updateImport(
      db,
      orgId,
      importId,
      phase === 'check' ? { status: 'checking', checkJobId: jobId } : { status: 'running', runJobId: jobId },
    )
  })
  try {
    await workImport(services, { importable, orgId, accountId, importId, phase }, signal, { onProgress })
  } catch (error) {
    if (!signal.aborted) throw error
    await inTx(async (db) => {
      const one = await lockImport(db, orgId, importId)
      const jobId = phase === 'check' ? one?.checkJobId : one?.runJobId
      await updateImport(db, orgId, importId, { status: phase === 'check' ? 'uploaded' : 'cancelled', finished: phase === 'run' })
      if (jobId) await noteJob(db, jobId, { status: 'cancelled' })
    })
  }
  const one = await inTx((db) => findImport(db, orgId, importId))
  if (!one) throw new Error('The import is gone.')
  const rejected = await inTx((db) => rejectedRows(db, orgId, importId, phase, 0, 10))
  return { one, rejected }
}
