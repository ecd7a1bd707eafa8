import type { Answer, EventMode, EventQuestion, NewRegistration, RegistrationStatus } from '@guildhall/contract/features/events'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { issueLink } from '../../../platform/links/signed-links.ts'
import type { PartyTickets } from '../events.tickets.rules.ts'

// Functions of the database that are open to everybody; each gives out only what its reader may see.

export type PublicEventFacts = {
  id: string
  title: string
  summary: string
  status: 'published' | 'cancelled'
  mode: EventMode
  startsAt: string
  endsAt: string
  timezone: string
  oneDay: boolean
  venueName: string
  venueAddress: string
  latitude: number | null
  longitude: number | null
  organiser: { name: string; email: string }
}
export type PublicTicket = {
  id: string
  name: string
  description: string
  amount: number
  currency: string
  audience: 'everyone' | 'members' | 'chapter'
  left: number | null
  onSale: boolean
}
/** What a calendar entry of the event needs besides its facts. */
type Dated = { description: FormattedDocument; sequence: number; createdAt: string; updatedAt: string }
export type PublicEvent = PublicEventFacts &
  Dated & {
    orgId: string
    visibility: 'public' | 'unlisted'
    cancelReason: string
    coverFileId: string | null
    coverAlt: string
    capacity: number | null
    taken: number
    needsApproval: boolean
    waitingList: boolean
    guestsPerPerson: number
    opensAt: string | null
    registration: 'closed' | 'not_yet' | 'full' | 'open'
    programme: { title: string; startsAt: string; endsAt: string | null; room: string; speaker: string; about: string }[]
    tickets: PublicTicket[]
    /** Whether a promo code can be entered. */
    promoCodes: boolean
    questions: EventQuestion[]
  }

type PublicEvents = { chapter: { name: string; code: string } | null; items: PublicEventFacts[] }
export async function publicEvents(db: Kysely<Schema>, idpOrg: string | undefined, chapter: string | null) {
  const { rows } = await sql<{ found: PublicEvents | null }>`select app.public_events(${idpOrg ?? null}, ${chapter}, 200) as found`.execute(
    db,
  )
  return rows[0]?.found ?? undefined
}
export async function publicEvent(db: Kysely<Schema>, idpOrg: string | undefined, eventId: string) {
  const { rows } = await sql<{ found: PublicEvent | null }>`select app.public_event(${idpOrg ?? null}, ${eventId}::uuid) as found`.execute(
    db,
  )
  return rows[0]?.found ?? undefined
}

export type GuestRefusal =
  | 'registration_not_open'
  | 'registration_closed'
  | 'registration_guests'
  | 'ticket_needed'
  | 'registration_needs_account'
  | 'ticket_not_on_sale'
  | 'ticket_per_order'
  | 'promo_code_invalid'
  | 'promo_code_used_up'
  | 'event_seats_left'
  | 'event_full'
  | 'event_guests_wait'
/** The seat is held until it is paid (`pays`) or confirmed by the link in the mail. */
type GuestDone = { done: true; pays: boolean; confirms: boolean; refused?: undefined } | { refused: GuestRefusal; left?: number }
/** Undefined where there is no such event to register for. */
type GuestWanted = NewRegistration & { pays: boolean }
export async function registerGuest(db: Kysely<Schema>, idpOrg: string | undefined, eventId: string, wanted: GuestWanted) {
  const { rows } = await sql<{
    done: GuestDone | null
  }>`select app.register_guest(${idpOrg ?? null}, ${eventId}::uuid, ${JSON.stringify(wanted)}::jsonb) as done`.execute(db)
  return rows[0]?.done ?? undefined
}

/** Mails the link again to an address that is registered; the answer says only whether there is such an event. */
export async function mailRegistrationLink(db: Kysely<Schema>, idpOrg: string | undefined, eventId: string, email: string) {
  const { rows } = await sql<{
    found: boolean
  }>`select app.mail_registration_link(${idpOrg ?? null}, ${eventId}::uuid, ${email}) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** The answers of one of a party. */
export type AnswersOf = { id: string; answers: Answer[] }

/** A registration as whoever has its link sees it. */
export type ManagedRegistration = Omit<PublicEventFacts, 'status'> &
  Dated & {
    registrationId: string
    orgId: string
    status: RegistrationStatus
    eventStatus: 'published' | 'cancelled'
    cancelReason: string
    name: string
    email: string
    ticket: string | null
    ticketVersion: number
    guests: (AnswersOf & { name: string; status: RegistrationStatus })[]
    answers: Answer[]
    questions: EventQuestion[]
    position: number | null
    offerUntil: string | null
    holdUntil: string | null
    /** Of all who come along, in minor units. */
    total: number
    refund: number
    currency: string
    mayPay: boolean
    /** Somebody has been on the page to pay on, and nothing was heard since. */
    isPaying: boolean
    mayCancel: boolean
    mayAccept: boolean
    mayAnswer: boolean
    /** Of somebody with an account, who changes it there. */
    isMember: boolean
    link: string | null
  }
export async function registrationByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string) {
  const { rows } = await sql<{
    found: ManagedRegistration | null
  }>`select app.registration_by_link(${idpOrg ?? null}, ${secretHash}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}
export async function changeRegistrationByLink(
  db: Kysely<Schema>,
  idpOrg: string | undefined,
  secretHash: string,
  what: 'accept' | 'cancel',
) {
  const { rows } = await sql<{
    changed: boolean
  }>`select app.change_registration_by_link(${idpOrg ?? null}, ${secretHash}, ${what}) as changed`.execute(db)
  return rows[0]?.changed ?? false
}

export async function answerByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string, said: readonly AnswersOf[]) {
  const { rows } = await sql<{
    changed: boolean
  }>`select app.answer_registration_by_link(${idpOrg ?? null}, ${secretHash}, ${JSON.stringify(said)}::jsonb) as changed`.execute(db)
  return rows[0]?.changed ?? false
}
export async function ticketsByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string) {
  const { rows } = await sql<{ found: PartyTickets | null }>`select app.tickets_by_link(${idpOrg ?? null}, ${secretHash}) as found`.execute(
    db,
  )
  return rows[0]?.found ?? undefined
}

/** For mails that the worker writes. */
export async function ticketsOf(db: Kysely<Schema>, orgId: string, registrationId: string) {
  const { rows } = await sql<{
    found: PartyTickets | null
  }>`select app.registration_tickets(${orgId}::uuid, ${registrationId}::uuid) as found`.execute(db)
  return rows[0]?.found ?? undefined
}
export async function registrationToManage(db: Kysely<Schema>, orgId: string, registrationId: string) {
  const { rows } = await sql<{
    found: ManagedRegistration | null
  }>`select app.registration_to_manage(${orgId}::uuid, ${registrationId}::uuid) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

const day = 86_400_000
/**
 * A new link to the page on which whoever comes sees their registration, and changes it: for mails to the address of the registration, since whoever
 * has it needs nothing else. It works until 30 days after the event, and ends when the ticket goes to somebody else. Undefined when that is over.
 */
export async function manageLinkFor(tx: Kysely<Schema>, orgId: string, registrationId: string): Promise<string | undefined> {
  const registration = await registrationToManage(tx, orgId, registrationId)
  if (!registration) return undefined
  const { path } = await issueLink(tx, {
    purpose: 'registrations',
    subject: { type: 'registration', id: registrationId },
    expiresAt: new Date(Math.min(Date.parse(registration.endsAt) + 30 * day, Date.now() + 399 * day)),
    uses: 'many',
    orgId,
  })
  return path
}
