import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TableShape } from '../../platform/records/row-changes.ts'
import { editedUse, readHolds } from '../../platform/records/row-holds.ts'
import type { Hold } from '../../platform/records/row-holds.ts'

const text = { type: 'text', empty: '' } as const
const uuid = { type: 'uuid' } as const
const date = { type: 'date' } as const

/** Tables of chapters as an import writes them. */
export const chapterTables = {
  chapters: {
    table: 'chapters',
    key: ['id'],
    columns: {
      parent_id: uuid,
      code: text,
      name: text,
      level: { type: 'text', empty: 'chapter' },
      status: { type: 'text', empty: 'active' },
      about: text,
      city: text,
      contact_email: text,
      website: text,
      timezone: text,
      chartered_on: date,
      closed_on: date,
    },
  },
  positions: { table: 'positions', key: ['id'], columns: { chapter_id: uuid, title: text, max_holders: { type: 'int', empty: 1 } } },
  positionHolders: {
    table: 'position_holders',
    key: ['id'],
    columns: { position_id: uuid, person_id: uuid, starts_on: date, ends_on: date, note: text },
  },
} as const satisfies Record<string, TableShape>

export type FoundChapter = { id: string; code: string; name: string; closed: boolean }

/** Chapters by code or, where a code says nothing, by a name that only one of them has. */
export async function chaptersByCode(db: ActorDb, orgId: string, words: readonly string[]): Promise<Map<string, FoundChapter>> {
  if (words.length === 0) return new Map()
  const { rows } = await sql<FoundChapter>`
    select c.id, c.code, c.name, c.status = 'closed' as closed from app.chapters c
    where c.org_id = ${orgId}::uuid and (c.code = any (${words}::text[]) or c.name = any (${words}::text[]))`.execute(db)
  const found = new Map<string, FoundChapter>()
  for (const word of words) {
    const named = rows.filter((row) => row.name === word)
    const chapter = rows.find((row) => row.code === word) ?? (named.length === 1 ? named[0] : undefined)
    if (chapter) found.set(word, chapter)
  }
  return found
}

/** `top`: where the organisation begins, the oldest chapter that is below no other. */
export type ChapterState = { id: string; parentCode: string | null; top: boolean; row: Record<string, string | number | null> }

/** Chapters by code with what an import compares. */
export async function chapterStates(db: ActorDb, orgId: string, codes: readonly string[]): Promise<Map<string, ChapterState>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<ChapterState & { code: string }>`
    select c.id, c.code, u.code as "parentCode", to_jsonb(c) - array['search'] as row,
      c.id = (select t.id from app.chapters t where t.org_id = c.org_id and t.parent_id is null order by t.created_at, t.id limit 1) as top
    from app.chapters c left join app.chapters u on u.org_id = c.org_id and u.id = c.parent_id
    where c.org_id = ${orgId}::uuid and c.code = any (${codes}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.code, row]))
}

/** How many affiliations there are in each of these chapters and those below it. */
export async function peopleBelow(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; people: number }>`
    select a.ancestor_id as id, sum(c.people)::int as people
    from app.chapter_ancestors a join app.chapter_counts c on c.org_id = a.org_id and c.chapter_id = a.chapter_id
    where a.org_id = ${orgId}::uuid and a.ancestor_id = any (${ids}::uuid[]) group by a.ancestor_id`.execute(db)
  return new Map(rows.map(({ id, people }) => [id, people]))
}

export type OfficeState = { id: string; chapterId: string; titleKey: string; seats: number; holders: HolderState[] }
export type HolderState = { id: string; personId: string; startsOn: string; endsOn: string | null; note: string }

/** Offices of some chapters with all who hold or held them. */
export async function officeStates(
  db: ActorDb,
  orgId: string,
  wanted: readonly { chapterId: string; title: string }[],
): Promise<Map<string, OfficeState>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<OfficeState>`
    select s.id, s.chapter_id as "chapterId", s.title_key as "titleKey", s.max_holders as seats,
      coalesce((select jsonb_agg(jsonb_build_object('id', h.id, 'personId', h.person_id, 'startsOn', h.starts_on, 'endsOn', h.ends_on, 'note', h.note))
        from app.position_holders h where h.org_id = s.org_id and h.position_id = s.id), '[]') as holders
    from (select distinct x."chapterId", lower(x.title) as title from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x ("chapterId" uuid, title text)) w
    join app.positions s on s.org_id = ${orgId}::uuid and s.chapter_id = w."chapterId" and s.title_key = w.title`.execute(db)
  return new Map(rows.map((row) => [officeKey(row.chapterId, row.titleKey), row]))
}

export const officeKey = (chapterId: string, title: string) => `${chapterId} ${title.toLowerCase()}`

/** Why chapters that an import made cannot be removed. */
export function chaptersInUse(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> {
  const inside = (table: string, subject: RawBuilder<unknown>, name: RawBuilder<unknown>) =>
    sql`select c.id, ${subject} as subject, ${name} as name from ${sql.table(`app.${table}`)} c where c.org_id = ${orgId}::uuid and c.chapter_id = k.id`
  return readHolds(db, ids, [
    editedUse(orgId, 'chapters'),
    { why: 'has members', table: 'affiliations', rows: inside('affiliations', sql`c.person_id`, personName) },
    { why: 'has offices', table: 'positions', rows: inside('positions', sql`c.chapter_id`, sql`c.title`) },
    { why: 'has groups', table: 'groups', rows: inside('groups', sql`c.id`, sql`c.name`) },
    {
      why: 'has chapters below it',
      table: 'chapters',
      rows: sql`select c.id, c.id as subject, c.name from app.chapters c where c.org_id = ${orgId}::uuid and c.parent_id = k.id and not c.id = any (${ids}::uuid[])`,
    },
  ])
}

const personName = sql`(select p.display_name from app.people p where p.org_id = c.org_id and p.id = c.person_id)`

/** Which terms of office that an import made were changed since. */
export const holdersInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [editedUse(orgId, 'position_holders')])

/** Who holds or held these offices. */
export const officesInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    {
      why: 'is or was held',
      table: 'position_holders',
      rows: sql`select c.id, c.person_id as subject, ${personName} as name from app.position_holders c where c.org_id = ${orgId}::uuid and c.position_id = k.id`,
    },
  ])

/** Removes offices that nobody ever held. */
export async function removeUnusedOffices(db: ActorDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from app.positions s where s.org_id = ${orgId}::uuid and s.id = any (${ids}::uuid[])
      and not exists (select from app.position_holders h where h.org_id = s.org_id and h.position_id = s.id)`.execute(db)
}
