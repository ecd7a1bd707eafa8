import { MessageSort, messagesFilterFields } from '@guildhall/contract/features/communication.messages'
import type {
  CommunicationSettings,
  CommunicationSettingsChange,
  Delivery,
  DeliveryState,
  Message,
  MessageChange,
  MessageCounts,
  MessageRow,
  NewMessage,
  PersonMessage,
} from '@guildhall/contract/features/communication.messages'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, idField, relationField, textField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../../platform/lists/filters.ts'
import { chapterRef, groupRef, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { chapterField } from '../../chapters/chapters.references.public.ts'
import { offeredMoves } from './communication.sending.rules.ts'

// In these pieces `m` is the message; `t` its topic, `c` its chapter, `g` its group and `k` its counts, all left joined.

const n = (...whats: readonly string[]) =>
  sql`coalesce((select sum((k.n ->> x)::int) from unnest(${sql.lit(`{${whats.join(',')}}`)}::text[]) x), 0)::int`
const states = ['queued', 'sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'failed', 'unknown', 'skipped', 'cancelled']
export const leftStates = ['sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'unknown']
/** Of `k.n`, an object of counts by what they count. */
export const countsOf: RawBuilder<MessageCounts> = sql`json_build_object('recipients', ${n(...states)}, 'queued', ${n('queued')}, 'sent', ${n('sent')}, 'delivered', ${n('delivered')},
  'softBounces', ${n('soft_bounce')}, 'hardBounces', ${n('hard_bounce')}, 'complaints', ${n('complaint')}, 'failed', ${n('failed')}, 'unknown', ${n('unknown')}, 'skipped', ${n('skipped')},
  'cancelled', ${n('cancelled')}, 'left', ${n(...leftStates)}, 'opened', ${n('opened')}, 'clicked', ${n('clicked')}, 'unsubscribed', ${n('unsubscribed')})`
export const joinCounts = sql`left join lateral (select coalesce(jsonb_object_agg(x.what, x.n), '{}') as n from app.message_counts x where x.org_id = m.org_id and x.message_id = m.id) k on true`

const fields = sql`'id', m.id, 'name', m.name, 'subject', m.subject, 'status', m.status, 'topic', case when t.id is not null then json_build_object('id', t.id, 'name', t.name, 'kind', t.kind) end,
  'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('g', groupRef)}, 'sendAt', m.send_at, 'startedAt', m.started_at, 'finishedAt', m.finished_at,
  'createdBy', coalesce((select a.name from app.account_name(m.created_by) a), ''), 'counts', ${countsOf}, 'archivedAt', m.archived_at, 'createdAt', m.created_at, 'updatedAt', m.updated_at, 'version', m.version`
const from = sql`from app.messages m left join app.topics t on t.org_id = m.org_id and t.id = m.topic_id left join app.chapters c on c.org_id = m.org_id and c.id = m.chapter_id
  left join app.groups g on g.org_id = m.org_id and g.id = m.group_id ${joinCounts}`

const holds = (permission: string) =>
  sql`((select app.everywhere(${permission})) or coalesce(m.chapter_id = any ((select app.scope(${permission}))::uuid[]), false)
    or coalesce(m.group_id = any ((select app.group_scope(${permission}))::uuid[]), false))`
/** Of one that an automation sends, which decides by itself when. */
const automation = sql`(select json_build_object('id', u.id, 'name', u.name) from app.automations u where u.org_id = m.org_id and u.id = m.automation_id)`
type Found = { item: Omit<Message, 'may'> & { mayWrite: boolean; maySend: boolean; isAuthor: boolean; isSubmitter: boolean } }
export const messageQuery = (id: string) =>
  statement(sql<Found>`
    select json_build_object(${fields}, 'automation', ${automation}, 'preheader', m.preheader, 'body', m.body, 'fromName', m.from_name, 'replyTo', m.reply_to, 'audience', m.audience, 'pace', m.pace,
      'submittedBy', (select a.name from app.account_name(m.sender_id) a), 'submittedAt', m.submitted_at, 'approvedBy', (select a.name from app.account_name(m.approved_by) a),
      'approvedAt', m.approved_at, 'note', m.decided_note, 'failure', m.failure, 'mayWrite', ${holds('messages.write')}, 'maySend', ${holds('messages.send')},
      'isAuthor', coalesce(m.created_by = (select app.account_id()), false), 'isSubmitter', coalesce(m.sender_id = (select app.account_id()), false)) as item
    ${from} where m.id = ${id}`)
export function messageOf({ item }: Found): Message {
  const { mayWrite, maySend, isAuthor, isSubmitter, ...message } = item
  return {
    ...message,
    may: offeredMoves({ status: message.status, isArchived: message.archivedAt !== null, mayWrite, maySend, isAuthor, isSubmitter }),
  }
}
export async function findMessage(db: ActorDb, id: string): Promise<Message | undefined> {
  const { rows } = await db.executeQuery(messageQuery(id).compile())
  return rows[0] && messageOf(rows[0])
}

const catalogue: FilterCatalogue = {
  name: textField(sql`m.name`),
  status: choiceField(sql`m.status`, messagesFilterFields.status.options),
  topic: idField(sql`m.topic_id`),
  chapter: chapterField(sql`m.chapter_id`),
  group: idField(sql`m.group_id`),
  event: relationField(
    (ids) =>
      sql`exists (select from jsonb_array_elements(m.audience -> 'include') part where part ->> 'kind' = 'event' and ${ids ?? sql`true`})`,
    (ids) => sql`(part ->> 'id')::uuid = any (${ids}::uuid[])`,
  ),
  sendAt: dateField(sql`m.send_at`),
  createdAt: dateField(sql`m.created_at`),
  organisation: flagField(sql`(m.chapter_id is null and m.group_id is null)`),
  archived: flagField(sql`(m.archived_at is not null)`),
}
const orders = { createdAt: sql`m.created_at`, sendAt: sql`coalesce(m.send_at, '-infinity')`, name: sql`lower(m.name)` }
type Question = { q?: string | undefined; filter?: Filter | undefined; sort?: string | undefined; archived?: boolean }
export function messagesList({ q, filter, sort, archived = false }: Question): List<MessageRow> {
  const words = q?.trim() ?? ''
  const { by, descending } = readSort(sort, MessageSort.options, 'createdAt')
  const filtered = filterWhere(filter, catalogue)
  const asksArchived = filter?.and.some(({ or }) => or.some(({ field }) => field === 'archived')) ?? false
  // Mails of automations stand with those.
  const where: RawBuilder<SqlBool>[] = [sql`m.automation_id is null`]
  if (words) where.push(sql`m.id in (select app.search_messages(${words}))`)
  if (filtered) where.push(filtered)
  if (!archived && !asksArchived) where.push(sql`m.archived_at is null`)
  return {
    key: ['messages', words, filter ?? null, by],
    item: sql`json_build_object(${fields})`,
    from,
    where,
    order: [orders[by], sql`m.id`],
    descending,
  }
}

// Writing -------------------------------------------------------------------------------------------------------------------------------

export async function insertMessage(db: ActorDb, actor: { orgId: string; accountId: string }, facts: NewMessage): Promise<string> {
  const { body, audience, ...plain } = facts
  const { id } = await db
    .insertInto('app.messages')
    .values({
      ...columnsOf('app.messages', plain),
      body: JSON.stringify(body),
      audience: JSON.stringify(audience),
      org_id: actor.orgId,
      created_by: actor.accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
export const updateMessage = (
  db: ActorDb,
  key: { id: string; version: number },
  { body, audience, ...plain }: MessageChange & { archivedAt?: string | null },
): Promise<Message> =>
  updateRecord(
    db,
    'app.messages',
    key,
    {
      ...columnsOf('app.messages', plain),
      ...(body && { body: JSON.stringify(body) }),
      ...(audience && { audience: JSON.stringify(audience) }),
    },
    () => findMessage(db, key.id),
  )
export async function removeMessage(db: ActorDb, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('app.messages').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
export type Choices = { sendAt?: string | undefined; note?: string | undefined; recipients?: number | undefined }
/** False when it is not there or has changed since. */
export async function moveMessage(db: ActorDb, key: { id: string; version: number }, move: string, choices: Choices = {}) {
  const { rows } = await sql<{
    id: string | null
  }>`select app.move_message(${key.id}::uuid, ${move}, ${key.version}, ${JSON.stringify(choices)}::jsonb) as id`.execute(db)
  return rows[0]?.id != null
}
export async function retryDeliveries(db: ActorDb, id: string, wanted: readonly string[]): Promise<number> {
  const { rows } = await sql<{ again: number }>`select app.retry_deliveries(${id}::uuid, ${wanted}::text[]) as again`.execute(db)
  return rows[0]?.again ?? 0
}
export async function tellOfReview(db: ActorDb, id: string, note: Record<string, unknown>): Promise<void> {
  await sql`select app.tell_of_review(${id}::uuid, ${JSON.stringify(note)}::jsonb)`.execute(db)
}

// Deliveries ----------------------------------------------------------------------------------------------------------------------------

/** The address as far as the caller may see the addresses of the person, whatever it was when the message left. */
const delivery = sql<Delivery>`json_build_object('id', d.id, 'person', ${orNull('p', personRef)}, 'address', coalesce((select e.address from app.person_emails e
    where e.org_id = d.org_id and e.person_id = d.person_id order by e.is_primary desc, e.created_at, e.id limit 1), ''), 'state', d.state, 'skipReason', d.skip_reason, 'sentAt', d.sent_at, 'settledAt', d.settled_at,
  'openedAt', d.opened_at, 'clickedAt', d.clicked_at, 'unsubscribedAt', d.unsubscribed_at)`
export const deliveriesList = (messageId: string, state: DeliveryState | undefined, reason: string | undefined): List<Delivery> => ({
  key: ['deliveries', messageId, state ?? null, reason ?? null],
  item: delivery,
  from: sql`from app.message_deliveries d left join app.people p on p.org_id = d.org_id and p.id = d.person_id`,
  where: [
    sql`d.message_id = ${messageId}`,
    ...(state ? [sql<SqlBool>`d.state = ${state}`] : []),
    ...(reason ? [sql<SqlBool>`d.skip_reason = ${reason}`] : []),
  ],
  order: [sql`d.id`],
})
export const seenPersonQuery = (id: string) => statement(sql<{ id: string }>`select p.id from app.people p where p.id = ${id}`)
export const personMessagesList = (personId: string): List<PersonMessage> => ({
  key: ['messages of a person', personId],
  item: sql`json_build_object('id', x.delivery_id, 'messageId', x.message_id, 'subject', x.subject, 'topic', coalesce(t.name, ''), 'state', x.state, 'skipReason', x.skip_reason, 'at', x.at,
    'opened', x.opened, 'clicked', x.clicked)`,
  from: sql`from app.person_messages(${personId}::uuid) x left join app.topics t on t.id = x.topic_id`,
  where: [],
  order: [sql`x.at`, sql`x.delivery_id`],
  descending: true,
})

// Settings ------------------------------------------------------------------------------------------------------------------------------

/** Where nobody has saved any yet, they are the defaults of the table. */
export const settingsQuery = () =>
  statement(sql<{ item: CommunicationSettings }>`
    select json_build_object('reviewAbove', coalesce(s.review_above, 500), 'mostPerWeek', s.most_per_week, 'fromName', coalesce(s.from_name, ''), 'replyTo', s.reply_to,
      'countsClicks', coalesce(s.counts_clicks, false), 'countsOpens', coalesce(s.counts_opens, false), 'quietFrom', to_char(s.quiet_from, 'HH24:MI'), 'quietUntil', to_char(s.quiet_until, 'HH24:MI'),
      'mayEdit', (select app.everywhere('messages.manage')), 'version', coalesce(s.version, 1)) as item
    from (select app.org_id() as org_id) o left join app.communication_settings s on s.org_id = o.org_id`)
export async function updateSettings(db: ActorDb, version: number, change: CommunicationSettingsChange): Promise<CommunicationSettings> {
  await sql`insert into app.communication_settings (org_id) select app.org_id() where app.everywhere('messages.manage') on conflict (org_id) do nothing`.execute(
    db,
  )
  return updateRecord(db, 'app.communication_settings', { version }, columnsOf('app.communication_settings', change), async () => {
    const { rows } = await db.executeQuery(settingsQuery().compile())
    return rows[0]?.item
  })
}
