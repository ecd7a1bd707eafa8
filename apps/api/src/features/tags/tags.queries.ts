import type { NewTag, Tag } from '@guildhall/contract/features/tags'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type * as z from 'zod'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { readHolds } from '../../platform/records/row-holds.ts'
import type { Hold } from '../../platform/records/row-holds.ts'
import { recordName } from './tags.records.queries.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import type { TableShape } from '../../platform/records/row-changes.ts'
import { statement } from '../../platform/records/statement.ts'

const tagRow = sql<Tag>`json_build_object('id', t.id, 'name', t.name, 'color', t.color, 'audience', t.audience, 'createdAt', t.created_at,
  'uses', jsonb_build_object('person', coalesce(n.people, 0)) || coalesce(u.uses, '{}'))`
/** Of one tag, or of all of them at once. */
const counted = (
  which: RawBuilder<unknown>,
) => sql`left join (select pt.tag_id, count(*)::int as people from app.person_tags pt ${which} group by pt.tag_id) n on n.tag_id = t.id
  left join (select x.tag_id, jsonb_object_agg(x.record_type, x.n) as uses
    from (select pt.tag_id, pt.record_type, count(*)::int as n from app.record_tags pt ${which} group by pt.tag_id, pt.record_type) x group by x.tag_id) u on u.tag_id = t.id`

export const tagsQuery = () =>
  statement(
    sql<{ items: Tag[] }>`select coalesce(json_agg(${tagRow} order by t.name_key), '[]') as items from app.tags t ${counted(sql``)}`,
  )

export async function findTag(db: ActorDb, tagId: string): Promise<Tag | undefined> {
  const { rows } = await sql<{
    tag: Tag
  }>`select ${tagRow} as tag from app.tags t ${counted(sql`where pt.tag_id = ${tagId}`)} where t.id = ${tagId}`.execute(db)
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

type TagChange = { [Key in 'name' | 'color' | 'audience']?: Tag[Key] | undefined }

export const updateTag = (db: ActorDb, tagId: string, change: TagChange): Promise<Tag> =>
  updateRecord(db, 'app.tags', { id: tagId }, columnsOf('app.tags', change), () => findTag(db, tagId))

export async function removeTag(db: ActorDb, tagId: string): Promise<boolean> {
  return (await db.deleteFrom('app.tags').where('id', '=', tagId).returning('id').executeTakeFirst()) !== undefined
}

/** How many of these tags there are. */
export async function countTags(db: ActorDb, tagIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.tags where id = any (${tagIds}::uuid[])`.execute(db)
  return rows[0]?.n ?? 0
}

/** Refuses tags of which one is not there, or not for the caller to see. */
export async function mustFindTags(db: ActorDb, tagIds: readonly string[]): Promise<void> {
  if ((await countTags(db, tagIds)) !== new Set(tagIds).size)
    throw problem('UNPROCESSABLE_CONTENT', fault('tagIds', 'tag_not_found', 'One of the tags is not there any more.'))
}

/** Tags as an import writes them. */
export const tagsShape = {
  table: 'tags',
  key: ['id'],
  columns: { name: { type: 'text', empty: '' }, color: { type: 'text', empty: 'gray' } },
} as const satisfies TableShape

/** Tags by name, capitals aside. */
export async function tagsByName(db: ActorDb, orgId: string, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select t.id, t.name_key as name from app.tags t where t.org_id = ${orgId}::uuid and t.name_key = any (select lower(n) from unnest(${names}::text[]) n)`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Finds a tag or makes it. */
export async function ensureTag(db: ActorDb, orgId: string, name: string): Promise<string> {
  await sql`insert into app.tags (org_id, name) values (${orgId}::uuid, ${name}) on conflict (org_id, name_key) do nothing`.execute(db)
  const found = await tagsByName(db, orgId, [name])
  return [...found.values()][0] ?? ''
}

/** Removes tags that nothing carries. */
export async function removeUnusedTags(db: ActorDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from app.tags t where t.org_id = ${orgId}::uuid and t.id = any (${ids}::uuid[])
      and not exists (select from app.person_tags c where c.org_id = t.org_id and c.tag_id = t.id)
      and not exists (select from app.record_tags c where c.org_id = t.org_id and c.tag_id = t.id)`.execute(db)
}

/** Whom and what these tags mark. */
export const tagsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    {
      why: 'is used',
      table: 'person_tags',
      rows: sql`select null::uuid as id, c.person_id as subject, (select p.display_name from app.people p where p.org_id = c.org_id and p.id = c.person_id) as name
        from app.person_tags c where c.org_id = ${orgId}::uuid and c.tag_id = k.id`,
    },
    {
      why: 'is used',
      table: 'record_tags',
      rows: sql`select null::uuid as id, c.record_id as subject, ${recordName(sql`c.org_id`, sql`c.record_type`, sql`c.record_id`)} as name
        from app.record_tags c where c.org_id = ${orgId}::uuid and c.tag_id = k.id`,
    },
  ])
