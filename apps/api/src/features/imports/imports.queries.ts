import type {
  ImportChangeCount,
  ImportColumn,
  ImportCounts,
  ImportFinding,
  ImportFormat,
  ImportKind,
  ImportOptions,
  ImportSheet,
  ImportPhase,
  ImportStatus,
  UndoCounts,
} from '@guildhall/contract/features/imports'
import type { Failure } from '@guildhall/contract/reasons'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'

/** The different values of a column and in how many rows they stand; `whole` when all rows were read. */
export type ColumnValues = { index: number; whole: boolean; values: { value: string; key: string; rows: number }[] }

/** What was seen in the file when it was last read; kept so that opening the page reads no file. */
export type Preview = {
  columns: Omit<ImportColumn, 'target'>[]
  sample: string[][]
  findings: ImportFinding[]
  sheets: ImportSheet[]
  savedMapping: { id: string; name: string } | null
  /** Columns that hold garbled letters beside sound ones. */
  mixed?: number[]
  /** Values of columns that have few different ones, for closed lists. */
  values?: ColumnValues[]
}

export type StoredImport = {
  id: string
  kind: ImportKind
  fileName: string
  fileSize: number
  fileHash: string
  format: ImportFormat
  mapping: string[]
  options: ImportOptions
  preview: Preview
  status: ImportStatus
  rowsTotal: number | null
  counts: { check?: ImportCounts; run?: ImportCounts; undo?: UndoCounts; kinds?: Partial<Record<ImportPhase, ImportChangeCount[]>> }
  error: Failure | null
  checkJobId: string | null
  runJobId: string | null
  undoJobId: string | null
  tagId: string | null
  createdBy: string
  finishedAt: string | null
  version: number
}

const stored = sql`
  i.id, i.kind, i.file_name as "fileName", i.file_size as "fileSize", i.file_hash as "fileHash", i.format, i.mapping, i.options, i.preview, i.status,
  i.rows_total as "rowsTotal", i.counts, i.error, i.check_job_id as "checkJobId", i.run_job_id as "runJobId", i.undo_job_id as "undoJobId",
  i.tag_id as "tagId", i.created_by as "createdBy", i.finished_at as "finishedAt", i.version`

export async function findImport(db: ActorDb, orgId: string, importId: string): Promise<StoredImport | undefined> {
  const { rows } =
    await sql<StoredImport>`select ${stored} from app.imports i where i.org_id = ${orgId}::uuid and i.id = ${importId}::uuid`.execute(db)
  return rows[0]
}

/** The same, held until the transaction ends: whoever works on an import does it alone. */
export async function lockImport(db: ActorDb, orgId: string, importId: string): Promise<StoredImport | undefined> {
  const { rows } =
    await sql<StoredImport>`select ${stored} from app.imports i where i.org_id = ${orgId}::uuid and i.id = ${importId}::uuid for update`.execute(
      db,
    )
  return rows[0]
}

export type NewImport = {
  id: string
  kind: ImportKind
  fileName: string
  fileSize: number
  fileHash: string
  fileKey: string
  format: ImportFormat
  mapping: string[]
  options: ImportOptions
  preview: Preview
}

export async function insertImport(db: ActorDb, orgId: string, accountId: string, one: NewImport): Promise<void> {
  await sql`
    insert into app.imports (org_id, id, kind, file_name, file_size, file_hash, file_key, format, mapping, options, preview, created_by)
    values (${orgId}::uuid, ${one.id}::uuid, ${one.kind}, ${one.fileName}, ${one.fileSize}, ${one.fileHash}, ${one.fileKey}, ${JSON.stringify(one.format)}::jsonb,
      ${JSON.stringify(one.mapping)}::jsonb, ${JSON.stringify(one.options)}::jsonb, ${JSON.stringify(one.preview)}::jsonb, ${accountId}::uuid)`.execute(
    db,
  )
}

/** Changes how a file is read, unless someone else did meanwhile; a check made before no longer counts. */
export async function configureImport(
  db: ActorDb,
  orgId: string,
  importId: string,
  version: number,
  change: Pick<StoredImport, 'format' | 'mapping' | 'options' | 'preview'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update app.imports i set format = ${JSON.stringify(change.format)}::jsonb, mapping = ${JSON.stringify(change.mapping)}::jsonb,
      options = ${JSON.stringify(change.options)}::jsonb, preview = ${JSON.stringify(change.preview)}::jsonb,
      status = 'uploaded', counts = '{}', rows_total = null, error = null
    where i.org_id = ${orgId}::uuid and i.id = ${importId}::uuid and i.version = ${version} and i.status in ('uploaded', 'checked')`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}

export type ImportChange = {
  status?: ImportStatus
  rowsTotal?: number | null
  counts?: StoredImport['counts']
  preview?: Preview
  error?: Failure | null
  checkJobId?: string
  runJobId?: string
  undoJobId?: string
  tagId?: string
  finished?: boolean
}

/** Sets what is given and leaves the rest. */
export async function updateImport(db: ActorDb, orgId: string, importId: string, change: ImportChange): Promise<void> {
  const { counts, preview, finished, error, ...same } = change
  const set = {
    ...columnsOf('app.imports', same),
    ...(counts && { counts: JSON.stringify(counts) }),
    ...(preview && { preview: JSON.stringify(preview) }),
    ...(error === undefined ? {} : { error: error && JSON.stringify(error) }),
    ...(finished && { finished_at: sql<string>`now()` }),
  }
  await db.updateTable('app.imports').set(set).where('org_id', '=', orgId).where('id', '=', importId).execute()
}

/** Another import of the same content that is running now, if any. */
export async function runningTwin(db: ActorDb, orgId: string, one: StoredImport): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select i.id from app.imports i where i.org_id = ${orgId}::uuid and i.kind = ${one.kind} and i.file_hash = ${one.fileHash} and i.id <> ${one.id}::uuid
      and i.status = 'running' limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Keeps two imports of the same content from starting at once; held until the transaction ends. */
export async function lockContent(db: ActorDb, orgId: string, fileHash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import:${orgId}:${fileHash}`}, 0))`.execute(db)
}

/** The actor's permissions and how far they reach, and the organisation's day. */
export async function readReach(
  db: ActorDb,
): Promise<{ today: string; rows: { permission: string; everywhere: boolean; chapters: string[]; groups: string[] }[] }> {
  const { rows } = await sql<{ permission: string; everywhere: boolean; chapters: string[]; groups: string[] }>`
    select permission, everywhere, chapters, groups from app.permissions()`.execute(db)
  const day = await sql<{ today: string }>`select app.today() as today`.execute(db)
  return { today: day.rows[0]?.today ?? '', rows }
}

export async function recordImport(db: ActorDb, action: 'import' | 'undo', one: StoredImport, counts: unknown): Promise<void> {
  await sql`select app.record_audit(${action}, 'imports', ${one.id}::uuid, ${JSON.stringify({ kind: one.kind, file: one.fileName, rows: counts })}::jsonb)`.execute(
    db,
  )
}

/** A point to come back to when one row of many fails. */
export const savepoint = (db: ActorDb) => sql`savepoint one_row`.execute(db)
export const rollbackToSavepoint = (db: ActorDb) => sql`rollback to savepoint one_row`.execute(db)
export const releaseSavepoint = (db: ActorDb) => sql`release savepoint one_row`.execute(db)
