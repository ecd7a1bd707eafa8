import { AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import { MessageBody } from '@guildhall/contract/message-body'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import * as z from 'zod'
import type { MergeRow } from '../body/communication.merge.queries.ts'
import type { LinkToken } from './communication.links.rules.ts'

// What workers do, and what whoever has an address of a message may do. Each function of the database says for itself who may call it.

type Db = Kysely<Schema>
async function count(db: Db, call: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select ${call} as n`.execute(db)
  return rows[0]?.n ?? 0
}
export const startMessages = (db: Db) => count(db, sql`app.start_messages()`)
export const freezeMessages = (db: Db, most: number) => count(db, sql`app.freeze_messages(${most})`)
export const feedMessages = (db: Db, most: number, ahead: number) => count(db, sql`app.feed_messages(${most}, ${ahead})`)
export const feedAutomations = (db: Db, most: number) => count(db, sql`app.feed_automations(${most})`)
export const sweepMessages = (db: Db, most: number) => count(db, sql`app.sweep_messages(${most})`)
export const countMessages = (db: Db, most: number) => count(db, sql`app.count_messages(${most})`)
export const purgeMessages = (db: Db, most: number) => count(db, sql`app.purge_messages(${most})`)

// Whom a message goes to ------------------------------------------------------------------------------------------------------------------

type ToFind = {
  orgId: string
  id: string
  senderId: string | null
  idpRoles: string[] | null
  audience: unknown
  chapterId: string | null
  groupId: string | null
}
export async function messagesToFind(db: Db): Promise<ToFind[]> {
  const { rows } = await sql<ToFind>`
    select org_id as "orgId", id, sender_id as "senderId", idp_roles as "idpRoles", audience, chapter_id as "chapterId", group_id as "groupId" from app.messages_to_find()`.execute(
    db,
  )
  return rows
}
export const audienceOf = (stored: unknown): AudienceDefinition => AudienceDefinition.parse(stored)
export async function beginAudience(db: ActorDb, id: string): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select app.begin_audience(${id}::uuid) as ours`.execute(db)
  return rows[0]?.ours ?? false
}
const portion = 10_000
/** All in one statement, so that the audience is found once. */
export async function addRecipients(db: ActorDb, id: string, people: RawBuilder<{ person_id: string }>): Promise<void> {
  await sql`select sum(app.add_recipients(${id}::uuid, x.people)) from (
      select array_agg(n.person_id) as people from (select a.person_id, (row_number() over () - 1) / ${sql.lit(portion)} as part from (${people}) a) n group by n.part) x`.execute(
    db,
  )
  await sql`select app.end_audience(${id}::uuid)`.execute(db)
}
export async function failMessage(db: Db, orgId: string, id: string, why: string): Promise<void> {
  await sql`select app.fail_message(${orgId}::uuid, ${id}::uuid, ${why})`.execute(db)
}

// Writing one ---------------------------------------------------------------------------------------------------------------------------

/** `values` are null where the message has no merge fields. */
type DeliveryMail =
  | { refusal: string }
  | { refusal?: undefined; messageId: string; version: number; personId: string; topicId: string; values: MergeRow | null }
export async function findDeliveryMail(db: Db, orgId: string, delivery: string): Promise<DeliveryMail> {
  const { rows } = await sql<{ mail: DeliveryMail | null }>`select app.message_mail(${orgId}::uuid, ${delivery}::uuid) as mail`.execute(db)
  return rows[0]?.mail ?? { refusal: 'nothing_to_tell' }
}
const Stored = z.object({
  subject: z.string(),
  preheader: z.string(),
  body: MessageBody,
  fromName: z.string(),
  replyTo: z.string().nullable(),
  topicId: z.string().nullable(),
  essential: z.boolean().nullable(),
  countsClicks: z.boolean(),
  countsOpens: z.boolean(),
  /** Null where that account is not active any more. */
  senderId: z.string().nullable(),
  senderRoles: z.array(z.string()).nullable(),
  topic: z.string().nullable(),
  chapter: z.string().nullable(),
  group: z.string().nullable(),
  /** Of the organisation, as its letters have it. */
  imprint: z.string(),
})
export type StoredMessage = z.infer<typeof Stored>
export async function findMessageToWrite(db: Db, orgId: string, id: string): Promise<StoredMessage | undefined> {
  const { rows } = await sql<{ message: unknown }>`select app.message_to_write(${orgId}::uuid, ${id}::uuid) as message`.execute(db)
  const found = rows[0]?.message
  return found == null ? undefined : Stored.parse(found)
}
export async function keepLinks(db: Db, orgId: string, id: string, urls: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{
    number: number
    url: string
  }>`select number, url from app.keep_message_links(${orgId}::uuid, ${id}::uuid, ${urls}::text[])`.execute(db)
  return new Map(rows.map(({ number, url }) => [url, number]))
}

// By the addresses in a message -------------------------------------------------------------------------------------------------------------

export async function followLink(db: Db, { orgId, deliveryId, link }: LinkToken, byProgram: boolean): Promise<string | undefined> {
  const { rows } = await sql<{
    url: string | null
  }>`select app.follow_message_link(${orgId}::uuid, ${deliveryId}::uuid, ${link}, ${byProgram}) as url`.execute(db)
  return rows[0]?.url ?? undefined
}
export async function noteOpening(db: Db, { orgId, deliveryId }: LinkToken): Promise<void> {
  await sql`select app.open_message(${orgId}::uuid, ${deliveryId}::uuid)`.execute(db)
}
