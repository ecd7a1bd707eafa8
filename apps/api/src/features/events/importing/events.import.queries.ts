import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import { editedUse, readHolds } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'
import { eventsFrom, manages } from '../events.queries.ts'

const uuid = { type: 'uuid' } as const
const text = { type: 'text' } as const

/** Registrations as an import writes them: through functions, since nobody writes one by themselves. */
export const registrationsTable = {
  table: 'registrations',
  key: ['id'],
  columns: {
    event_id: uuid,
    person_id: uuid,
    ticket_type_id: uuid,
    status: text,
    name: text,
    email: text,
    registered_on: { type: 'date' },
    checked_in_at: text,
  },
  through: { insert: 'app.import_registrations', remove: 'app.remove_imported_registrations' },
} as const satisfies TableShape

export type FoundTicket = { id: string; name: string; left: number | null }
export type FoundEvent = {
  id: string
  title: string
  startsOn: string
  timezone: string
  hasBegun: boolean
  /** From when on somebody can have been checked in. */
  doorsFrom: string
  manages: boolean
  /** Null where there is no limit. */
  left: number | null
  tickets: FoundTicket[]
}

/** Events by id, or by title in lower case; drafts, templates and what was cancelled take no registrations. */
export async function eventsNamed(db: ActorDb, ids: readonly string[], titles: readonly string[]): Promise<FoundEvent[]> {
  if (ids.length + titles.length === 0) return []
  const { rows } = await sql<FoundEvent>`
    select e.id, e.title, to_char(e.starts_local, 'YYYY-MM-DD') as "startsOn", e.timezone, e.starts_at <= now() as "hasBegun", ${manages} as manages,
      to_char((e.starts_at - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "doorsFrom", e.capacity - n.taken as left,
      (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'left', t.quota - coalesce(k.taken, 0)) order by t.place, t.id), '[]') from app.event_ticket_types t
        left join app.event_ticket_counts k on k.org_id = t.org_id and k.ticket_type_id = t.id where t.org_id = e.org_id and t.event_id = e.id and t.archived_at is null) as tickets
    ${eventsFrom} where e.template_name is null and e.status in ('published', 'archived') and e.cancelled_at is null
      and (e.id = any (${ids}::uuid[]) or lower(e.title) = any (${titles}::text[]))
    order by e.starts_at, e.id`.execute(db)
  return rows
}

export type Wanted = { line: number; eventId: string; personId: string | null; email: string; name: string }
export type FoundRegistration = { line: number; id: string; status: string }

/** Registrations that these people have already, those that count first. An address is enough where either of the two has no record. */
export async function registrationsOf(db: ActorDb, orgId: string, wanted: readonly Wanted[]): Promise<FoundRegistration[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<FoundRegistration>`
    with w as (select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x (line int, "eventId" uuid, "personId" uuid, email text, name text)),
    f as (select r.id, r.event_id, r.status, r.person_id, lower(r.email) as email, lower(r.name) as name from app.registrations r
      where r.org_id = ${orgId}::uuid and r.event_id in (select w."eventId" from w))
    select x.line, x.id, x.status from (
      select w.line, f.id, f.status from w join f on f.event_id = w."eventId" and f.person_id = w."personId"
      union select w.line, f.id, f.status from w join f on f.event_id = w."eventId" and f.email = lower(w.email)
        where w.email <> '' and (w."personId" is null or f.person_id is null)
      union select w.line, f.id, f.status from w join f on f.event_id = w."eventId" and f.name = lower(w.name)
        where w.email = '' and w."personId" is null and f.email = '' and f.person_id is null) x
    order by x.status in ('cancelled', 'rejected'), x.id`.execute(db)
  return rows
}

/** Why registrations that an import brought cannot be removed. */
export const registrationsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    editedUse(orgId, 'registrations'),
    {
      why: 'brings guests who were added since',
      table: 'registrations',
      rows: sql`select g.id, g.id as subject, g.name from app.registrations g where g.org_id = ${orgId}::uuid and g.host_id = k.id`,
    },
    {
      why: 'was scanned at the door since',
      table: 'check_ins',
      rows: sql`select c.id, c.registration_id as subject, '' as name from app.check_ins c
        where c.org_id = ${orgId}::uuid and c.registration_id = k.id and c.client_id <> 'import-' || k.id`,
    },
  ])
