import type pg from 'pg'
import { isoOf, yearOf } from '../days.ts'
import { datedId } from '../random.ts'
import type { World } from '../world.ts'
import { accountOf } from './donors.ts'

/** The payments of gifts, what was given back of them, and what is to be receipted: receipts of gifts have their numbers among all others. */
export async function addGiftPayments(client: pg.Client, world: World): Promise<number> {
  let rows = 0
  const add = async (text: string, values: unknown[] = [world.orgId]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  await client.query(
    `create temporary table demo_paid on commit drop as
     select g.*, a.nth, ${datedId("concat('paid ', g.key, a.nth)", 'a.at')} as payment_id, a.at, case when g.method <> 'card' then 'manual' when g.source = 'plan' then 'charge' else 'checkout' end as kind,
       case when g.fate in ('waits', 'failed') then 'failed' else g.fate end as state
     from demo_given g cross join lateral (
       -- A charge that was declined is tried again 3, 7 and 14 days later.
       select n.nth, g.came_at + n.days * interval '1 day' as at from (values (1, 0), (2, 3), (3, 7), (4, 14)) n (nth, days) where n.nth = 1 or (g.fate = 'failed' and g.plan is not null)) a`,
  )
  await add(
    `insert into app.payments (org_id, id, kind, provider, provider_ref, provider_session, provider_customer, saves_method, method, person_id, gift_id, amount, currency, refunded_amount, state, failure, received_on, settled_at, is_test,
       dispute_id, dispute_state, reversed_at, reversed_by, reversal_reason, reference, created_by, created_at, updated_at)
     select $1, p.payment_id, p.kind, case when p.kind = 'manual' then 'manual' else 'stripe' end, case when p.kind <> 'manual' and p.state <> 'cancelled' then 'pi_demo_' || left(md5(p.key || p.nth), 20) end,
       case when p.kind = 'checkout' then 'cs_demo_' || left(md5(p.key), 20) end, case when p.plan is not null then 'cus_demo_' || left(md5(p.plan), 16) end, p.plan is not null and p.kind = 'checkout', p.method,
       case when p.source <> 'page' or p.received_on is not null then p.person_id end, p.id, p.amount, 'EUR', p.refunded, p.state, case p.state when 'failed' then 'declined' when 'cancelled' then 'expired' end,
       case when p.kind = 'manual' then p.received_on end, case when p.state not in ('failed', 'cancelled') then p.at end, p.kind <> 'manual',
       case when p.state = 'disputed' then 'du_demo_' || left(md5(p.key), 16) end, case when p.state = 'disputed' then 'open' end,
       case when p.state = 'reversed' then p.at + interval '1 day' end, case when p.state = 'reversed' then ${accountOf(world, 'finance')} end, case when p.state = 'reversed' then 'Recorded twice' end, p.reference,
       case when p.source = 'own' then p.account_id when p.source = 'office' then p.office_id end, p.at, greatest(p.at, (p.refunded_on + time '11:00') at time zone 'UTC')
     from demo_paid p order by p.at, p.key`,
  )
  await add(
    `insert into app.refunds (org_id, id, payment_id, amount, currency, reason, state, provider_refund, settled_at, created_by, created_at, updated_at)
     select $1, ${datedId("'refund ' || p.key", 'd.at')}, p.payment_id, p.refunded, 'EUR', case when p.refunded < p.amount then 'Meant to give half of it' when p.kind = 'manual' then 'The cheque was not covered' else 'Given twice by mistake' end, 'settled',
       case when p.kind <> 'manual' then 're_demo_' || left(md5(p.key), 18) end, d.at, ${accountOf(world, 'finance')}, d.at, d.at
     from demo_paid p cross join lateral (select (p.refunded_on + time '11:00') at time zone 'UTC' as at) d where p.refunded > 0`,
  )
  // The provider told of the latest: otherwise its connection would say that notices do not arrive.
  await add(
    `insert into app.payment_events (org_id, event_id, type, payment_id, received_at, processed_at)
     select $1, 'evt_demo_' || left(md5(p.key || p.nth), 20), 'payment_intent.succeeded', p.payment_id, p.at, p.at from demo_paid p
     where p.kind <> 'manual' and p.state = 'settled' order by p.at desc limit 50`,
  )
  // A receipt of what was paid; another one in its place where a part was given back.
  await client.query(
    `create temporary table demo_gift_receipts on commit drop as
     select p.key, r.nth, ${datedId("concat('gift receipt ', p.key, r.nth)", 'r.at')} as id, case when r.nth = 2 then ${datedId("concat('gift receipt ', p.key, 1)", 'p.at')} end as replaces_id, p.payment_id, p.id as gift_id, p.person_id, p.received_on,
       case when p.state in ('refunded', 'reversed') then 'void' when r.nth = 1 and p.state = 'partly_refunded' then 'replaced' else 'issued' end as state, case when r.nth = 2 then 'Refund' else '' end as reason,
       case when r.nth = 2 then p.amount - p.refunded else p.amount end as amount, r.day, r.at, case when p.wants_mail and (p.email <> '' or p.person_id is not null) then r.at end as sent_at, p.campaign_id,
       coalesce(case when p.person_id is not null then app_private.billing_of($1, p.person_id, null) end, jsonb_build_object('name', p.name, 'lines', '[]'::jsonb)) as billing
     from demo_paid p cross join lateral (
       select 1 as nth, p.received_on as day, p.at union all select 2, p.refunded_on, (p.refunded_on + time '11:00') at time zone 'UTC' where p.state = 'partly_refunded') r
     where p.received_on is not null`,
    [world.orgId],
  )
  return rows
}

/** What shares of gifts the chapters were paid, every quarter until some weeks ago. */
export async function addPayouts(client: pg.Client, world: World): Promise<number> {
  const { rowCount } = await client.query(
    `insert into app.chapter_payouts (org_id, id, chapter_id, amount, currency, paid_on, reference, note, created_by, created_at, updated_at)
     select $1, ${datedId("concat('payout ', q.chapter_id, q.paid_on)", 'q.at')}, q.chapter_id, q.amount, 'EUR', q.paid_on, 'Share of gifts ' || to_char(q.paid_on - 20, 'YYYY "Q"Q'), '', ${accountOf(world, 'finance')}, q.at, q.at
     from (
       select g.share_chapter_id as chapter_id, d.paid_on, (d.paid_on + time '09:15') at time zone 'UTC' as at,
         sum(round(g.share_amount::numeric * g.counted_amount / g.amount))::bigint as amount
       from app.gifts g cross join lateral (select (date_trunc('quarter', g.received_on) + interval '3 months 12 days')::date as paid_on) d
       where g.org_id = $1 and g.share_chapter_id is not null and g.counted_amount > 0 and d.paid_on < $2::date group by 1, 2) q
     where q.amount > 0`,
    [world.orgId, isoOf(world.today)],
  )
  return rowCount ?? 0
}

/** Everybody who gave last year was mailed a statement in January. */
export async function addStatements(client: pg.Client, world: World): Promise<number> {
  const year = yearOf(world.today - 20) - 1
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  const id = datedId("'statements ' || $2::int", 'd.at')
  await add(
    `insert into app.giving_runs (org_id, id, since, until, state, people, mailed, created_by, created_at, updated_at)
     select $1, ${id}, make_date($2, 1, 1), make_date($2, 12, 31), 'done', 0, 0, ${accountOf(world, 'finance')}, d.at, d.at + interval '9 minutes' from (select make_timestamptz($2 + 1, 1, 14, 10, 30, 0, 'UTC') as at) d`,
    [world.orgId, year],
  )
  await add(
    `insert into app.giving_run_items (org_id, run_id, person_id, currency, amount, gifts, mailed_at)
     select $1, r.id, g.person_id, g.currency, sum(g.counted_amount), count(*), case when bool_or(m.id is not null) then r.created_at + interval '4 minutes' end
     from app.giving_runs r join app.gifts g on g.org_id = r.org_id and g.person_id is not null and g.counted_amount > 0 and g.received_on between r.since and r.until
     left join app.person_emails m on m.org_id = g.org_id and m.person_id = g.person_id and m.is_primary
     where r.org_id = $1 group by r.id, r.created_at, g.person_id, g.currency`,
    [world.orgId],
  )
  await client.query(
    `update app.giving_runs r set people = i.people, mailed = i.mailed from (select run_id, count(distinct person_id)::int as people, count(distinct person_id) filter (where mailed_at is not null)::int as mailed
       from app.giving_run_items where org_id = $1 group by run_id) i where r.org_id = $1 and r.id = i.run_id`,
    [world.orgId],
  )
  return rows
}
