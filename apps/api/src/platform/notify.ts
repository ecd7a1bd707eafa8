import { notificationKinds } from '@guildhall/contract/features/notifications'
import type { Notification, NotificationKindName } from '@guildhall/contract/features/notifications'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export type Told = {
  kind: NotificationKindName
  to: { accountId: string } | { personId: string } | { leadersOf: string }
  /** What it is about; the reader is shown the names that they may see. */
  about?: { personId?: string; chapterId?: string; groupId?: string; recordId?: string }
  params?: Notification['params']
  /** Told once under the same key. */
  dedupeKey?: string
  /** Also when it is the actor's own doing, such as long work that has ended. */
  toSelf?: boolean
}

/**
 * Tells somebody of what the actor did, in the caller's transaction: a row of the inbox and a mail, at once or in a digest, as each prefers.
 * Nobody is told of their own doing. Answers how many are told.
 */
export async function notify(tx: ActorDb, { kind, to, about = {}, params = {}, dedupeKey, toSelf }: Told): Promise<number> {
  const recipient =
    'accountId' in to ? { to_account: to.accountId } : 'personId' in to ? { to_person: to.personId } : { to_leaders: to.leadersOf }
  const note = {
    ...recipient,
    ...kindOf(kind),
    person: about.personId,
    chapter: about.chapterId,
    group: about.groupId,
    record: about.recordId,
    params,
    dedupe_key: dedupeKey,
    to_self: toSelf ?? false,
  }
  const { rows } = await sql<{ told: number }>`select app.notify(${JSON.stringify(note)}::jsonb) as told`.execute(tx)
  return rows[0]?.told ?? 0
}

/** What the database has to know of a kind. */
export const kindOf = (kind: NotificationKindName) => ({ kind, ...notificationKinds[kind] })

/** Active accounts of people; for the worker. */
export async function accountsOf(db: Kysely<Schema>, orgId: string, people: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select account_id as id from app.accounts_of_people(${orgId}, ${[...people]}::uuid[])`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
