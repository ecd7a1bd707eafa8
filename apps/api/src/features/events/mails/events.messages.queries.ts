import { EventMailKind } from '@guildhall/contract/features/events'
import type { EventMailSetting, EventMessage, MessageAudience, NewEventMessage } from '@guildhall/contract/features/events'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { List } from '../../../platform/lists/list-page.ts'
import { statement } from '../../../platform/records/statement.ts'

// In these pieces `m` is the message, `t` the ticket type it is for and `a` the account that wrote it, the last two left joined.

const from = sql`from app.event_messages m left join app.event_ticket_types t on t.org_id = m.org_id and t.id = m.ticket_type_id
  left join app.accounts a on a.org_id = m.org_id and a.id = m.created_by`
type Uncounted = Omit<EventMessage, 'outcomes'>
const item = sql<Uncounted>`json_build_object('id', m.id, 'kind', m.kind, 'audience', m.audience, 'ticketType', case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end,
  'subject', m.subject, 'body', m.body, 'state', m.state, 'sendAt', m.send_at, 'sentAt', m.sent_at, 'by', case when m.kind = 'message' then coalesce(a.name, '') else '' end, 'recipients', m.recipients)`

export const messagesList = (eventId: string): List<Uncounted> => ({
  key: ['messages of an event', eventId],
  item,
  from,
  where: [sql`m.event_id = ${eventId}`],
  order: [sql`m.id`],
  descending: true,
})
export async function findMessage(db: ActorDb, id: string): Promise<(Uncounted & { eventId: string }) | undefined> {
  const { rows } = await sql<{
    item: Uncounted
    eventId: string
  }>`select ${item} as item, m.event_id as "eventId" ${from} where m.id = ${id}`.execute(db)
  return rows[0] && { ...rows[0].item, eventId: rows[0].eventId }
}

type Outcome = { message: string; state: string; mails: number }
export const outcomesQuery = (eventId: string) =>
  statement(sql<Outcome>`select message, state, mails from app.event_message_outcomes(${eventId}::uuid)`)

const nothing = { waiting: 0, sent: 0, failed: 0, suppressed: 0, unknown: 0 }
/** Messages with what became of their mails. */
export const counted = (messages: readonly Uncounted[], outcomes: readonly Outcome[]): EventMessage[] =>
  messages.map((message) => ({
    ...message,
    outcomes: outcomes
      .filter((outcome) => outcome.message === message.id)
      .reduce<EventMessage['outcomes']>((sums, { state, mails }) => {
        const as = state === 'queued' || state === 'sending' ? 'waiting' : state
        return as in sums ? { ...sums, [as]: (Object.entries(sums).find(([key]) => key === as)?.[1] ?? 0) + mails } : sums
      }, nothing),
  }))

export const audienceQuery = (eventId: string, audience: MessageAudience, ticketTypeId: string | undefined) =>
  statement(
    sql<{ recipients: number }>`select app.event_audience(${eventId}::uuid, ${audience}, ${ticketTypeId ?? null}::uuid) as recipients`,
  )

export async function addMessage(
  db: ActorDb,
  orgId: string,
  eventId: string,
  { subject, body, audience, ticketTypeId, sendAt }: z.output<typeof NewEventMessage>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into app.event_messages (org_id, event_id, kind, audience, ticket_type_id, subject, body, send_at, created_by)
    values (${orgId}, ${eventId}, 'message', ${audience}, ${ticketTypeId ?? null}, ${subject}, ${JSON.stringify(body)}, coalesce(${sendAt ?? null}::timestamptz, now()), app.account_id())
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}
export async function withdrawMessage(db: ActorDb, id: string): Promise<void> {
  await sql`update app.event_messages set state = 'withdrawn' where id = ${id} and kind = 'message' and state <> 'withdrawn'`.execute(db)
}

// Automatic mails -----------------------------------------------------------------------------------------------------------------------

const canBeOff: ReadonlySet<EventMailKind> = new Set(['requested', 'waiting', 'reminder', 'survey'])
export const isEssential = (kind: EventMailKind): boolean => !canBeOff.has(kind)
const usualHours = 24
/** Kinds that leave so many hours before the start, or after the end. */
const timed: ReadonlySet<EventMailKind> = new Set(['reminder', 'survey'])

type Kept = { kind: EventMailKind; enabled: boolean; extra: string; hours: number | null }
/** What an event says of its automatic mails, and what the organisation says of its reminders. */
type Settings = { kept: Kept[]; reminderHours: number }
const settings = (eventId: string) => sql<Settings>`select o.event_reminder_hours as "reminderHours",
  (select coalesce(json_agg(json_build_object('kind', s.kind, 'enabled', s.enabled, 'extra', s.extra, 'hours', s.hours)), '[]') from app.event_mail_settings s where s.event_id = ${eventId}) as kept
  from app.organisations o`
export const settingsQuery = (eventId: string) => statement(settings(eventId))
export async function findSettings(db: ActorDb, eventId: string): Promise<Settings | undefined> {
  const { rows } = await settings(eventId).execute(db)
  return rows[0]
}
export const allSettings = ({ kept, reminderHours }: Settings): EventMailSetting[] =>
  EventMailKind.options.map((kind) => {
    const { enabled = true, extra = '', hours } = kept.find((one) => one.kind === kind) ?? {}
    const usual = kind === 'reminder' ? reminderHours : usualHours
    return { kind, essential: isEssential(kind), enabled, extra, hours: timed.has(kind) ? (hours ?? usual) : null }
  })
/** A reminder as usual stays as usual, also when the organisation changes that. */
export async function keepSetting(db: ActorDb, orgId: string, eventId: string, { kind, enabled, extra, hours }: Kept): Promise<void> {
  const own =
    kind === 'reminder'
      ? sql`nullif(${hours}::int, (select o.event_reminder_hours from app.organisations o where o.org_id = ${orgId}))`
      : sql`${timed.has(kind) ? hours : null}::int`
  await sql`insert into app.event_mail_settings (org_id, event_id, kind, enabled, extra, hours)
    values (${orgId}, ${eventId}, ${kind}, ${enabled}, ${extra}, ${own})
    on conflict (org_id, event_id, kind) do update set enabled = excluded.enabled, extra = excluded.extra, hours = excluded.hours`.execute(
    db,
  )
}
