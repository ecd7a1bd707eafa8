import { __Record__Status } from '@guildhall/contract/features/__area__'
import type { New__Record__, __Record__, __Record__Change, __Record__Row } from '@guildhall/contract/features/__area__'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, textField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../platform/lists/filters.ts'
import { chapterRef, mayInChapter, orNull } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { matchRank } from '../../platform/lists/match-rank.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { statement } from '../../platform/records/statement.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { chapterField } from '../chapters/chapters.references.public.ts'

// In these pieces `r` is the record and `c` its chapter, left joined.

const from = sql`from app.__records_table__ r left join app.chapters c on c.org_id = r.org_id and c.id = r.chapter_id`
const rowFields = sql`'id', r.id, 'name', r.name, 'status', r.status, 'chapter', ${orNull('c', chapterRef)},
  'archivedAt', r.archived_at, 'createdAt', r.created_at, 'version', r.version`

export const __record__Query = (id: string) =>
  statement(sql<{ item: __Record__ }>`select json_build_object(${rowFields}, 'description', r.description, 'updatedAt', r.updated_at,
    'may', json_build_object('edit', ${mayInChapter('__area__.manage', sql`r.chapter_id`)})) as item ${from} where r.id = ${id}`)

export async function find__Record__(db: ActorDb, id: string): Promise<__Record__ | undefined> {
  const { rows } = await db.executeQuery(__record__Query(id).compile())
  return rows[0]?.item
}

const fields: FilterCatalogue = {
  name: textField(sql`r.name`),
  status: choiceField(sql`r.status`, __Record__Status.options),
  chapter: chapterField(sql`r.chapter_id`),
  createdAt: dateField(sql`r.created_at`),
  archived: flagField(sql`(r.archived_at is not null)`),
}
const orders = { name: sql`r.sort_name`, status: sql`r.status`, createdAt: sql`r.created_at` }

type Question = { q?: string | undefined; filter?: Filter | undefined; sort?: string | undefined }

/** Words in the name, accent-blind; archived ones only when the filter speaks of them. */
export function __records__List({ q, filter, sort }: Question): List<__Record__Row> {
  const words = q?.trim() ?? ''
  const { by, descending } = readSort(sort, ['name', 'status', 'createdAt', 'match'], 'name')
  const filtered = filterWhere(filter, fields)
  const asksArchived = filter?.and.some(({ or }) => or.some(({ field }) => field === 'archived')) ?? false
  const where: RawBuilder<SqlBool>[] = []
  if (words) where.push(sql`r.id in (select app.search___records_table__(${words}))`)
  if (filtered) where.push(filtered)
  if (!asksArchived) where.push(sql`r.archived_at is null`)
  const byName = [orders.name, sql`r.id`]
  return {
    key: ['__records__', words, filter ?? null, by],
    item: sql`json_build_object(${rowFields})`,
    from,
    where,
    // What does not search has no best match, and goes by name.
    order: by !== 'match' ? [orders[by], sql`r.id`] : words ? [matchRank(sql`r.name`, words), ...byName] : byName,
    descending,
  }
}

export async function insert__Record__(db: ActorDb, { orgId, accountId }: { orgId: string; accountId: string }, record: New__Record__) {
  const { id } = await db
    .insertInto('app.__records_table__')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.__records_table__', record) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { __record__Id: string; version: number }
export const update__Record__ = (db: ActorDb, { __record__Id: id, version }: Guarded, change: __Record__Change): Promise<__Record__> =>
  updateRecord(db, 'app.__records_table__', { id, version }, columnsOf('app.__records_table__', change), () => find__Record__(db, id))

export const setArchived = (db: ActorDb, { __record__Id: id, version }: Guarded, archived: boolean): Promise<__Record__> =>
  updateRecord(db, 'app.__records_table__', { id, version }, { archived_at: archived ? sql`now()` : null }, () => find__Record__(db, id))
