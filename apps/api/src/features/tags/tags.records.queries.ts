import { TaggedType, taggedTables } from '@guildhall/contract/features/lists'
import type { TagRef } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { relationField } from '../../platform/lists/filters.ts'
import type { FilterField } from '../../platform/lists/filters.ts'
import type { TableShape } from '../../platform/records/row-changes.ts'
import { exportField } from '../../platform/lists/export-source.ts'
import type { ExportField } from '../../platform/lists/export-source.ts'

// Tags of records other than people, whose list filters a million of them by a table of their own.

type Refs = z.infer<typeof TagRef>[]
type Column = RawBuilder<unknown>

const tableOf = (type: TaggedType) => sql.table(`app.${taggedTables.shape[type].value}`)
const carried = (
  type: TaggedType,
  org: Column,
  id: Column,
) => sql`app.record_tags rt join app.tags t on t.org_id = rt.org_id and t.id = rt.tag_id
  where rt.org_id = ${org} and rt.record_type = ${sql.lit(type)} and rt.record_id = ${id}`

/** The tags of a record that the caller sees, as the contract has them. */
export const tagRefs = (type: TaggedType, org: Column, id: Column): RawBuilder<Refs> =>
  sql<Refs>`(select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color, 'audience', t.audience) order by t.name_key), '[]')
    from ${carried(type, org, id)})`

/** A list filtered by the tags of its records. */
export const tagField = (type: TaggedType, id: Column): FilterField =>
  relationField(
    (condition) =>
      sql<SqlBool>`${id} in (select rt.record_id from app.record_tags rt where rt.record_type = ${sql.lit(type)} and ${condition ?? sql`true`})`,
    (ids) => sql`rt.tag_id = any (${ids}::uuid[])`,
  )

/** A column of an export, as people have it. */
export const tagCell = (type: TaggedType, org: Column, id: Column): ExportField =>
  exportField('tags', 'Tags', sql`(select coalesce(json_agg(t.name order by t.name_key), '[]') from ${carried(type, org, id)})`, 'words')

/** Name of a record that carries a tag. */
export const recordName = (org: Column, type: Column, id: Column): RawBuilder<string> =>
  sql<string>`case ${type} ${sql.join(
    TaggedType.options.map(
      (one) => sql`when ${sql.lit(one)} then (select r.name from ${tableOf(one)} r where r.org_id = ${org} and r.id = ${id})`,
    ),
    sql` `,
  )} end`

/** Tags of records as an import writes them. */
export const recordTagsShape = {
  table: 'record_tags',
  key: ['record_type', 'record_id', 'tag_id'],
  columns: { record_type: { type: 'text' } },
} as const satisfies TableShape

/** The tags of each of some records that the caller sees. */
export async function carriedTags(
  db: ActorDb,
  type: TaggedType,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; tags: string[] }>`
    select rt.record_id as id, array_agg(rt.tag_id) as tags from app.record_tags rt
    where rt.org_id = ${orgId}::uuid and rt.record_type = ${type} and rt.record_id = any (${ids}::uuid[]) group by rt.record_id`.execute(db)
  return new Map(rows.map(({ id, tags }) => [id, new Set(tags)]))
}

type TaggedRecord = { type: TaggedType; id: string }

/** Whether the caller sees the record, and may change it: locked as for a change, it is found only if its policies allow one. */
export async function standing(db: ActorDb, { type, id }: TaggedRecord): Promise<{ seen: boolean; mayChange: boolean }> {
  const { rows: seen } = await sql`select from ${tableOf(type)} r where r.id = ${id}`.execute(db)
  const { rows: changeable } = await sql`select from ${tableOf(type)} r where r.id = ${id} for key share`.execute(db)
  return { seen: seen.length > 0, mayChange: changeable.length > 0 }
}

/** Lets a record carry exactly these tags of those that the caller sees; touches only what differs. */
export async function setRecordTags(db: ActorDb, orgId: string, { type, id }: TaggedRecord, tagIds: readonly string[]): Promise<Refs> {
  await sql`delete from app.record_tags where record_type = ${type} and record_id = ${id} and tag_id <> all (${tagIds}::uuid[])`.execute(db)
  await sql`insert into app.record_tags (org_id, record_type, record_id, tag_id) select ${orgId}, ${type}, ${id}, t.id from app.tags t
    where t.id = any (${tagIds}::uuid[]) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ tags: Refs }>`select ${tagRefs(type, sql`${orgId}::uuid`, sql`${id}::uuid`)} as tags`.execute(db)
  return rows[0]?.tags ?? []
}
