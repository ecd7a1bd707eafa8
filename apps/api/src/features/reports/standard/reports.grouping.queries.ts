import { sql } from 'kysely'
import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import type { Condition, Dimension, Sql } from './reports.facts.queries.ts'
import type { Asked } from './reports.facts.rules.ts'

// What all standard reports say in the same way: whose rows count, and what they are grouped by.

/** Rows of chapters where the reader holds the permission, within the chapter that was asked about. A record of one's own alone is no report. */
export const within = (asked: Asked, permission: string, chapter: Sql): Condition =>
  sql`${mayInChapter(permission, chapter)} and ${below(asked, chapter)}`

export const below = ({ chapterId }: Asked, chapter: Sql): Condition =>
  chapterId === null
    ? sql`true`
    : sql`${chapter} in (select b.chapter_id from app.chapter_ancestors b where b.ancestor_id = ${chapterId}::uuid)`

export const from = (day: Sql, first: string | null): Condition => (first === null ? sql`true` : sql`${day} >= ${first}::date`)

/** Days from first to last, both included. */
export const during = (day: Sql, { since, until }: { since: string | null; until: string }): Condition =>
  sql`${from(day, since)} and ${day} <= ${until}::date`

/** After the same day of the year before, up to the day. */
export const inTheYear = (day: Sql, asked: Asked): Condition => sql`${day} > ${asked.yearBefore}::date and ${day} <= ${asked.day}::date`

/** What rows can be grouped by. */
type Columns = { day?: Sql; chapter?: Sql; type?: Sql }

export function grouped(asked: Asked, { day, chapter, type }: Columns): Sql {
  const { by } = asked
  if ((by === 'month' || by === 'quarter' || by === 'year') && day)
    return sql`to_char(date_trunc(${sql.lit(by)}, (${day})::timestamp), 'YYYY-MM-DD')`
  if (by === 'chapter' && chapter) return sql`(${chapter})::text`
  if (by === 'region' && chapter) return sql`(${regions(asked)} ->> (${chapter})::text)`
  if (by === 'type' && type) return sql`(${type})::text`
  return sql`null::text`
}

/**
 * The chapter below the one that was asked about, or below the top, that each chapter belongs to; higher ones stand for themselves. Read once for
 * the statement: joined to a million rows that a policy filters, it is sorted for each of them, since the planner takes those for few.
 */
function regions({ chapterId }: Asked): Sql {
  const depth = chapterId === null ? sql`2` : sql`(select s.depth + 1 from app.chapters s where s.id = ${chapterId}::uuid)`
  return sql`(select jsonb_object_agg(a.chapter_id, a.ancestor_id) from app.chapter_ancestors a join app.chapters r on r.id = a.ancestor_id
    where r.depth = ${depth} or a.distance = 0 and r.depth < ${depth})`
}

/** The dimension of what a report is grouped by. */
export function groupOf({ by }: Asked, typed: Pick<Dimension, 'kind' | 'names' | 'order'> = { kind: 'choice' }): Dimension {
  if (by === 'month' || by === 'quarter' || by === 'year') return { key: by, kind: 'day', bucket: by }
  if (by === 'chapter' || by === 'region') return { key: by, kind: 'chapter', names: 'chapter' }
  return { key: 'type', ...typed }
}

export const membershipTypes = { kind: 'record', names: 'membershipType' } as const satisfies Partial<Dimension>
