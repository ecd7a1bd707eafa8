import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { RegistrationCause, RegistrationStatus } from '@guildhall/contract/features/events'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type * as z from 'zod'
import type { CalendarRow } from '../calendar/events.calendar.entries.rules.ts'

/** When and where an event takes place. */
export type EventFacts = {
  startsAt: string
  endsAt: string
  timezone: string
  venueName: string
  venueAddress: string
  link: string | null
}
export type RegistrationNotice = EventFacts & {
  eventId: string
  title: string
  eventStatus: string
  cancelReason: string
  registrationId: string
  name: string
  status: RegistrationStatus
  cause: z.infer<typeof RegistrationCause>
  reason: string
  ticket: string | null
  holdUntil: string | null
  offerUntil: string | null
  refund: number
  price: number
  currency: string
  host: string | null
  isGuest: boolean
  guests: string[]
  invoice: { id: string; balance: number; currency: string } | null
  /** What the organisers add to the mails of each kind. */
  extra: Record<string, string>
  /** Null for everybody without a seat. */
  calendar: CalendarRow | null
}
export type MessageNotice = {
  kind: 'message' | 'changed' | 'event_cancelled' | 'reminder' | 'survey'
  subject: string
  body: FormattedDocument
  before: EventFacts | null
  after: EventFacts | null
  eventId: string
}

export async function findRegistrationNotice(db: Kysely<Schema>, orgId: string, id: string): Promise<RegistrationNotice | null> {
  const { rows } = await sql<{ notice: RegistrationNotice | null }>`select app.event_mail(${orgId}, ${id}) as notice`.execute(db)
  return rows[0]?.notice ?? null
}
export async function findMessageNotice(db: Kysely<Schema>, orgId: string, id: string): Promise<MessageNotice | null> {
  const { rows } = await sql<{ notice: MessageNotice | null }>`select app.event_message_mail(${orgId}, ${id}) as notice`.execute(db)
  return rows[0]?.notice ?? null
}

export const planMessages = async (db: Kysely<Schema>, orgId: string): Promise<void> => {
  await sql`select app.plan_event_messages(${orgId})`.execute(db)
}
/** Writes so many mails of the message that is due longest; 0 when none is due. */
export async function sendMessages(db: Kysely<Schema>, orgId: string, most: number): Promise<number> {
  const { rows } = await sql<{ done: number }>`select app.send_event_messages(${orgId}, ${most}) as done`.execute(db)
  return rows[0]?.done ?? 0
}
