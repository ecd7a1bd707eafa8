import type { Actor, ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { ChatNews } from './integrations.chat.rules.ts'

/** `address` is sealed, in Base64; `reader` is as whom names are read, null where none are shown; `ids` are of the first five. */
export type StoredChatMessage = Pick<ChatNews, 'kind' | 'count' | 'chapter' | 'event'> & {
  gift: { campaign: string | null; currency: string } | null
  connectionId: string
  address: string | null
  locale: string
  reader: Actor | null
  ids: string[]
}

/** What a delivery to a chat says by now; for the worker. */
export async function chatMessage(
  db: Kysely<Schema>,
  { orgId, endpointId }: { orgId: string; endpointId: string },
  deliveryId: string,
): Promise<StoredChatMessage | undefined> {
  const { rows } = await sql<{
    message: StoredChatMessage | null
  }>`select app.chat_message(${orgId}, ${endpointId}, ${deliveryId}) as message`.execute(db)
  return rows[0]?.message ?? undefined
}

const isShown = sql`p.deleted_at is null and p.lifecycle not in ('erased', 'merged') and coalesce(p.minor_until <= (select app.today()), true)`

/** Names of those whom the actor sees, but of nobody who was erased since and of no minors. */
export async function namesShown(db: ActorDb, personIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select p.display_name as name from app.people p
    where p.id = any (${[...personIds]}::uuid[]) and ${isShown} order by p.display_name, p.id`.execute(db)
  return rows.map(({ name }) => name)
}

/** Of whom a gift is and how much, where the actor sees gifts. What a donor typed is no name of somebody whose record is not to be shown. */
export async function giftShown(db: ActorDb, giftId: string): Promise<{ amount: number; donor: string | null } | undefined> {
  const { rows } = await sql<{ amount: number; donor: string | null }>`select g.amount::float8 as amount, case when g.is_anonymous then null
      when g.person_id is null then nullif(g.donor_name, '') else (select p.display_name from app.people p where p.id = g.person_id and ${isShown}) end as donor
    from app.gifts g where g.id = ${giftId}`.execute(db)
  return rows[0]
}
