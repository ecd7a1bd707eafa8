import { withNames } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { Comment, CommentedType } from '@guildhall/contract/features/comments'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { namesSeen } from '../../platform/formatted-text/mentions.ts'
import type { NamesSeen } from '../../platform/formatted-text/mentions.ts'
import { faceRef, mayInChapter } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

// `c` is the comment.

type Stored = { comment: Comment; names: NamesSeen }

const mine: RawBuilder<SqlBool> = sql`(c.created_by = (select app.account_id()))`
/** Mirrors the policies, to say what to offer; they decide. One branch for each type of record. */
const looksAfter: RawBuilder<SqlBool> = sql`(c.record_type = 'group' and exists (select 1 from app.groups g where g.org_id = c.org_id and g.id = c.record_id
  and (${mayInChapter('groups.manage', sql`g.chapter_id`)} or g.id = any ((select app.group_scope('groups.manage'))::uuid[]))))`
const tables = { group: 'app.groups' } as const satisfies Record<CommentedType, string>

/** That of a hidden comment stands in a table that only those read who may. */
const body = sql`coalesce(c.body, (select w.body from app.comment_withheld w where w.org_id = c.org_id and w.comment_id = c.id))`
const item = sql<Stored>`json_build_object('names', ${namesSeen(body)}, 'comment', json_build_object(
  'id', c.id, 'parentId', c.parent_id, 'body', ${body}, 'createdAt', c.created_at, 'editedAt', c.edited_at, 'deleted', c.deleted_at is not null,
  'author', (select ${faceRef('p')} from app.people p
    where p.org_id = c.org_id and p.id = c.author_id and p.deleted_at is null and p.lifecycle <> 'erased'),
  'hidden', case when c.hidden_at is not null then json_build_object('at', c.hidden_at, 'reason', c.hidden_reason) end,
  'replies', (select count(*)::int from app.comments a where a.org_id = c.org_id and a.parent_id = c.id and a.deleted_at is null),
  'mine', ${mine}, 'may', json_build_object('edit', ${mine} and c.deleted_at is null, 'moderate', ${looksAfter} and not ${mine} and c.deleted_at is null),
  'version', c.version))`

/** With the names of people mentioned that the caller may see. */
export const commentOf = ({ comment, names }: Stored): Comment => ({
  ...comment,
  body: comment.body && withNames(comment.body, names),
})

/** One that was deleted stays where it was while it has answers. */
export const commentsList = (recordType: CommentedType, recordId: string, parentId?: string): List<Stored> => ({
  key: ['comments', recordType, recordId, parentId ?? null],
  item,
  from: sql`from app.comments c`,
  where: [
    sql`c.record_type = ${recordType} and c.record_id = ${recordId}`,
    parentId ? sql`c.parent_id = ${parentId}` : sql`c.parent_id is null`,
    sql`c.deleted_at is null or exists (select 1 from app.comments a where a.org_id = c.org_id and a.parent_id = c.id and a.deleted_at is null)`,
  ],
  order: [sql`c.id`],
  descending: parentId === undefined,
})

export const commentQuery = (commentId: string) =>
  statement(sql<{ item: Stored }>`select ${item} as item from app.comments c where c.id = ${commentId}`)

export async function findComment(db: ActorDb, commentId: string): Promise<Comment | undefined> {
  const { rows } = await db.executeQuery(commentQuery(commentId).compile())
  return rows[0] && commentOf(rows[0].item)
}

type Said = { recordType: CommentedType; recordId: string; authorId: string | null; answeredAccountId: string | null }
/** Where a comment stands, by whom, and whose it answers. */
export async function findSaid(db: ActorDb, commentId: string): Promise<Said | undefined> {
  const { rows } =
    await sql<Said>`select c.record_type as "recordType", c.record_id as "recordId", c.author_id as "authorId", a.created_by as "answeredAccountId"
    from app.comments c left join app.comments a on a.org_id = c.org_id and a.id = c.parent_id where c.id = ${commentId}`.execute(db)
  return rows[0]
}

/** Whether the record is there for the caller. */
export const recordQuery = (recordType: CommentedType, recordId: string) =>
  statement(sql<{ id: string }>`select r.id from ${sql.table(tables[recordType])} r where r.id = ${recordId}`)

export async function recordThere(db: ActorDb, recordType: CommentedType, recordId: string): Promise<boolean> {
  const { rows } = await db.executeQuery(recordQuery(recordType, recordId).compile())
  return rows.length > 0
}

type NewComment = { recordType: CommentedType; recordId: string; parentId?: string | undefined; body: FormattedDocument }

export async function insertComment(db: ActorDb, { orgId, accountId }: Actor, comment: NewComment): Promise<string> {
  const { id } = await db
    .insertInto('app.comments')
    .values({
      org_id: orgId,
      record_type: comment.recordType,
      record_id: comment.recordId,
      parent_id: comment.parentId ?? null,
      body: comment.body,
      author_id: sql<string | null>`(select app.person_id())`,
      created_by: accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Change = {
  body?: FormattedDocument
  edited_at?: RawBuilder<unknown>
  deleted_at?: RawBuilder<unknown> | null
  hidden_at?: RawBuilder<unknown> | null
  hidden_reason?: string | null
}
export const changeComment = (db: ActorDb, commentId: string, change: Change, version?: number): Promise<Comment> =>
  updateRecord(db, 'app.comments', { id: commentId, ...(version !== undefined && { version }) }, change, () => findComment(db, commentId))

export const now = sql`now()`
