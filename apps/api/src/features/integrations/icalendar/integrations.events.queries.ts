import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'

export type EventRow = {
  id: string
  title: string
  description: FormattedDocument
  venueName: string
  startsAt: string
  endsAt: string
  timezone: string
  status: string
  isOver: boolean
  isOutside: boolean
}

/** Events as a calendar compares them; `isOutside`: of a chapter that the connection does not reach. */
export async function readEvents(db: ActorDb, chapterId: string | null, ids: readonly string[]): Promise<EventRow[]> {
  if (ids.length === 0) return []
  const utc = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  const { rows } = await sql<EventRow>`
    select e.id, e.title, e.description, e.venue_name as "venueName", ${utc('e.starts_at')} as "startsAt", ${utc('e.ends_at')} as "endsAt", e.timezone, e.status, e.ends_at <= now() as "isOver",
      ${
        chapterId === null
          ? sql`false`
          : sql`not exists (select from app.chapter_ancestors a where a.org_id = e.org_id and a.chapter_id = e.chapter_id and a.ancestor_id = ${chapterId}::uuid)`
      } as "isOutside"
    from app.events e where e.id = any (${ids}::uuid[]) and e.template_name is null`.execute(db)
  return rows
}

/** In one order, so that two who lock the same events wait for each other and no longer. */
export async function lockEvents(db: ActorDb, ids: readonly string[]): Promise<void> {
  await sql`select from app.events e where e.id = any (${ids}::uuid[]) order by e.id for update`.execute(db)
}

/** Which of these ids are events or series of ours: then an entry named so has been here before. */
export async function ownAmong(db: ActorDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select e.id from app.events e where e.id = any (${ids}::uuid[])
    union all select e.series_id from app.events e where e.series_id = any (${ids}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
