import { withNames } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { Note, NoteVersion, NoteVisibility } from '@guildhall/contract/features/notes'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { namesSeen } from '../../platform/formatted-text/mentions.ts'
import type { NamesSeen } from '../../platform/formatted-text/mentions.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { mayWith } from '../../platform/lists/people-rights.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

// `n` is the note, `p` the person it is about.

type Stored<T> = { of: T; names: NamesSeen }

const mine: RawBuilder<SqlBool> = sql`(n.created_by = (select app.account_id()))`
const open: RawBuilder<SqlBool> = sql`(p.lifecycle not in ('merged', 'erased'))`
/** Archived people exist for those only who may change people there, and so does what is noted about them. */
const there = sql<SqlBool>`(p.deleted_at is null or ${mayWith('people.write')})`
/** Mirrors the policies, to say what to offer; they decide. */
const mayRemove: RawBuilder<SqlBool> = sql`(${open} and (${mine} or ${mayWith('people.sensitive')}))`
const from = sql`from app.notes n join app.people p on p.org_id = n.org_id and p.id = n.record_id`
const restorableUntil = sql`n.deleted_at + interval '30 days'`

const item = sql<Stored<Note>>`json_build_object('names', ${namesSeen(sql`n.body`)}, 'of', json_build_object(
  'id', n.id, 'personId', n.record_id, 'body', n.body, 'visibility', n.visibility, 'pinned', n.pinned, 'createdAt', n.created_at, 'editedAt', n.edited_at,
  'deletedAt', n.deleted_at, 'restorableUntil', ${restorableUntil},
  'author', (select json_build_object('id', w.id, 'displayName', w.display_name) from app.people w
    where w.org_id = n.org_id and w.id = n.author_id and w.deleted_at is null and w.lifecycle <> 'erased'),
  'mine', ${mine}, 'may', json_build_object('edit', ${mine} and ${open} and n.deleted_at is null, 'remove', ${mayRemove}), 'version', n.version))`

/** With the names of people mentioned that the caller may see. */
export const withSeen = <T extends { body: FormattedDocument }>({ of, names }: Stored<T>): T => ({ ...of, body: withNames(of.body, names) })

export const notesList = (personId: string, deleted: boolean): List<Stored<Note>> => ({
  key: ['notes', personId, deleted],
  item,
  from,
  where: [
    sql`n.record_type = 'person' and n.record_id = ${personId}`,
    there,
    deleted ? sql`${restorableUntil} > now() and ${mayRemove}` : sql`n.deleted_at is null`,
  ],
  order: [sql`n.pinned::int`, sql`n.created_at`, sql`n.id`],
  descending: true,
})

export const noteQuery = (noteId: string) =>
  statement(sql<{ item: Stored<Note> }>`select ${item} as item ${from} where n.id = ${noteId} and ${there}`)

export async function findNote(db: ActorDb, noteId: string): Promise<Note | undefined> {
  const { rows } = await db.executeQuery(noteQuery(noteId).compile())
  return rows[0] && withSeen(rows[0].item)
}

export const versionsQuery = (noteId: string) =>
  statement(sql<{ items: Stored<NoteVersion>[] }>`select coalesce((select json_agg(v.item) from (
      select json_build_object('names', ${namesSeen(sql`v.body`)}, 'of', json_build_object('body', v.body, 'visibility', v.visibility, 'replacedAt', v.replaced_at)) as item
      from app.note_versions v where v.org_id = n.org_id and v.note_id = n.id order by v.number desc limit 100) v), '[]') as items
    ${from} where n.id = ${noteId} and ${there}`)

/** Whether the person is there for the caller, archived ones only for those who may change people there. */
export const personQuery = (personId: string) =>
  statement(sql<{ id: string }>`select p.id from app.people p where p.id = ${personId} and ${there}`)

export async function isThere(db: ActorDb, personId: string): Promise<boolean> {
  const { rows } = await db.executeQuery(personQuery(personId).compile())
  return rows.length > 0
}

type NewNote = { personId: string; visibility: NoteVisibility; body: FormattedDocument; pinned?: boolean | undefined }

export async function insertNote(
  db: ActorDb,
  { orgId, accountId }: Actor,
  { personId, visibility, body, pinned = false }: NewNote,
): Promise<string> {
  const { id } = await db
    .insertInto('app.notes')
    .values({
      org_id: orgId,
      record_type: 'person',
      record_id: personId,
      visibility,
      body,
      pinned,
      author_id: sql<string | null>`(select app.person_id())`,
      created_by: accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Change = {
  visibility?: NoteVisibility
  body?: FormattedDocument
  pinned?: boolean
  edited_at?: RawBuilder<unknown>
  deleted_at?: RawBuilder<unknown> | null
}
export const changeNote = (db: ActorDb, noteId: string, change: Change, version?: number): Promise<Note> =>
  updateRecord(db, 'app.notes', { id: noteId, ...(version !== undefined && { version }) }, change, () => findNote(db, noteId))

export const now = sql`now()`
