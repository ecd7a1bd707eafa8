import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'
import type { CalendarRow } from './events.calendar.entries.rules.ts'
import { eventsFrom } from '../events.queries.ts'

/** What `entryOf` makes a calendar entry of: `e` is the event, `c` its chapter, as in eventsFrom. */
export const calendarRow = sql<CalendarRow>`json_build_object('id', e.id, 'sequence', e.sequence, 'status', e.status, 'title', e.title, 'summary', e.summary,
  'description', e.description, 'venueName', e.venue_name, 'venueAddress', e.venue_address, 'latitude', e.venue_latitude, 'longitude', e.venue_longitude,
  'link', (select l.url from app.event_links l where l.org_id = e.org_id and l.event_id = e.id), 'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone,
  'createdAt', e.created_at, 'updatedAt', e.updated_at,
  'organiser', (select json_build_object('name', coalesce(c.name, o.name), 'email', coalesce(nullif(c.contact_email, ''), o.contact_email, '')) from app.organisations o where o.org_id = e.org_id))`

/** Events as calendar programs take them over, the first ones first. The link of an online event is there for people with a seat. */
export const calendarRowsQuery = (where: RawBuilder<SqlBool>, most: number) =>
  statement(sql<{ item: CalendarRow }>`select ${calendarRow} as item ${eventsFrom} where ${where} order by e.starts_at, e.id limit ${most}`)
export const calendarRowQuery = (eventId: string) => calendarRowsQuery(sql`e.id = ${eventId}`, 1)
