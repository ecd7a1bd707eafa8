import type { Event, EventChange, NewEvent } from '@guildhall/contract/features/events'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { findEvent } from './events.queries.ts'

type Author = { orgId: string; accountId: string }
type Parts = Pick<EventChange, 'link' | 'programme' | 'ticketTypes' | 'promoCodes' | 'questions' | 'staff'>
export type Facts = Omit<EventChange, keyof Parts>
type NewFacts = Omit<NewEvent, keyof Parts> & { endsAt: string; timezone: string }

export async function insertEvent(
  db: ActorDb,
  { orgId, accountId }: Author,
  { description, repeats, ...facts }: NewFacts,
): Promise<string> {
  const { id } = await db
    .insertInto('app.events')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.events', facts), ...asJson({ description, repeats }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const asJson = ({ description, repeats }: Pick<Facts, 'description' | 'repeats'>) => ({
  ...(description !== undefined && { description: JSON.stringify(description) }),
  ...(repeats !== undefined && { repeats: repeats && JSON.stringify(repeats) }),
})

type Guarded = { eventId: string; version: number }
/** Changes of its parts alone raise the version too. */
export const updateEvent = (db: ActorDb, { eventId: id, version }: Guarded, { description, repeats, ...facts }: Facts): Promise<Event> =>
  updateRecord(
    db,
    'app.events',
    { id, version },
    { ...columnsOf('app.events', facts), ...asJson({ description, repeats }), updated_at: sql`now()` },
    () => findEvent(db, id),
  )

type Status = { status: RawBuilder<string> | Event['status']; cancel_reason?: string }
export const setStatus = (db: ActorDb, { eventId: id, version }: Guarded, set: Status): Promise<Event> =>
  updateRecord(db, 'app.events', { id, version }, set, () => findEvent(db, id))

/** What an archived event was before. */
export const statusBefore = sql<string>`case when cancelled_at is not null then 'cancelled' when published_at is not null then 'published' else 'draft' end`

/** The zone of the chapter, else of the organisation. */
export async function usualZone(db: ActorDb, chapterId: string | null | undefined): Promise<string> {
  const { rows } = await sql<{
    zone: string
  }>`select coalesce(nullif((select c.timezone from app.chapters c where c.id = ${chapterId ?? null}::uuid), ''), o.timezone) as zone
    from app.organisations o where o.org_id = (select app.org_id())`.execute(db)
  return rows[0]?.zone ?? 'UTC'
}

/** A cover is a picture of an event, of this one or one that the caller sees. */
export async function mustBeCover(db: ActorDb, fileId: string | null | undefined): Promise<void> {
  if (!fileId) return
  const { rows } = await sql`select from app.files f where f.id = ${fileId} and f.record_type = 'event' and f.use = 'picture'`.execute(db)
  if (rows.length === 0)
    throw problem('UNPROCESSABLE_CONTENT', fault('coverFileId', 'event_cover', 'Upload a picture for this event first.'))
}

// Parts -------------------------------------------------------------------------------------------------------------------------------

type PartTable =
  'app.event_programme' | 'app.event_ticket_types' | 'app.event_promo_codes' | 'app.event_questions' | 'app.event_survey_questions'

/** Each part that was sent, as a whole: rows keep their ids, new ones get one, and those left out go, or are archived where they were used. */
export async function saveParts(db: ActorDb, orgId: string, eventId: string, parts: Parts): Promise<void> {
  if (parts.link !== undefined) await saveLink(db, orgId, eventId, parts.link)
  if (parts.programme) await savePart(db, orgId, eventId, 'app.event_programme', 'programme', parts.programme)
  if (parts.ticketTypes) await savePart(db, orgId, eventId, 'app.event_ticket_types', 'ticketTypes', await priced(db, parts.ticketTypes))
  if (parts.promoCodes) await savePart(db, orgId, eventId, 'app.event_promo_codes', 'promoCodes', parts.promoCodes)
  if (parts.questions) await savePart(db, orgId, eventId, 'app.event_questions', 'questions', parts.questions)
  if (parts.staff) await saveStaff(db, orgId, eventId, parts.staff)
}

async function priced(db: ActorDb, tickets: NonNullable<Parts['ticketTypes']>) {
  const { rows } = await sql<{ currency: string }>`select currency from app.organisations where org_id = (select app.org_id())`.execute(db)
  const free = { amount: 0, currency: rows[0]?.currency ?? 'EUR' }
  return tickets.map(({ price = free, memberPrice, ...ticket }) => ({
    ...ticket,
    priceAmount: price.amount,
    priceCurrency: price.currency,
    memberPriceAmount: memberPrice,
  }))
}

/** Columns by table, with their types; all names come from here. */
const columns: Record<PartTable, Readonly<Record<string, string>>> = {
  'app.event_programme': { title: 'text', startsAt: 'timestamptz', endsAt: 'timestamptz', room: 'text', speaker: 'text', about: 'text' },
  'app.event_ticket_types': {
    name: 'text',
    description: 'text',
    priceAmount: 'bigint',
    priceCurrency: 'text',
    memberPriceAmount: 'bigint',
    quota: 'int',
    audience: 'text',
    sellsFrom: 'timestamptz',
    sellsUntil: 'timestamptz',
    minPerOrder: 'int',
    maxPerOrder: 'int',
  },
  'app.event_promo_codes': {
    code: 'text',
    ticketTypeId: 'uuid',
    percent: 'int',
    amount: 'bigint',
    usesLimit: 'int',
    validFrom: 'timestamptz',
    validUntil: 'timestamptz',
  },
  'app.event_questions': { text: 'text', kind: 'text', required: 'boolean', options: 'text[]', ofGuests: 'boolean' },
  'app.event_survey_questions': { text: 'text', kind: 'text', required: 'boolean', options: 'text[]' },
}
const columnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const placed = (table: PartTable) => table !== 'app.event_promo_codes'
const archives = (table: PartTable) => table !== 'app.event_programme'

/** The rows of one part, which replace those that are there. */
export async function savePart(
  db: ActorDb,
  orgId: string,
  eventId: string,
  table: PartTable,
  path: string,
  rows: readonly { id?: string | undefined }[],
) {
  const { rows: before } = await sql<{ id: string }>`select x.id from ${sql.table(table)} x where x.event_id = ${eventId}
    ${archives(table) ? sql`and x.archived_at is null` : sql``}`.execute(db)
  const known = new Set(before.map(({ id }) => id))
  const stranger = rows.findIndex(({ id }, nth) => id !== undefined && (!known.has(id) || rows.findIndex((other) => other.id === id) < nth))
  if (stranger >= 0)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault(`${path}.${stranger}.id`, 'event_part_unknown', 'This is not there any more. Leave its id out to add it again.'),
    )
  const kept = rows.flatMap(({ id }) => id ?? [])
  if (kept.length < known.size) await removeParts(db, table, eventId, kept)
  if (rows.length === 0) return
  const fields = Object.entries(columns[table])
  const names = [...fields.map(([field]) => columnName(field)), ...(placed(table) ? ['place'] : [])]
  const typed = sql.join([...fields.map(([field, type]) => sql`${sql.ref(field)} ${sql.raw(type)}`), sql`id uuid`, sql`place int`])
  const values = sql.join([...fields.map(([field]) => sql.ref(`v.${field}`)), ...(placed(table) ? [sql`v.place`] : [])])
  const json = JSON.stringify(rows.map((row, nth) => ({ ...row, place: nth + 1 })))
  await sql`
    insert into ${sql.table(table)} as x (org_id, event_id, id, ${sql.join(names.map((name) => sql.ref(name)))})
    select ${orgId}, ${eventId}, coalesce(v.id, app.uuid7()), ${values} from jsonb_to_recordset(${json}::jsonb) as v (${typed})
    on conflict (org_id, id) do update set ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
    where (${sql.join(names.map((name) => sql.ref(`x.${name}`)))}) is distinct from (${sql.join(names.map((name) => sql.ref(`excluded.${name}`)))})`.execute(
    db,
  )
}

async function removeParts(db: ActorDb, table: PartTable, eventId: string, kept: readonly string[]) {
  const gone = sql`x.event_id = ${eventId} and x.id <> all (${kept}::uuid[])`
  if (archives(table)) await sql`update ${sql.table(table)} x set archived_at = now() where ${gone} and x.archived_at is null`.execute(db)
  else await sql`delete from ${sql.table(table)} x where ${gone}`.execute(db)
}

async function saveLink(db: ActorDb, orgId: string, eventId: string, link: NonNullable<Parts['link']> | null) {
  if (link === null) await db.deleteFrom('app.event_links').where('event_id', '=', eventId).execute()
  else
    await db
      .insertInto('app.event_links')
      .values({ org_id: orgId, event_id: eventId, ...link })
      .onConflict((oc) => oc.columns(['org_id', 'event_id']).doUpdateSet(link))
      .execute()
}

async function saveStaff(db: ActorDb, orgId: string, eventId: string, staff: NonNullable<Parts['staff']>) {
  const people = staff.map(({ personId }) => personId)
  const roles = staff.map(({ role }) => role)
  const wanted = sql`(select distinct w.person, w.role from unnest(${people}::uuid[], ${roles}::text[]) w (person, role))`
  const { rows: hidden } = await sql<{
    nth: number
  }>`select u.nth::int - 1 as nth from unnest(${people}::uuid[]) with ordinality u (person, nth)
    where not exists (select from app.people p where p.id = u.person and p.deleted_at is null) order by u.nth limit 1`.execute(db)
  if (hidden[0])
    throw problem('UNPROCESSABLE_CONTENT', fault(`staff.${hidden[0].nth}.personId`, 'event_staff_person', 'There is no such person.'))
  await sql`delete from app.event_staff s where s.event_id = ${eventId} and (s.person_id, s.role) not in ${wanted}
    and exists (select from app.people p where p.org_id = s.org_id and p.id = s.person_id)`.execute(db)
  await sql`insert into app.event_staff (org_id, event_id, person_id, role) select ${orgId}, ${eventId}, w.person, w.role from ${wanted} w
    on conflict (org_id, event_id, person_id, role) do nothing`.execute(db)
}
