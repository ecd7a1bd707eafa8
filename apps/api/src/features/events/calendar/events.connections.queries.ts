import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { documentOf } from '@guildhall/contract/formatted-document'
import { RowsHeldBack } from '../../../platform/records/row-changes.ts'
import { insertEvent } from '../events.writes.queries.ts'

// Events as a calendar of another system brings them, written as whoever connected it: policies and guards decide as on the screen.

export type CalendarFacts = {
  title?: string
  /** Plain text. */
  description?: string
  venueName?: string
  startsAt?: string
  endsAt?: string
  timezone?: string
}
type Author = { orgId: string; accountId: string }
type NewFacts = CalendarFacts & { title: string; startsAt: string; endsAt: string; timezone: string }

/** A draft of the chapter, seen by its members once it is published. */
export const insertFromCalendar = (
  db: ActorDb,
  author: Author,
  chapterId: string | null,
  { description, ...facts }: NewFacts,
): Promise<string> =>
  insertEvent(db, author, { ...facts, chapterId, ...(description !== undefined && { description: documentOf(description) }) })

export async function changeFromCalendar(
  db: ActorDb,
  eventId: string,
  { description, venueName, startsAt, endsAt, ...facts }: CalendarFacts,
): Promise<void> {
  const touched = await db
    .updateTable('app.events')
    .set({
      ...facts,
      ...(venueName !== undefined && { venue_name: venueName }),
      ...(startsAt !== undefined && { starts_at: startsAt }),
      ...(endsAt !== undefined && { ends_at: endsAt }),
      ...(description !== undefined && { description: JSON.stringify(documentOf(description)) }),
      updated_at: sql`now()`,
    })
    .where('id', '=', eventId)
    .returning('id')
    .executeTakeFirst()
  if (!touched) throw new RowsHeldBack('events')
}

/** Published where nothing is missing that publishing needs; a draft otherwise. */
export async function publishFromCalendar(db: ActorDb, eventId: string): Promise<void> {
  await sql`update app.events set status = 'published' where id = ${eventId} and status = 'draft' and venue_name <> '' and starts_at > now()`.execute(
    db,
  )
}

/** A published event is cancelled, which everybody registered is told; a draft is archived. */
export async function endFromCalendar(db: ActorDb, eventId: string, reason: string): Promise<void> {
  const touched = await db
    .updateTable('app.events')
    .set({
      status: sql<'cancelled'>`case status when 'published' then 'cancelled' else 'archived' end`,
      cancel_reason: sql<string>`case status when 'published' then ${reason}::text else cancel_reason end`,
    })
    .where('id', '=', eventId)
    .where('status', 'in', ['draft', 'published'])
    .returning('id')
    .executeTakeFirst()
  if (!touched) throw new RowsHeldBack('events')
}
