import type {
  MessageTemplate,
  MessageTemplateChange,
  MessageTemplateRow,
  NewMessageTemplate,
} from '@guildhall/contract/features/communication.templates'
import type { MessageBody } from '@guildhall/contract/message-blocks'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { chapterRef, groupRef, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { outlineOf } from '../body/communication.outline.rules.ts'

// In these pieces `t` is the template, `c` its chapter and `g` its group, both left joined.

const from = sql`from app.message_templates t
  left join app.chapters c on c.org_id = t.org_id and c.id = t.chapter_id
  left join app.groups g on g.org_id = t.org_id and g.id = t.group_id`
/** Mirrors the policy. */
const mayEdit = sql`case when t.chapter_id is null and t.group_id is null then (select app.everywhere('messages.manage'))
  else (select app.everywhere('messages.write')) or coalesce(t.chapter_id = any ((select app.scope('messages.write'))::uuid[]), false)
    or coalesce(t.group_id = any ((select app.group_scope('messages.write'))::uuid[]), false) end`
const rowFields = sql`'id', t.id, 'name', t.name, 'subject', t.subject, 'outline', t.outline, 'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('g', groupRef)},
  'archivedAt', t.archived_at, 'may', json_build_object('edit', ${mayEdit}), 'updatedAt', t.updated_at, 'version', t.version`

type Question = { q?: string | undefined; archived?: boolean | undefined }
export function templatesList({ q, archived = false }: Question): List<MessageTemplateRow> {
  const words = q?.trim() ?? ''
  return {
    key: ['message_templates', words, archived],
    item: sql`json_build_object(${rowFields})`,
    from,
    where: [
      archived ? sql`t.archived_at is not null` : sql`t.archived_at is null`,
      ...(words ? [sql<boolean>`t.id in (select app.search_message_templates(${words}))`] : []),
    ],
    order: [sql`t.sort_name`, sql`t.id`],
  }
}

export const templateQuery = (id: string) =>
  statement(
    sql<{
      item: MessageTemplate
    }>`select json_build_object(${rowFields}, 'preheader', t.preheader, 'body', t.body) as item ${from} where t.id = ${id}`,
  )

export async function findTemplate(db: ActorDb, id: string): Promise<MessageTemplate | undefined> {
  const { rows } = await db.executeQuery(templateQuery(id).compile())
  return rows[0]?.item
}

type New = Required<Omit<NewMessageTemplate, 'body'>> & { body: MessageBody }
export async function insertTemplate(db: ActorDb, { orgId, accountId }: Actor, { body, ...facts }: New): Promise<string> {
  const { id } = await db
    .insertInto('app.message_templates')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.message_templates', facts), ...bodyColumns(body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { templateId: string; version: number }
export const updateTemplate = (
  db: ActorDb,
  { templateId: id, version }: Guarded,
  { body, ...facts }: MessageTemplateChange,
): Promise<MessageTemplate> =>
  updateRecord(
    db,
    'app.message_templates',
    { id, version },
    { ...columnsOf('app.message_templates', facts), ...(body && bodyColumns(body)) },
    () => findTemplate(db, id),
  )

export const setArchived = (db: ActorDb, { templateId: id, version }: Guarded, archived: boolean): Promise<MessageTemplate> =>
  updateRecord(db, 'app.message_templates', { id, version }, { archived_at: archived ? sql`now()` : null }, () => findTemplate(db, id))

type Place = { chapterId: string | null; groupId: string | null }
export async function insertPicture(db: ActorDb, { orgId, accountId }: Actor, place: Place): Promise<{ id: string }> {
  return db
    .insertInto('app.message_pictures')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.message_pictures', place) })
    .returning('id')
    .executeTakeFirstOrThrow()
}

const bodyColumns = (body: MessageBody) => ({ body: JSON.stringify(body), outline: JSON.stringify(outlineOf(body)) })
