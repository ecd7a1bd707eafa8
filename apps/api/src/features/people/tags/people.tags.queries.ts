import type { NewTag, Tag } from '@guildhall/contract/features/people'
import type { TagRef } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import { columnsOf } from '../../../platform/records/columns.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { statement } from '../../../platform/records/statement.ts'
import { tagsOf } from '../list/people.columns.queries.ts'

type TagRow = z.infer<typeof Tag>

const tagRow = sql<TagRow>`json_build_object('id', t.id, 'name', t.name, 'color', t.color, 'audience', t.audience, 'createdAt', t.created_at, 'people', coalesce(n.people, 0))`

export const tagsQuery = () =>
  statement(sql<{ items: TagRow[] }>`select coalesce(json_agg(${tagRow} order by t.name_key), '[]') as items
    from app.tags t left join (select pt.tag_id, count(*)::int as people from app.person_tags pt group by pt.tag_id) n on n.tag_id = t.id`)

export async function findTag(db: ActorDb, tagId: string): Promise<TagRow | undefined> {
  const { rows } = await sql<{ tag: TagRow }>`select ${tagRow} as tag from app.tags t
    left join lateral (select count(*)::int as people from app.person_tags pt where pt.tag_id = t.id) n on true where t.id = ${tagId}`.execute(
    db,
  )
  return rows[0]?.tag
}

/** Id of the new tag; nothing when there is one of that name. */
export async function insertTag(
  db: ActorDb,
  orgId: string,
  { name, color, audience }: z.infer<typeof NewTag>,
): Promise<string | undefined> {
  const row = await db
    .insertInto('app.tags')
    .values({ org_id: orgId, name, color, audience })
    .onConflict((conflict) => conflict.columns(['org_id', 'name_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

type TagChange = { [Key in 'name' | 'color' | 'audience']?: TagRow[Key] | undefined }

export const updateTag = (db: ActorDb, tagId: string, change: TagChange): Promise<TagRow> =>
  updateRecord(db, 'app.tags', { id: tagId }, columnsOf('app.tags', change), () => findTag(db, tagId))

export async function removeTag(db: ActorDb, tagId: string): Promise<boolean> {
  return (await db.deleteFrom('app.tags').where('id', '=', tagId).returning('id').executeTakeFirst()) !== undefined
}

/** How many of these tags there are. */
export async function countTags(db: ActorDb, tagIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.tags where id = any (${tagIds}::uuid[])`.execute(db)
  return rows[0]?.n ?? 0
}

/** Lets the person carry exactly these tags; touches only what differs. */
export async function setTags(db: ActorDb, orgId: string, personId: string, tagIds: readonly string[]) {
  await sql`delete from app.person_tags where person_id = ${personId} and tag_id <> all (${tagIds}::uuid[])`.execute(db)
  await sql`insert into app.person_tags (org_id, person_id, tag_id) select ${orgId}, ${personId}, t.id from app.tags t
    where t.id = any (${tagIds}::uuid[]) and not exists (select from app.person_tags pt where pt.person_id = ${personId} and pt.tag_id = t.id)`.execute(
    db,
  )
  const { rows } = await sql<{
    tags: z.infer<typeof TagRef>[]
  }>`select ${tagsOf} as tags from app.people p where p.id = ${personId}`.execute(db)
  return rows[0]?.tags ?? []
}
