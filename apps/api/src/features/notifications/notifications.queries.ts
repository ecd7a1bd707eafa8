import { NotificationKind, notificationKinds } from '@guildhall/contract/features/notifications'
import type { Notification, NotificationPreference } from '@guildhall/contract/features/notifications'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { chapterRef, groupRef, orNull, personRef } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { kindOf } from '../../platform/notify.ts'
import { statement } from '../../platform/records/statement.ts'

// `n` is the notification; `p`, `c` and `u` the person, chapter and group it names, as the reader sees them.

const item = sql<Notification>`json_build_object('id', n.id, 'kind', n.kind, 'person', ${orNull('p', personRef)}, 'chapter', ${orNull('c', chapterRef)},
  'group', ${orNull('u', groupRef)}, 'recordId', n.record_id, 'params', n.params, 'readAt', to_json(n.read_at), 'createdAt', to_json(n.created_at))`
const from = sql`from app.notifications n
  left join app.people p on p.org_id = n.org_id and p.id = n.person_id
  left join app.chapters c on c.org_id = n.org_id and c.id = n.chapter_id
  left join app.groups u on u.org_id = n.org_id and u.id = n.group_id`

export function notificationsList({ unread }: { unread?: boolean | undefined }): List<Notification> {
  const where: RawBuilder<SqlBool>[] = [sql`n.in_inbox`, sql`n.account_id = (select app.account_id())`]
  if (unread !== undefined) where.push(unread ? sql`n.read_at is null` : sql`n.read_at is not null`)
  return { key: ['notifications', unread ?? null], item, from, where, order: [sql`n.id`], descending: true }
}

export const unreadCount = () =>
  statement(sql<{ unread: number }>`select count(*)::int as unread from (
    select from app.notifications n where n.account_id = (select app.account_id()) and n.in_inbox and n.read_at is null limit 100) few`)

/** Notifications as their reader sees them now, for a mail. */
export async function findNotifications(db: ActorDb, ids: readonly string[]): Promise<Notification[]> {
  const { rows } = await sql<{ item: Notification }>`
    select ${item} as item ${from} where n.id = any (${[...ids]}::uuid[]) order by n.id desc`.execute(db)
  return rows.map((row) => row.item)
}

export async function markRead(db: ActorDb, ids: readonly string[] | undefined, isRead: boolean): Promise<number> {
  await sql`update app.notifications n set read_at = case when ${isRead} then now() end
    where n.account_id = (select app.account_id()) and (n.read_at is null) = ${isRead}
      and (${ids === undefined} or n.id = any (${[...(ids ?? [])]}::uuid[]))`.execute(db)
  const { rows } = await db.executeQuery(unreadCount().compile())
  return rows[0]?.unread ?? 0
}

type Chosen = { kind: string; inInbox: boolean; mail: NotificationPreference['mail'] }

export const preferencesQuery = () =>
  statement(
    sql<{
      chosen: Chosen[]
    }>`select coalesce(json_agg(json_build_object('kind', f.kind, 'inInbox', f.in_inbox, 'mail', f.mail)), '[]') as chosen
      from app.notification_preferences f where f.account_id = (select app.account_id())`,
  )

/** Every kind with what the account chose, or its default. */
export const preferencesOf = (chosen: readonly Chosen[]): NotificationPreference[] =>
  NotificationKind.options.map((kind) => {
    const { mail, essential } = notificationKinds[kind]
    const own = essential ? undefined : chosen.find((one) => one.kind === kind)
    return { kind, inInbox: own?.inInbox ?? true, mail: own?.mail ?? mail, essential }
  })

export async function setPreference(db: ActorDb, orgId: string, { kind, inInbox, mail }: Chosen): Promise<void> {
  await sql`insert into app.notification_preferences (org_id, account_id, kind, in_inbox, mail)
    values (${orgId}, (select app.account_id()), ${kind}, ${inInbox}, ${mail})
    on conflict (org_id, account_id, kind) do update set in_inbox = excluded.in_inbox, mail = excluded.mail`.execute(db)
}

/** Tells holders of offices that end within 30 days, and the officers of their chapters; for the worker. How many are told. */
export async function tellEndingTerms(db: Kysely<Schema>, org: string, today: string): Promise<number> {
  const { rows } = await sql<{ told: number }>`
    select app.notify_ending_terms(${org}, ${today}, ${JSON.stringify(kindOf('term-ending'))}::jsonb) as told`.execute(db)
  return rows[0]?.told ?? 0
}

type EndingTerm = { title: string; chapter: string; endsOn: string | null }
export async function endingTerm(db: Kysely<Schema>, org: string, holder: string): Promise<EndingTerm | undefined> {
  const { rows } = await sql<EndingTerm>`select title, chapter, ends_on as "endsOn" from app.ending_term(${org}, ${holder})`.execute(db)
  return rows[0]
}

/** Writes one mail for each account with what it was told of since the last; for the worker. How many mails. */
export async function queueDigests(db: Kysely<Schema>, org: string, how: 'daily' | 'weekly', day: string): Promise<number> {
  const { rows } = await sql<{ written: number }>`select app.queue_digests(${org}, ${how}, ${day}) as written`.execute(db)
  return rows[0]?.written ?? 0
}
