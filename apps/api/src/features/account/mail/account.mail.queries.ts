import type { MailsInput, OutgoingMail } from '@guildhall/contract/features/account'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'

const from = sql`from app.mail_messages m left join app.accounts a on a.org_id = m.org_id and a.id = m.account_id
  left join app.people p on p.org_id = m.org_id and p.id = coalesce(m.person_id, a.person_id)`
const item = sql<OutgoingMail>`json_build_object('id', m.id, 'kind', m.template, 'state', m.state, 'subject', m.subject,
  'address', coalesce(m.sent_to, m.address, a.email), 'person', ${orNull('p', personRef)},
  'account', case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end, 'attempts', m.attempts,
  'nextAt', case when m.state = 'queued' then m.next_at end, 'outcome', m.outcome, 'answer', m.answer, 'createdAt', m.created_at, 'settledAt', m.settled_at)`

type Asked = Pick<z.infer<typeof MailsInput>, 'state' | 'kind' | 'address' | 'from' | 'until'>

/** Mail of the organisation, newest first, for those who keep the accounts. */
export function mailsList({ state, kind, address, from: since, until }: Asked): List<OutgoingMail> {
  const where: RawBuilder<SqlBool>[] = [sql`(select app.everywhere('account.manage'))`]
  const key = address?.toLowerCase()
  const dayAt = (day: string, days: number) =>
    sql`((${day}::date + ${days}::int)::timestamp at time zone (select o.timezone from app.organisations o limit 1))`
  if (state) where.push(sql`m.state = ${state}`)
  if (kind) where.push(sql`m.template = ${kind}`)
  if (key) where.push(sql`(m.to_key = ${key} or m.account_id = any (array(select x.id from app.accounts x where lower(x.email) = ${key})))`)
  if (since) where.push(sql`m.created_at >= ${dayAt(since, 0)}`)
  if (until) where.push(sql`m.created_at < ${dayAt(until, 1)}`)
  return {
    key: ['mails', state ?? null, kind ?? null, key ?? null, since ?? null, until ?? null],
    item,
    from,
    where,
    order: [sql`m.created_at`, sql`m.id`],
    descending: true,
  }
}

export async function findMail(db: ActorDb, mailId: string): Promise<OutgoingMail | undefined> {
  const { rows } = await sql<{ item: OutgoingMail }>`select ${item} as item ${from} where m.id = ${mailId}`.execute(db)
  return rows[0]?.item
}

const done = async (db: ActorDb, call: RawBuilder<boolean>): Promise<boolean> =>
  (await sql<{ done: boolean }>`select ${call} as done`.execute(db)).rows[0]?.done ?? false

/** Whether it was one that failed. */
export const retryMail = (db: ActorDb, mailId: string) => done(db, sql`app.retry_mail(${mailId})`)
/** Whether it was waiting. */
export const cancelMail = (db: ActorDb, mailId: string) => done(db, sql`app.cancel_mail(${mailId})`)
