import type pg from 'pg'
import { isoOf } from '../days.ts'
import { datedId, drawn } from '../random.ts'
import type { World } from '../world.ts'
import { shareOf } from './donors.ts'

/** How many recurring gifts the normal demo has, and of how many something else than "active" is to be said. */
const many = 40
const ends = { past_due: 3, paused: 4, donor: 2, office: 1, failures: 1, completed: 1 } as const
/** Days after the first failure on which a card is charged again. */
const retries = [3, 7, 14]

/** Recurring gifts as a plan of rows, with a gift for each time that has come. */
export async function planPlans(client: pg.Client, world: World): Promise<void> {
  const today = isoOf(world.today)
  const count = Math.max(12, Math.round((many * shareOf(world)) / 1000))
  const [pastDue, paused] = [ends.past_due, ends.past_due + ends.paused]
  const [byDonor, byOffice] = [paused + ends.donor, paused + ends.donor + ends.office]
  const [byFailures, completed] = [byOffice + ends.failures, byOffice + ends.failures + ends.completed]
  await client.query(
    `create temporary table demo_plans on commit drop as
     with chosen as (
       select d.id as person_id, d.name, d.email, d.account_id, 'plan ' || d.id as key, row_number() over (order by ${drawn("'plan ' || d.id")}, d.id)::int as n from demo_donors d
         where d.email <> '' and d.made_at < $2::date - 130),
     givers as (
       select c.* from chosen c where c.n < $3
       union all
       select p.id, p.display_name, a.email, a.id, 'plan member', 100 from app.accounts a join app.people p on p.org_id = a.org_id and p.id = a.person_id where a.org_id = $1 and a.subject = 'member'),
     kinds as (
       select s.*, case when s.n <= ${pastDue} then 'past_due' when s.n <= ${paused} then 'paused' when s.n <= ${completed} and s.n <> ${completed} then 'cancelled' when s.n = ${completed} then 'completed' else 'active' end as status,
         case when s.n between ${paused + 1} and ${byDonor} then 'donor' when s.n between ${byDonor + 1} and ${byOffice} then 'office' when s.n between ${byOffice + 1} and ${byFailures} then 'failures' end as stopped_by,
         case when s.n <= ${completed} or ${drawn('s.key')} < 740 then 'month' when ${drawn('s.key')} < 900 then 'quarter' else 'year' end as every,
         (array[1000, 500, 1000, 2500, 1500, 1000, 5000, 2000])[1 + ${drawn("'amount ' || s.key")} % 8] as base, ${drawn("'covers ' || s.key")} < 300 as covers,
         case when s.n < 100 and ${drawn("'for ' || s.key")} < 150 then 'kits' else 'friends' end as campaign
       from givers s),
     begun as (
       -- One that is past due failed the day before yesterday; one that failed for good did so weeks ago.
       select k.*, case k.status when 'past_due' then ($2::date - 2 - make_interval(months => 2 + k.n))::date else $2::date - case when k.campaign = 'kits' then 40 + ${drawn("'began ' || k.key")} % 90
         when k.n = 100 then 260 else 60 + ${drawn("'began ' || k.key")} * 52 / 100 end end as started_on from kinds k),
     timed as (
       select b.*, case when b.stopped_by is not null or b.status in ('completed', 'paused') then $2::date - 20 - ${drawn("'stops ' || b.key")} % 25 else $2::date - 1 end as last_on from begun b)
     select t.*, t.base + case when t.covers then app_private.gift_fee($1, t.base) else 0 end as amount, c.id as campaign_id, c.fund_id,
       ${datedId("'recurring ' || t.key", "((t.started_on + time '17:30') at time zone 'UTC')")} as id, (t.started_on + time '17:30') at time zone 'UTC' as made_at
     from timed t join demo_campaigns c on c.key = t.campaign`,
    [world.orgId, today, count],
  )
  await client.query(
    `create temporary table demo_charges on commit drop as
     select p.key, d.due_on, row_number() over (partition by p.key order by d.due_on) = 1 as first,
       -- The last one failed where cards are declined.
       case when p.status = 'past_due' and d.due_on = max(d.due_on) over (partition by p.key) then 'waits' when p.stopped_by = 'failures' and d.due_on = max(d.due_on) over (partition by p.key) then 'failed' else 'settled' end as fate
     from demo_plans p cross join lateral (
       select p.started_on as due_on union
       select app_private.plan_day_after(p.started_on, p.every, (p.started_on + make_interval(months => n * app_private.plan_months(p.every)) - interval '1 day')::date) from generate_series(1, 40) n) d
     where d.due_on <= p.last_on`,
  )
  // The first one is given on the page; the others are charged at half past nine.
  await client.query(
    `insert into demo_gifts (key, campaign, person_id, name, email, account_id, base, covers, method, source, came_at, plan, due_on, fate, anonymous)
     select concat(t.key, ' ', t.due_on), p.campaign, p.person_id, p.name, p.email, p.account_id, p.base, p.covers, 'card',
       case when not t.first then 'plan' when p.account_id is not null then 'own' else 'page' end, case when t.first then p.made_at else (t.due_on + time '09:30') at time zone 'UTC' end, p.key, t.due_on, t.fate, false
     from demo_charges t join demo_plans p on p.key = t.key`,
  )
}

/** The recurring gifts themselves, and the cards that they are charged to. */
export async function writePlans(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[] = [world.orgId]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  const retry = `case ${retries.map((days, nth) => `when f.failed_on + ${days} >= $2::date then ${nth + 1}`).join(' ')} else ${retries.length} end`
  await add(
    `insert into app.recurring_plans (org_id, id, person_id, donor_name, donor_email, campaign_id, fund_id, amount, fee_covered, currency, interval, status, started_on, next_on, retry_on, failures, first_failed_on, ends_on,
       paused_until, stopped_at, stopped_by, stop_reason, is_test, created_by, created_at, updated_at)
     select $1, p.id, p.person_id, case when p.account_id is null then p.name else '' end, case when p.account_id is null then p.email else '' end, p.campaign_id, p.fund_id, p.amount, p.amount - p.base, 'EUR', p.every, p.status,
       p.started_on, coalesce(f.failed_on, app_private.plan_day_after(p.started_on, p.every, t.last_on)),
       case when p.status = 'past_due' then f.failed_on + (array[${retries.join(', ')}])[r.nth] end, case p.stopped_by when 'failures' then 4 else case when p.status = 'past_due' then r.nth else 0 end end,
       f.failed_on, case when p.status = 'completed' then t.last_on end, case when p.status = 'paused' and p.n % 2 = 0 then $2::date + 65 end, e.at,
       p.stopped_by, case p.stopped_by when 'donor' then 'Starting a family' when 'office' then 'Asked by telephone' else '' end, true, case when p.account_id is not null then p.account_id end, p.made_at, coalesce(e.at, p.made_at)
     from demo_plans p
     join lateral (select max(x.due_on) as last_on from demo_charges x where x.key = p.key) t on true
     left join lateral (select max(x.due_on) as failed_on from demo_charges x where x.key = p.key and x.fate <> 'settled') f on true
     cross join lateral (select ${retry} as nth) r
     left join lateral (select case p.stopped_by when 'failures' then (f.failed_on + 14 + time '09:31') at time zone 'UTC' else (p.last_on + time '11:20') at time zone 'UTC' end as at where p.status = 'cancelled') e on true
     order by p.made_at, p.key`,
    [world.orgId, today],
  )
  await add(
    `insert into app.payment_methods (org_id, id, person_id, plan_id, provider_customer, provider_method, brand, last4, exp_month, exp_year, created_at, updated_at)
     select $1, ${datedId("'card ' || p.key", 'p.made_at')}, p.person_id, p.id, 'cus_demo_' || left(md5(p.key), 16), 'pm_demo_' || left(md5(p.key), 16), (array['visa', 'mastercard', 'visa', 'amex'])[1 + ${drawn("'brand ' || p.key")} % 4],
       lpad((${drawn("'digits ' || p.key")} * 9 + 7)::text, 4, '0'), 1 + ${drawn("'month ' || p.key")} % 12, extract(year from $2::date)::int + case when p.status = 'past_due' or p.stopped_by = 'failures' then 0 else 1 + ${drawn("'year ' || p.key")} % 4 end,
       p.made_at, p.made_at
     from demo_plans p`,
    [world.orgId, today],
  )
  return rows
}
