import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { hasAllWords } from '../../../platform/lists/match-rank.ts'

/** A chapter as a member of a line. Everybody in the organisation sees all chapters, and there are a few thousand at most. */
export type LineChapter = {
  id: string
  parentId: string | null
  name: string
  search: string
  charteredOn: string | null
  closedOn: string | null
  isOpen: boolean
  members: number
}

/** Chapters that were there on a day, under the parent that they have today; a closed one only above others that were open. */
export async function chaptersOn(db: ActorDb, asOf: string): Promise<LineChapter[]> {
  const { rows } = await sql<LineChapter>`
    with there as (
      select c.*, coalesce(c.chartered_on, '-infinity') <= ${asOf}::date and coalesce(c.closed_on, 'infinity') > ${asOf}::date
        and (c.status <> 'closed' or c.closed_on is not null) as is_open
      from app.chapters c)
    select c.id, c.parent_id as "parentId", c.name, c.search, c.chartered_on as "charteredOn", c.closed_on as "closedOn", c.is_open as "isOpen",
      coalesce(m.people, 0) as members
    from there c left join app.chapter_members_on(${asOf}::date) m on m.chapter_id = c.id
    where c.is_open or exists (select from app.chapter_ancestors a join there o on o.org_id = a.org_id and o.id = a.chapter_id and o.is_open
      where a.org_id = c.org_id and a.ancestor_id = c.id)
    order by c.search, c.id`.execute(db)
  return rows
}

/** Ids of the chapters below one, with it. */
export async function chaptersBelow(db: ActorDb, chapterId: string): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string
  }>`select a.chapter_id as id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}::uuid`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function chaptersFound(db: ActorDb, q: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select c.id from app.chapters c where ${hasAllWords(sql`c.search`, q)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
