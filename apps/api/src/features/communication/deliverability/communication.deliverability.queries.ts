import type { Deliverability } from '@guildhall/contract/features/communication.deliverability'
import { sql } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'

export type MailFigures = Pick<Deliverability, 'week' | 'month' | 'days' | 'domains' | 'alarm'> & {
  backlog: { waiting: number; oldestSeconds: number | null; stuckSeconds: number | null; lastSentAt: string | null }
}

const sums = sql`'mails', coalesce(sum(d.mails), 0)::int, 'delivered', coalesce(sum(d.delivered), 0)::int, 'softBounces', coalesce(sum(d.soft_bounces), 0)::int,
  'hardBounces', coalesce(sum(d.hard_bounces), 0)::int, 'complaints', coalesce(sum(d.complaints), 0)::int`

/** The last 30 days, today among them, in one statement; and whether the reader may see how mail arrives. */
export const mailFiguresQuery = () =>
  statement(sql<{ item: MailFigures; may: boolean }>`
    with recent as materialized (
      select d.day, d.domain, sum(d.mails) as mails, sum(d.delivered) as delivered, sum(d.soft_bounces) as soft_bounces, sum(d.hard_bounces) as hard_bounces, sum(d.complaints) as complaints
        from app.mail_days d where d.org_id = (select app.org_id()) and d.day > (now() at time zone 'UTC')::date - 30 group by d.day, d.domain
    )
    select jsonb_build_object(
      'week', (select jsonb_build_object(${sums}) from recent d where d.day > (now() at time zone 'UTC')::date - 7),
      'month', (select jsonb_build_object(${sums}) from recent d),
      'days', (select jsonb_agg(x.item order by x.day) from (
        select g.day, jsonb_build_object('day', g.day::date, ${sums}) as item
          from generate_series((now() at time zone 'UTC')::date - 29, (now() at time zone 'UTC')::date, '1 day') g (day) left join recent d on d.day = g.day::date group by g.day) x),
      'domains', (select coalesce(jsonb_agg(x.item order by x.n desc, x.domain), '[]') from (
        select d.domain, sum(d.mails) as n, jsonb_build_object('domain', d.domain, ${sums}) as item from recent d where d.domain <> '' group by d.domain order by 2 desc, 1 limit 50) x),
      'backlog', (select jsonb_build_object('waiting', b.waiting, 'oldestSeconds', round(b.oldest_seconds)::int, 'stuckSeconds', round(b.stuck_seconds)::int, 'lastSentAt', b.last_sent_at) from app.mail_backlog() b),
      'alarm', (select jsonb_build_object('level', a.level, 'raisedAt', a.raised_at, 'mails', a.mails, 'complaints', a.complaints) from app.mail_alarms a
        where a.org_id = (select app.org_id()) and a.raised_at > now() - interval '7 days' order by a.raised_at desc limit 1)) as item,
      (select app.everywhere('messages.manage')) as may`)
