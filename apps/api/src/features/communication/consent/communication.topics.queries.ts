import type { NewTopic, Topic, TopicChange } from '@guildhall/contract/features/communication.topics'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chapterRef } from '../../../platform/lists/json-refs.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'

const manages = sql<boolean>`((select app.everywhere('messages.manage')) or t.chapter_id = any ((select app.scope('messages.manage'))::uuid[])
  or t.chapter_id = any ((select app.scope('messages.send'))::uuid[]))`
const found = (where: RawBuilder<unknown>) => sql<{
  item: Topic
}>`select json_build_object('id', t.id, 'chapter', case when c.id is not null then ${chapterRef('c')} end,
    'name', t.name, 'description', t.description, 'kind', t.kind, 'defaultOpt', t.default_opt, 'confirm', t.confirm, 'archivedAt', t.archived_at, 'version', t.version,
    'counts', case when n.topic_id is not null then json_build_object('subscribed', n.subscribed, 'pending', n.pending, 'unsubscribed', n.unsubscribed) end,
    'mayChange', coalesce(${manages}, false)) as item
  from app.topics t left join app.chapters c on c.org_id = t.org_id and c.id = t.chapter_id left join app.topic_counts() n on n.topic_id = t.id
  where ${where} order by t.position, t.name_key, t.id limit 500`

export const topicsQuery = (archived: boolean) => statement(found(archived ? sql`t.archived_at is not null` : sql`t.archived_at is null`))
export const mayMakeTopicsQuery = () =>
  statement(sql<{ create: boolean; createForAll: boolean }>`select (select app.everywhere('messages.manage')) as "createForAll",
    ((select app.everywhere('messages.manage')) or (select app.scope('messages.manage')) <> '{}' or (select app.scope('messages.send')) <> '{}') as "create"`)

export async function findTopic(db: ActorDb, topicId: string): Promise<Topic | undefined> {
  return (await found(sql`t.id = ${topicId}::uuid`).execute(db)).rows[0]?.item
}

export async function chapterIsThere(db: ActorDb, chapterId: string): Promise<boolean> {
  return (await sql`select from app.chapters c where c.id = ${chapterId}::uuid`.execute(db)).rows.length > 0
}

export async function insertTopic(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  topic: NewTopic,
): Promise<string> {
  const { id } = await db
    .insertInto('app.topics')
    .values({
      org_id: orgId,
      created_by: accountId,
      chapter_id: topic.chapterId,
      name: topic.name,
      description: topic.description,
      kind: topic.kind,
      default_opt: topic.defaultOpt,
      confirm: topic.confirm,
      position: sql`(select coalesce(max(t.position), 0) + 1 from app.topics t)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateTopic = (db: ActorDb, topicId: string, version: number, change: TopicChange): Promise<Topic> =>
  updateRecord(db, 'app.topics', { id: topicId, version }, columnsOf('app.topics', change), () => findTopic(db, topicId))

export const archiveTopic = (db: ActorDb, topicId: string, version: number, archived: boolean): Promise<Topic> =>
  updateRecord(db, 'app.topics', { id: topicId, version }, { archived_at: archived ? sql`now()` : null }, () => findTopic(db, topicId))

/** The order is everybody's, so whoever keeps the topics of a chapter only does not choose it. */
export async function mayOrderTopics(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select app.everywhere('messages.manage') as may`.execute(db)
  return rows[0]?.may ?? false
}

/** How many of these topics there are. */
export async function countTopics(db: ActorDb, topicIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.topics t where t.id = any (${topicIds}::uuid[])`.execute(db)
  return rows[0]?.n ?? 0
}

export async function orderTopics(db: ActorDb, topicIds: readonly string[]): Promise<void> {
  await sql`update app.topics t set position = n.place from (
      select x.id, row_number() over (order by array_position(${topicIds}::uuid[], x.id) nulls last, x.position, x.name_key, x.id)::int as place from app.topics x) n
    where n.id = t.id and t.position <> n.place`.execute(db)
}
