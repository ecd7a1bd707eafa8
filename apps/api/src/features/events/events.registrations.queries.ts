import type {
  Answer,
  CapacityLine,
  EventCounts,
  NewRegistration,
  PriceQuestion,
  RefundState,
  Registration,
  RegistrationPrice,
  RegistrationRefund,
  RosterEntry,
  Scan,
} from '@guildhall/contract/features/events'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { orNull, personRef } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { statement } from '../../platform/records/statement.ts'
import { checksIn, eventsFrom, manages } from './events.queries.ts'

/** A registration before its ticket has a code, which the database does not know. */
export type Coded<Item> = Omit<Item, 'ticketCode' | 'code'> & { ticketVersion: number | null }

// In these pieces `r` is the registration, `e` its event with counts `n`, `t` its ticket and `p` the person, the last two left joined.

export const registrationsFrom = sql`from app.registrations r
  join app.events e on e.org_id = r.org_id and e.id = r.event_id
  join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
  left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id
  left join app.people p on p.org_id = r.org_id and p.id = r.person_id`

const mine: RawBuilder<SqlBool> = sql`(coalesce(r.person_id = (select app.person_id()), false) or coalesce(r.payer_id = (select app.person_id()), false)
  or coalesce(r.created_by = (select app.account_id()) and (r.person_id is null or r.source <> 'self'), false))`
/** Those that one made for oneself: with guests, and tickets that went to somebody else; not those that organisers enter. */
export const theirs: RawBuilder<SqlBool> = sql`(coalesce(r.person_id = (select app.person_id()), false) or coalesce(r.payer_id = (select app.person_id()), false)
  or (r.created_by = (select app.account_id()) and r.person_id is null and r.source = 'self'))`
// What is between the organisers and whoever comes: a ticket that was given to somebody else, or paid for, tells nothing of them.
const holds: RawBuilder<SqlBool> = sql`(coalesce(r.person_id = (select app.person_id()), false) or (r.person_id is null and ${mine}))`
const cancelUntil = sql`coalesce(e.cancel_until, e.starts_at)`
export const live: RawBuilder<SqlBool> = sql`r.status not in ('cancelled', 'rejected')`
const canChange = sql`(${manages} or (${mine} and ${cancelUntil} > now()))`

const checkedIn = sql`(select json_build_object('id', k.id, 'at', k.scanned_at, 'device', k.device, 'by', k.by_name) from app.check_ins k
  where k.org_id = r.org_id and k.registration_id = r.id and k.list = '' and k.undone_at is null)`

const answers = sql`(select coalesce(json_agg(json_build_object('questionId', a.answer ->> 'questionId', 'text', q.text, 'value', a.answer -> 'value') order by q.place, q.id), '[]')
  from jsonb_array_elements(r.answers) a (answer) join app.event_questions q on q.org_id = r.org_id and q.id = (a.answer ->> 'questionId')::uuid)`

export const registrationItem = sql<Coded<Registration>>`json_build_object('id', r.id,
  'event', json_build_object('id', e.id, 'title', e.title, 'status', e.status, 'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone,
    'startsLocal', to_char(e.starts_local, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'attendanceTaken', n.checked_in > 0),
  'person', ${orNull('p', personRef)}, 'name', r.name, 'email', case when ${manages} or ${holds} then r.email else '' end, 'status', r.status, 'cause', r.cause, 'reason', r.reason, 'source', r.source, 'hostId', r.host_id,
  'guests', (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'status', g.status) order by g.sort_name, g.id), '[]')
    from app.registrations g where g.org_id = r.org_id and g.host_id = r.id),
  'ticketType', case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end,
  'price', json_build_object('amount', r.price_amount, 'currency', r.price_currency),
  'invoice', case when r.price_amount > 0 then (select json_build_object('id', i.id, 'state', i.state) from app.invoice_lines l
    join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
    where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id and i.kind = 'invoice' order by i.id desc limit 1) end,
  'refund', case when r.refund_state = 'refunded' then 0 else r.refund_amount end, 'refundState', r.refund_state,
  'answers', case when ${manages} or ${holds} then ${answers} else '[]' end,
  'waiting', case when r.status = 'waitlisted' then json_build_object('position', app.waiting_position(r.id), 'of', n.waiting) end,
  'holdUntil', r.hold_until, 'offerUntil', r.offer_until, 'checkedInAt', r.checked_in_at,
  'checkIn', case when r.status = 'checked_in' and ${checksIn} then ${checkedIn} end, 'ticketVersion', case when ${checksIn} or ${holds} then r.ticket_version end, 'createdAt', r.created_at, 'version', r.version,
  'may', json_build_object('cancel', ${live} and r.status <> 'checked_in' and ${canChange}, 'transfer', r.status = 'confirmed' and ${canChange},
    'answerOffer', r.status = 'offered' and r.offer_until > now() and (${mine} or ${manages}),
    'decide', r.status in ('pending_approval', 'pending_payment') and r.host_id is null and ${manages},
    'offer', r.status = 'waitlisted' and e.status = 'published' and ${manages} and coalesce(n.taken < e.capacity, true),
    'checkIn', r.status in ('confirmed', 'checked_in') and e.status = 'published' and ${checksIn},
    'answer', ${live} and (${manages} or (${holds} and e.starts_at > now()))))`

const one = (registrationId: string) =>
  sql<{ item: Coded<Registration> }>`select ${registrationItem} as item ${registrationsFrom} where r.id = ${registrationId}`
export const registrationQuery = (registrationId: string) => statement(one(registrationId))
export async function findRegistration(db: ActorDb, registrationId: string): Promise<Coded<Registration> | undefined> {
  return (await one(registrationId).execute(db)).rows[0]?.item
}

/** Whether the caller sees this person, and they are neither deleted, erased nor merged into another. */
export async function personThere(db: ActorDb, personId: string): Promise<boolean> {
  const { rows } =
    await sql`select from app.people p where p.id = ${personId} and p.deleted_at is null and p.lifecycle not in ('erased', 'merged')`.execute(
      db,
    )
  return rows.length > 0
}

type OfPerson = { personId?: string | undefined; past?: boolean | undefined }
/** One's own; of somebody else, policies show those of events that the reader runs. */
export const registrationsOfPerson = ({ personId, past = false }: OfPerson): List<Coded<Registration>> => ({
  key: ['registrations of a person', past, personId ?? null],
  item: registrationItem,
  from: registrationsFrom,
  where: [
    personId ? sql`r.person_id = ${personId}` : sql`r.person_id = (select app.person_id())`,
    past ? sql`e.ends_at <= now()` : sql`e.ends_at > now() and ${live}`,
  ],
  order: [sql`e.starts_at`, sql`r.id`],
  descending: past,
})

export const refundsList = (state: RefundState | undefined): List<Coded<RegistrationRefund>> => ({
  key: ['refunds of registrations', state ?? null],
  item: sql`(${registrationItem})::jsonb || jsonb_build_object('refundTotal', r.refund_amount, 'changedAt', r.updated_at,
    'refundFailure', case when r.refund_state = 'failed' then (select f.failure from app.refunds f
      where f.org_id = r.org_id and f.registration_id = r.id and f.state = 'failed' order by f.id desc limit 1) end,
    'mayRefund', r.refund_state in ('by_hand', 'failed') and ${keepsBooks})`,
  from: registrationsFrom,
  where: [state ? sql`r.refund_state = ${state}` : sql`r.refund_state is not null`, seesBooks],
  order: [sql`r.id`],
  descending: true,
})
/** Those who are registered see their own, and those who run an event theirs: this list is for the books. */
const seesBooks: RawBuilder<SqlBool> = sql`((select app.everywhere('finance.read')) or r.chapter_id = any ((select app.scope('finance.read'))::uuid[]))`
const keepsBooks: RawBuilder<SqlBool> = sql`((select app.everywhere('finance.manage')) or coalesce(r.chapter_id = any ((select app.scope('finance.manage'))::uuid[]), false))`

// What the engine of the database does --------------------------------------------------------------------------------------------------

type Done = { ids: string[]; existing?: undefined } | { existing: string }
export async function register(db: ActorDb, eventId: string, wanted: NewRegistration): Promise<Done> {
  const { rows } = await sql<{
    done: Done
  }>`select app.register_for_event(${eventId}::uuid, ${JSON.stringify(wanted)}::jsonb) as done`.execute(db)
  const [row] = rows
  if (!row) throw new Error('registering answered nothing')
  return row.done
}
export const cancelRegistration = (db: ActorDb, id: string, reason: string) =>
  sql`select app.cancel_registration(${id}::uuid, ${reason})`.execute(db)
export const decideRegistration = (db: ActorDb, id: string, accept: boolean, reason = '') =>
  sql`select app.decide_registration(${id}::uuid, ${accept}, ${reason})`.execute(db)
export const offerRegistration = (db: ActorDb, id: string) => sql`select app.offer_registration(${id}::uuid)`.execute(db)
export const acceptOffer = (db: ActorDb, id: string) => sql`select app.answer_offer(${id}::uuid, true)`.execute(db)
export const transferRegistration = (
  db: ActorDb,
  id: string,
  to: { personId?: string | undefined; name?: string | undefined; email?: string | undefined },
) => sql`select app.transfer_registration(${id}::uuid, ${JSON.stringify(to)}::jsonb)`.execute(db)
export const nameOfPerson = async (db: ActorDb, id: string): Promise<string | undefined> =>
  (await db.selectFrom('app.people').select('display_name').where('id', '=', id).executeTakeFirst())?.display_name
export const answerRegistration = (db: ActorDb, id: string, answers: readonly Registration['answers'][number][] | readonly Answer[]) =>
  sql`select app.answer_registration(${id}::uuid, ${JSON.stringify(answers.map(({ questionId, value }) => ({ questionId, value })))}::jsonb)`.execute(
    db,
  )
type PriceWanted = Omit<z.infer<typeof PriceQuestion>, 'eventId'>
export const priceQuery = (eventId: string, wanted: PriceWanted) =>
  statement(sql<{ price: RegistrationPrice }>`select app.registration_price(${eventId}::uuid, ${JSON.stringify(wanted)}::jsonb) as price`)
export const settleRegistration = (tx: ActorDb | Kysely<Schema>, orgId: string, id: string, paid: boolean) =>
  sql`select app.settle_registration(${orgId}::uuid, ${id}::uuid, ${paid})`.execute(tx)
/** Ends holds and offers whose time is over; how many. */
export async function runRegistrations(db: Kysely<Schema>, orgId: string, most: number): Promise<number> {
  const { rows } = await sql<{ done: number }>`select app.run_registrations(${orgId}::uuid, ${most}) as done`.execute(db)
  return rows[0]?.done ?? 0
}

// Counts and ledger ---------------------------------------------------------------------------------------------------------------------

const counts = sql<EventCounts>`json_build_object('taken', n.taken, 'confirmed', n.confirmed, 'checkedIn', n.checked_in, 'pendingPayment', n.pending_payment,
  'pendingApproval', n.pending_approval, 'offered', n.offered, 'waiting', n.waiting, 'cancelled', n.cancelled)`
type Standing = { counts: EventCounts; capacity: number | null; mayManage: boolean; mayCheckIn: boolean; asOf: string }
export const standingQuery = (eventId: string) =>
  statement(
    sql<Standing>`select ${counts} as counts, e.capacity, ${manages} as "mayManage", ${checksIn} as "mayCheckIn", to_json(now()) as "asOf" ${eventsFrom} where e.id = ${eventId}`,
  )
export async function findStanding(db: ActorDb, eventId: string): Promise<Standing | undefined> {
  const { rows } = await db.executeQuery(standingQuery(eventId).compile())
  return rows[0]
}
export const differencesQuery = (eventId: string) =>
  statement(sql<{ differences: number }>`select count(*)::int as differences from app.event_reconciled(${eventId}::uuid)`)

export const ledgerList = (eventId: string, registrationId?: string): List<CapacityLine> => ({
  key: ['capacity ledger', eventId, registrationId ?? null],
  item: sql`json_build_object('entry', l.entry, 'at', l.at, 'registrationId', l.registration_id, 'name', l.name, 'ticketType', t.name, 'before', l.before, 'after', l.after,
    'cause', l.cause, 'seats', l.seats, 'taken', l.taken, 'by', coalesce(a.name, ''))`,
  from: sql`from app.event_ledger l left join app.event_ticket_types t on t.org_id = l.org_id and t.id = l.ticket_type_id
    left join app.accounts a on a.org_id = l.org_id and a.id = l.account_id`,
  where: [sql`l.event_id = ${eventId}`, ...(registrationId ? [sql<SqlBool>`l.registration_id = ${registrationId}`] : [])],
  order: [sql`l.entry`],
  descending: true,
})

// The door ------------------------------------------------------------------------------------------------------------------------------

type RosterPage = { after: string | undefined; since: string | undefined; limit: number }
/** Whoever has a seat; or, to a device that asked before, whoever changed since, with time for what was under way then. */
export const rosterQuery = (eventId: string, { after, since, limit }: RosterPage) =>
  statement(sql<{ item: Coded<RosterEntry> & { ticketVersion: number } }>`
    select json_build_object('id', r.id, 'name', r.name, 'ticketType', t.name, 'status', r.status, 'ticketVersion', r.ticket_version, 'checkedInAt', r.checked_in_at) as item
    from app.registrations r left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id
    where r.event_id = ${eventId} and ${since ? sql`r.updated_at >= ${since}::timestamptz - interval '30 seconds'` : sql`r.status in ('confirmed', 'checked_in')`}
      and ${after ? sql`r.id > ${after}` : sql`true`} order by r.id limit ${limit}`)

export type Scanned = { result: string; registrationId?: string; checkInId?: string }
type Checked = Pick<Scan, 'clientId' | 'device' | 'list' | 'at'> & { ticketVersion?: number | undefined }
export async function checkIn(db: ActorDb, eventId: string, registrationId: string, wanted: Checked): Promise<Scanned> {
  const { rows } = await sql<{
    scanned: Scanned
  }>`select app.check_in(${eventId}::uuid, ${registrationId}::uuid, ${JSON.stringify(wanted)}::jsonb) as scanned`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a scan answered nothing')
  return row.scanned
}
export const undoCheckIn = (db: ActorDb, checkInId: string) => sql`select app.undo_check_in(${checkInId}::uuid)`.execute(db)

type Seen = {
  registration: { id: string; name: string; ticketType: string | null; status: Registration['status'] } | null
  first: { at: string; device: string; by: string } | null
}
/** Who stands at the door, and when they were let in. */
export async function findScanned(db: ActorDb, registrationId: string, checkInId: string | undefined): Promise<Seen> {
  const { rows } = await sql<Seen>`
    select json_build_object('id', r.id, 'name', r.name, 'ticketType', t.name, 'status', r.status) as registration,
      (select json_build_object('at', c.scanned_at, 'device', c.device, 'by', c.by_name) from app.check_ins c where c.org_id = r.org_id and c.id = ${checkInId ?? null}::uuid) as first
    from app.registrations r left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id where r.id = ${registrationId}`.execute(
    db,
  )
  return rows[0] ?? { registration: null, first: null }
}
export async function eventOfCheckIn(db: ActorDb, checkInId: string): Promise<string | undefined> {
  const { rows } = await sql<{ eventId: string }>`select c.event_id as "eventId" from app.check_ins c where c.id = ${checkInId}`.execute(db)
  return rows[0]?.eventId
}
