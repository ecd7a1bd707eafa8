import type { FiledRecord, PicturedRecord, StoredFile } from '@guildhall/contract/features/files'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { orNull, personRef } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

type Kept = { orgId: string; accountId: string }

const from = sql`from app.files f left join app.people p on p.org_id = f.org_id and p.id = f.added_by`
const item = sql<StoredFile>`json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'bytes', f.bytes, 'addedBy', ${orNull('p', personRef)},
  'createdAt', f.created_at, 'version', f.version)`

export const filesList = (recordType: FiledRecord, recordId: string): List<StoredFile> => ({
  key: ['files', recordType, recordId],
  item,
  from,
  where: [sql`f.record_type = ${recordType} and f.record_id = ${recordId} and f.use = 'attachment' and f.removed_at is null`],
  order: [sql`f.created_at`, sql`f.id`],
  descending: true,
})

export async function findFile(db: ActorDb, fileId: string): Promise<StoredFile | undefined> {
  const { rows } = await sql<{
    item: StoredFile
  }>`select ${item} as item ${from} where f.id = ${fileId} and f.use = 'attachment' and f.removed_at is null`.execute(db)
  return rows[0]?.item
}

export type Content = { id: string; orgId: string; name: string; type: string; bytes: number }
/** What is sent of a file that the caller sees. */
export const contentQuery = (fileId: string, use: 'attachment' | 'picture') =>
  statement(sql<Content>`select f.id, f.org_id as "orgId", f.name, f.type, f.bytes::float8 as bytes from app.files f
    where f.id = ${fileId} and f.use = ${use} and f.removed_at is null`)

const tables = {
  chapter: 'app.chapters',
  group: 'app.groups',
  event: 'app.events',
  campaign: 'app.campaigns',
  message_picture: 'app.message_pictures',
  person: 'app.people',
  organisation: 'app.organisations',
} as const

/** Whether the caller sees the record. */
export async function isThere(db: ActorDb, recordType: FiledRecord | PicturedRecord, recordId: string): Promise<boolean> {
  return (await db.selectFrom(tables[recordType]).select('id').where('id', '=', recordId).executeTakeFirst()) !== undefined
}

/** Whether the caller may change the record, which is what writing its files takes: only what may be changed can be locked. */
export async function isOpen(db: ActorDb, recordType: FiledRecord | PicturedRecord, recordId: string): Promise<boolean> {
  return (await db.selectFrom(tables[recordType]).select('id').where('id', '=', recordId).forKeyShare().executeTakeFirst()) !== undefined
}

/** How far the account is from its bounds, and how many files the record has. */
export async function readUse(db: ActorDb, recordType: string, recordId: string) {
  const { rows } = await sql<{ bytesToday: number; underWay: number; files: number }>`
    select u.bytes_today::float8 as "bytesToday", u.under_way as "underWay", (select count(*)::int from app.files f
      where f.record_type = ${recordType} and f.record_id = ${recordId} and f.use = 'attachment' and f.removed_at is null) as files
    from app.upload_use() u`.execute(db)
  return rows[0] ?? { bytesToday: 0, underWay: 0, files: 0 }
}

/** Noted before anything is stored: whatever becomes of the server, the sweep knows of it. */
export const noteUpload = (db: ActorDb, { orgId, accountId }: Kept, fileId: string) =>
  db.insertInto('app.loose_files').values({ org_id: orgId, file_id: fileId, created_by: accountId }).execute()
export const forgetUpload = (db: ActorDb, fileId: string) => db.deleteFrom('app.loose_files').where('file_id', '=', fileId).execute()

type NewFile = {
  id: string
  recordType: FiledRecord | PicturedRecord
  recordId: string
  use: 'attachment' | 'picture'
  name: string
  type: string
  bytes: number
}
export const insertFile = (db: ActorDb, { orgId, accountId }: Kept, { recordType, recordId, ...file }: NewFile) =>
  db
    .insertInto('app.files')
    .values({
      ...file,
      org_id: orgId,
      record_type: recordType,
      record_id: recordId,
      added_by: sql<string | null>`(select app.person_id())`,
      created_by: accountId,
    })
    .execute()

export const renameFile = (db: ActorDb, key: { id: string; version: number }, name: string) =>
  updateRecord(db, 'app.files', key, { name }, () => findFile(db, key.id))

const touched = ({ numUpdatedRows }: { numUpdatedRows: bigint }) => numUpdatedRows > 0n

export const removeFile = async (db: ActorDb, fileId: string) =>
  touched(
    await db
      .updateTable('app.files')
      .set({ removed_at: sql`now()` })
      .where('id', '=', fileId)
      .where('use', '=', 'attachment')
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
  )

/** One that is there already stays as it is. */
export async function restoreFile(db: ActorDb, fileId: string): Promise<boolean> {
  await db
    .updateTable('app.files')
    .set({ removed_at: null })
    .where('id', '=', fileId)
    .where('use', '=', 'attachment')
    .where('removed_at', 'is not', null)
    .execute()
  return (await findFile(db, fileId)) !== undefined
}

/** Events and campaigns have pictures to choose from; theirs is removed when none of them shows it. */
type OnePicture = Exclude<PicturedRecord, 'event' | 'campaign' | 'message_picture'>

export const removePicture = async (db: ActorDb, recordType: OnePicture, recordId: string) =>
  touched(
    await db
      .updateTable('app.files')
      .set({ removed_at: sql`now()` })
      .where('record_type', '=', recordType)
      .where('record_id', '=', recordId)
      .where('use', '=', 'picture')
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
  )

export const hasPicture = async (db: ActorDb, recordType: OnePicture, recordId: string) =>
  (await db
    .selectFrom('app.files')
    .select('id')
    .where('record_type', '=', recordType)
    .where('record_id', '=', recordId)
    .where('use', '=', 'picture')
    .where('removed_at', 'is', null)
    .executeTakeFirst()) !== undefined

// The sweep, which belongs to no account ------------------------------------------------------------------------------------------------

export async function dueFiles(db: Kysely<Schema>): Promise<{ orgId: string; fileId: string }[]> {
  const { rows } = await sql<{ orgId: string; fileId: string }>`select org_id as "orgId", file_id as "fileId" from app.due_files()`.execute(
    db,
  )
  return rows
}
export const noteSwept = (db: Kysely<Schema>, orgId: string, fileId: string) => sql`select app.swept_file(${orgId}, ${fileId})`.execute(db)
export const purgeFiles = (db: Kysely<Schema>) => sql`select app.purge_files()`.execute(db)
