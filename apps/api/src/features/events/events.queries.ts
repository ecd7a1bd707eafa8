import { withNames } from '@guildhall/contract/formatted-document'
import type { Event, EventRow, EventTemplate } from '@guildhall/contract/features/events'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { namesSeen } from '../../platform/formatted-text/mentions.ts'
import type { NamesSeen } from '../../platform/formatted-text/mentions.ts'
import { chapterRef, groupRef, orNull, personRef } from '../../platform/lists/json-refs.ts'
import { statement } from '../../platform/records/statement.ts'

// In these pieces `e` is the event, `n` its counts, `c` its chapter and `g` its group, the last two left joined.

export const eventsFrom = sql`from app.events e
  join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
  left join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id
  left join app.groups g on g.org_id = e.org_id and g.id = e.group_id`

/** Mirrors the policies, to say what to offer; they decide. */
const holds = (permission: string): RawBuilder<SqlBool> => sql`((select app.everywhere(${permission}))
  or coalesce(e.chapter_id = any ((select app.scope(${permission}))::uuid[]), false) or coalesce(e.group_id = any ((select app.group_scope(${permission}))::uuid[]), false)
  or e.id = any ((select app.event_scope(${permission}))::uuid[]))`
export const manages = holds('events.manage')
export const publishes = holds('events.publish')
export const checksIn: RawBuilder<SqlBool> = sql`(${manages} or ${holds('events.checkin')})`

const isFull = sql`coalesce(n.taken >= e.capacity, false)`
export const full: RawBuilder<SqlBool> = sql`(${isFull})`
const closesAt = sql`coalesce(e.registration_closes_at, e.starts_at)`
const registration = sql`(case when e.status in ('draft', 'archived') then 'none' when e.status = 'cancelled' or ${closesAt} <= now() then 'closed'
  when e.registration_opens_at > now() then 'not_yet' when ${isFull} then 'full' else 'open' end)`

const local = (column: string) => sql`to_char(${sql.ref(`e.${column}`)}, 'YYYY-MM-DD"T"HH24:MI:SS')`
const price = sql`(select json_build_object('amount', t.price_amount, 'currency', t.price_currency) from app.event_ticket_types t
  where t.org_id = e.org_id and t.event_id = e.id and t.archived_at is null and t.audience <> 'staff' and t.price_amount > 0
    and not exists (select from app.event_ticket_types f where f.org_id = e.org_id and f.event_id = e.id and f.archived_at is null and f.audience <> 'staff' and f.price_amount = 0)
  order by t.price_amount limit 1)`
const oneClick = sql`(not exists (select from app.event_questions q where q.org_id = e.org_id and q.event_id = e.id and q.archived_at is null)
  and (select count(*) <= 1 and coalesce(max(t.price_amount), 0) = 0 from app.event_ticket_types t
    where t.org_id = e.org_id and t.event_id = e.id and t.archived_at is null and t.audience <> 'staff'))`
export const mine = sql`(select json_build_object('registrationId', r.id, 'status', r.status, 'offerUntil', r.offer_until,
    'position', case when r.status = 'waitlisted' then app.waiting_position(r.id) end) from app.registrations r
  where r.org_id = e.org_id and r.event_id = e.id and r.person_id = (select app.person_id()) and r.status not in ('cancelled', 'rejected'))`

const rowFields = sql`'id', e.id, 'title', e.title, 'summary', e.summary, 'status', e.status, 'kind', e.kind, 'mode', e.mode, 'visibility', e.visibility,
  'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone, 'startsLocal', ${local('starts_local')}, 'endsLocal', ${local('ends_local')},
  'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('g', groupRef)}, 'venueName', e.venue_name, 'coverFileId', e.cover_file_id, 'coverAlt', e.cover_alt,
  'capacity', e.capacity, 'taken', n.taken, 'waiting', n.waiting, 'registration', ${registration}, 'price', ${price}, 'oneClick', ${oneClick}, 'seriesId', e.series_id, 'mine', ${mine},
  'createdAt', e.created_at, 'version', e.version`
export const eventRow = sql<EventRow>`json_build_object(${rowFields})`

const part = (table: string, item: RawBuilder<unknown>, order: RawBuilder<unknown>, where: RawBuilder<SqlBool> = sql`true`) =>
  sql`(select coalesce(json_agg(${item} order by ${order}), '[]') from ${sql.table(table)} x where x.org_id = e.org_id and x.event_id = e.id and ${where})`

const programme = part(
  'app.event_programme',
  sql`json_build_object('id', x.id, 'title', x.title, 'startsAt', x.starts_at, 'endsAt', x.ends_at, 'room', x.room, 'speaker', x.speaker, 'about', x.about)`,
  sql`x.starts_at, x.place`,
)
/** What the caller pays: the member price is for who holds a membership today, whoever they say they are. */
const myPrice = sql`case when x.member_price_amount is not null and (select app.is_member()) then x.member_price_amount else x.price_amount end`
const ticketTypes = part(
  'app.event_ticket_types',
  sql`json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'price', json_build_object('amount', x.price_amount, 'currency', x.price_currency),
    'memberPrice', x.member_price_amount, 'myPrice', ${myPrice}, 'quota', x.quota, 'audience', x.audience, 'sellsFrom', x.sells_from, 'sellsUntil', x.sells_until,
    'minPerOrder', x.min_per_order, 'maxPerOrder', x.max_per_order,
    'taken', coalesce((select k.taken from app.event_ticket_counts k where k.org_id = x.org_id and k.ticket_type_id = x.id), 0),
    'onSale', coalesce(x.sells_from <= now(), true) and coalesce(x.sells_until > now(), true))`,
  sql`x.place, x.id`,
  sql`x.archived_at is null`,
)
const promoCodes = part(
  'app.event_promo_codes',
  sql`json_build_object('id', x.id, 'code', x.code, 'ticketTypeId', x.ticket_type_id, 'percent', x.percent, 'amount', x.amount, 'usesLimit', x.uses_limit,
    'validFrom', x.valid_from, 'validUntil', x.valid_until, 'used', (select count(*)::int from app.registrations r where r.org_id = x.org_id and r.promo_code_id = x.id and r.status not in ('cancelled', 'rejected')))`,
  sql`x.code`,
  sql`x.archived_at is null`,
)
const questions = part(
  'app.event_questions',
  sql`json_build_object('id', x.id, 'text', x.text, 'kind', x.kind, 'required', x.required, 'options', to_json(x.options), 'ofGuests', x.of_guests)`,
  sql`x.place, x.id`,
  sql`x.archived_at is null`,
)
const staff = sql`(select coalesce(json_agg(json_build_object('person', ${personRef('p')}, 'role', s.role) order by p.sort_name, s.role), '[]')
  from app.event_staff s join app.people p on p.org_id = s.org_id and p.id = s.person_id where s.org_id = e.org_id and s.event_id = e.id and p.deleted_at is null)`
const link = sql`(select json_build_object('url', l.url, 'note', l.note) from app.event_links l where l.org_id = e.org_id and l.event_id = e.id)`
const series = sql`(select json_build_object('id', s.id, 'rule', s.rule, 'untilOn', s.until_on, 'dates', (
    select json_agg(json_build_object('id', x.id, 'startsLocal', x.starts, 'status', x.status, 'exception', x.series_exception) order by x.starts_at)
    from (select d.id, to_char(d.starts_local, 'YYYY-MM-DD"T"HH24:MI:SS') as starts, d.status, d.series_exception, d.starts_at from app.events d
      where d.org_id = e.org_id and d.series_id = e.series_id and d.status <> 'archived' or d.org_id = e.org_id and d.id = e.id order by d.starts_at desc limit 400) x))
  from app.event_series s where s.org_id = e.org_id and s.id = e.series_id)`
/** The first thing that publishing still needs. */
export const firstMissing = sql`(case when e.mode <> 'online' and e.venue_name = '' and e.venue_address = '' then 'place'
  when e.mode <> 'in_person' and not app.event_has_link(e.id) then 'link' when e.starts_at < now() and not e.records_attendance then 'past' end)`
const missing = sql`(select coalesce(json_agg(m.what), '[]') from (values
  ('place', e.mode <> 'online' and e.venue_name = '' and e.venue_address = ''), ('link', e.mode <> 'in_person' and not app.event_has_link(e.id)),
  ('future', e.starts_at < now() and not e.records_attendance)) m (what, lacks) where m.lacks)`
const mayNow = (status: RawBuilder<SqlBool>, right: RawBuilder<SqlBool>) => sql`${status} and ${right}`

/** An event with everything its page shows; `eventOf` makes the answer of it. */
export const eventQuery = (eventId: string) =>
  statement(sql<{ event: Event; names: NamesSeen }>`
    select ${namesSeen(sql`e.description`)} as names, (jsonb_build_object(${rowFields}) || jsonb_build_object('description', e.description, 'templateName', e.template_name,
      'venue', json_build_object('name', e.venue_name, 'address', e.venue_address, 'latitude', e.venue_latitude, 'longitude', e.venue_longitude),
      'link', ${link}, 'hasLink', app.event_has_link(e.id), 'needsApproval', e.needs_approval, 'waitingList', e.waiting_list, 'offerMinutes', e.offer_minutes,
      'guestsPerPerson', e.guests_per_person, 'showsAttendees', e.shows_attendees, 'registrationOpensAt', e.registration_opens_at,
      'registrationClosesAt', e.registration_closes_at, 'cancelUntil', e.cancel_until, 'recordsAttendance', e.records_attendance, 'cancelReason', e.cancel_reason,
      'publishedAt', e.published_at, 'cancelledAt', e.cancelled_at, 'archivedAt', e.archived_at, 'seriesException', e.series_exception, 'repeats', e.repeats, 'series', ${series},
      'programme', ${programme}, 'ticketTypes', ${ticketTypes}, 'promoCodes', case when ${manages} then ${promoCodes} end, 'questions', ${questions}, 'staff', ${staff})
      || jsonb_build_object('counts', case when ${checksIn} then json_build_object('taken', n.taken, 'confirmed', n.confirmed, 'checkedIn', n.checked_in,
        'pendingPayment', n.pending_payment, 'pendingApproval', n.pending_approval, 'offered', n.offered, 'waiting', n.waiting, 'cancelled', n.cancelled) end,
      'invitation', app.my_invitation(e.id), 'missing', ${missing}, 'updatedAt', e.updated_at,
      'may', json_build_object('edit', ${mayNow(sql`e.status <> 'archived'`, manages)}, 'publish', ${mayNow(sql`e.status = 'draft' and e.template_name is null`, holds('events.publish'))},
        'cancel', ${mayNow(sql`e.status = 'published' and e.ends_at > now()`, holds('events.publish'))}, 'archive', ${mayNow(sql`e.status <> 'archived'`, manages)},
        'restore', ${mayNow(sql`e.status = 'archived'`, manages)}, 'copy', ${manages}, 'checkIn', ${mayNow(sql`e.status = 'published'`, checksIn)},
        'seeRegistrations', ${checksIn}, 'register', (${registration} = 'open' or (${registration} = 'full' and e.waiting_list)) and ${mine} is null))) as event
    ${eventsFrom} where e.id = ${eventId}`)

/** With the names of people mentioned that the caller may see. */
export const eventOf = ({ event, names }: { event: Event; names: NamesSeen }): Event => ({
  ...event,
  description: withNames(event.description, names),
})

export async function findEvent(db: ActorDb, eventId: string): Promise<Event | undefined> {
  const { rows } = await db.executeQuery(eventQuery(eventId).compile())
  return rows[0] && eventOf(rows[0])
}

export const templatesQuery = () =>
  statement(sql<{ item: EventTemplate }>`
    select json_build_object('id', e.id, 'templateName', e.template_name, 'title', e.title, 'chapter', ${orNull('c', chapterRef)}, 'version', e.version) as item
    from app.events e left join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id
    where e.template_name is not null and e.status = 'draft' order by lower(e.template_name), e.id limit 200`)
