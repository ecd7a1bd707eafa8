import type pg from 'pg'
import { isoOf } from '../days.ts'
import { datedId, drawn, drawnId } from '../random.ts'
import type { World } from '../world.ts'
import { lastDecember } from './campaigns.ts'
import { accountOf, firms, shareOf } from './donors.ts'

/** Amounts that people give, the usual ones first. */
const amounts = [
  2500, 5000, 2000, 1000, 10_000, 3000, 2500, 5000, 1500, 4000, 10_000, 7500, 20_000, 15_000, 50_000, 25_000, 100_000, 250_000,
]
const messages = [
  'For the students who carry the poles.',
  'Keep up the good work!',
  'With thanks for twenty years of evenings.',
  'I learned to read maps from you. Somebody else should too.',
  'From all of us at the harbour office.',
  'Greetings from Lisbon.',
]
const remembered = ['Ada Marlowe', 'Professor Tobias Venn', 'my father', 'Captain Ruth Ellery']

const u = (what: string) => `${drawn(`'${what} ' || x.key`)} / 1000.0`

/**
 * One-off gifts of three years as a plan of rows: many small and few large ones, most of them in December; by card while signed in or on the public page,
 * by cheque, transfer or cash in the office. Recurring gifts and instalments of pledges add theirs to the same table.
 */
export async function planGifts(client: pg.Client, world: World): Promise<void> {
  const today = isoOf(world.today)
  const december = lastDecember(world)
  await client.query(
    `create temporary table demo_gifts (key text primary key, campaign text, fund text, person_id uuid, name text, email text, account_id uuid, base bigint, covers boolean default false, method text, source text,
       came_at timestamptz, plan text, due_on date, instalment text, fate text default 'settled', refunded_on date, anonymous boolean default false, tribute_kind text, tribute_name text default '', message text default '',
       note text, second_fund text, reference text default '', wants_mail boolean default true, failure text) on commit drop`,
  )
  await client.query(
    `with ideas as (
       select i.campaign || ' ' || g.n as key, i.*, g.n from (values ('winter', 185, ${december - 70}, ${december}, 0.45, 640), ('kits', 165, -150, -1, 1.0, 660), ('', 80, -1095, -730, 0.6, 420), ('', 66, -730, -365, 0.8, 480),
         ('', 54, -365, -1, 1.0, 520)) i (campaign, many, since, until, late, cards)
       cross join lateral generate_series(case when i.campaign = '' then -i.since * 1000 else 1 end, case when i.campaign = '' then -i.since * 1000 else 1 end + greatest(3, i.many * $2::int / 1000) - 1) g (n)),
     days as materialized (
       select x.*, case when x.campaign = '' and ${u('december')} < 0.34 then least($1::date - 1, date_trunc('year', $1::date + x.until)::date - case when extract(month from $1::date + x.until) = 12 then 0 else 1 end - (${u('advent')} * 27)::int)
           else $1::date + x.until - ((x.until - x.since) * power(${u('day')}, 1 / x.late))::int end as day from ideas x),
     timed as materialized (
       -- Nobody gives to the office at night.
       select x.*, (x.day + interval '8 hours' + ${drawn("'clock ' || x.key")} * interval '45 seconds') at time zone 'UTC' as came_at,
         ${u('card')} * 1000 < x.cards as by_card, ${u('firm')} < 0.22 as by_firm, ${u('method')} as by_method from days x),
     picked as materialized (
       select x.*, case when not x.by_card and x.by_firm then (1 + floor(${u('which firm')} * ${firms.length}))::int end as firm,
         (1 + floor(power(${u('donor')}, 1.5) * (select count(*) from demo_donors o where o.made_at < x.came_at - interval '7 days')))::int as donor from timed x)
     insert into demo_gifts (key, campaign, person_id, name, email, account_id, base, covers, method, source, came_at, anonymous, tribute_kind, tribute_name, message, second_fund, fund, reference, wants_mail)
     select x.key, nullif(x.campaign, ''), d.id, coalesce(d.name, f.name, ''), coalesce(case when x.by_card then d.email end, ''), d.account_id,
       (array[${amounts.join(', ')}])[1 + floor(power(${u('amount')}, 2.1) * ${amounts.length})] * case when f.name is null then 1 else 4 end, x.by_card and ${u('fee')} < 0.35,
       case when x.by_card then 'card' when x.by_method < 0.5 then 'cheque' when f.name like 'Collection%' then 'cash' when x.by_method < 0.94 then 'bank_transfer' else 'cash' end,
       case when not x.by_card then 'office' when d.account_id is not null and ${u('signed in')} < 0.7 then 'own' else 'page' end, x.came_at,
       ${u('anonymous')} < 0.07, t.kind, coalesce(t.name, ''), case when x.by_card and ${u('message')} < 0.18 then (array[${messages.map((text) => `'${text}'`).join(', ')}])[1 + floor(${u('words')} * ${messages.length})] else '' end,
       case when ${u('split')} < 0.05 then 'general' end, case when ${u('other')} < 0.14 then (array['general', 'school', 'disaster'])[1 + floor(${u('fund')} * 3)] when x.campaign = '' then (array['general', 'general', 'library', 'travel', 'school'])[1 + floor(${u('fund')} * 5)] end,
       case when not x.by_card and x.by_method < 0.5 then lpad((100000 + ${drawn("'cheque ' || x.key")} * 37)::text, 6, '0') when not x.by_card and x.by_method < 0.94 then 'Gift' else '' end,
       x.by_card or ${u('mail')} < 0.8
     from picked x left join demo_firms f on f.place = x.firm left join demo_donors d on x.firm is null and d.place = x.donor
     left join lateral (select case when ${u('tribute')} < 0.05 then 'memory' else 'honour' end as kind, (array[${remembered.map((name) => `'${name}'`).join(', ')}])[1 + floor(${u('whom')} * ${remembered.length})] as name where ${u('tribute')} < 0.07) t on true
     where coalesce(d.name, f.name) is not null`,
    [today, shareOf(world)],
  )
  // What the demo person who is a member has given, so that signing in as him shows something.
  await client.query(
    `insert into demo_gifts (key, campaign, fund, person_id, name, email, account_id, base, covers, method, source, came_at, tribute_kind, tribute_name, message, anonymous)
     select 'member ' || g.n, g.campaign, g.fund, p.id, p.display_name, a.email, a.id, g.base, g.covers, 'card', 'own', ($2::date + g.day + time '18:20') at time zone 'UTC', g.kind, g.tribute, g.message, g.hidden
     from (values (1, 'winter', null, 5000, true, ${december - 9}, null, '', 'Stay dry.', false), (2, 'kits', 'travel', 4000, false, -88, 'memory', 'my father', '', false), (3, 'kits', null, 2500, true, -4, null, '', '', true))
       g (n, campaign, fund, base, covers, day, kind, tribute, message, hidden)
     join app.accounts a on a.org_id = $1 and a.subject = 'member' join app.people p on p.org_id = a.org_id and p.id = a.person_id
     where p.created_at < $2::date + g.day - 1`,
    [world.orgId, today],
  )
  await decideFates(client, world, today)
}

/** A few gifts were given back, one is disputed, some forms were left without paying, and one gift was recorded twice. */
async function decideFates(client: pg.Client, world: World, today: string): Promise<void> {
  const share = shareOf(world)
  const some = (many: number) => Math.max(1, Math.round((many * share) / 1000))
  await client.query(
    `with drawn as (
       select x.key, x.method = 'card' as card, row_number() over (partition by x.method = 'card' order by ${drawn("'fate ' || x.key")}, x.key) as n from demo_gifts x
       where x.key not like 'member%' and x.came_at between $1::timestamptz - interval '420 days' and $1::timestamptz - interval '12 days')
     update demo_gifts g set fate = f.fate, refunded_on = case when f.fate in ('refunded', 'partly_refunded') then g.came_at::date + 5 end
     from (select d.key, case when d.card then case when d.n <= ${some(4)} then 'refunded' when d.n <= ${some(4) + some(2)} then 'partly_refunded' when d.n <= ${some(4) + some(2) + some(9)} then 'cancelled' end
         when d.n = 1 then 'reversed' when d.n = 2 then 'refunded' end as fate from drawn d) f where f.key = g.key and f.fate is not null`,
    [today],
  )
  await client.query(
    `update demo_gifts g set fate = 'disputed' where g.key = (select x.key from demo_gifts x where x.method = 'card' and x.fate = 'settled' and x.key not like 'member%'
       and x.came_at between $1::timestamptz - interval '60 days' and $1::timestamptz - interval '14 days' order by x.came_at desc limit 1)`,
    [today],
  )
  await client.query(
    `update demo_gifts g set note = n.note from (values (1, 'Came with a letter that is in the files.'), (2, 'Wants to be asked again in autumn.'), (3, 'Bank statement says “for the maps”.'), (4, 'Envelope without a return address.')) n (place, note)
     join (select x.key, row_number() over (order by ${drawn("'note ' || x.key")}, x.key) as place from demo_gifts x where x.source = 'office' and x.fate = 'settled') o on o.place = n.place where g.key = o.key`,
  )
}

/** Writes what was planned: gifts, what of them goes to which fund, notes of the office. Answers how many rows. */
export async function writeGifts(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[] = [world.orgId]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  await client.query(
    `create temporary table demo_given on commit drop as
     select g.*, ${datedId("'gift ' || g.key", 'g.came_at')} as id, c.id as campaign_id, c.share_chapter, c.share_bps, f.id as fund_id, s.id as second_fund_id, p.amount, p.amount - g.base as fee, g.source = 'page' or (g.source = 'plan' and g.account_id is null) as typed,
       case when g.fate not in ('cancelled', 'failed', 'waits') then (g.came_at at time zone 'Europe/London')::date end as received_on, case g.fate when 'refunded' then p.amount when 'partly_refunded' then p.amount / 2 else 0 end as refunded,
       case when g.source in ('own', 'page') then null else ${accountOf(world, 'finance')} end as office_id
     from demo_gifts g left join demo_campaigns c on c.key = g.campaign
     cross join lateral (select g.base + case when g.covers then app_private.gift_fee($1, g.base) else 0 end as amount) p
     join demo_funds f on f.key = coalesce(g.fund, c.fund)
     left join demo_funds s on s.key = g.second_fund and s.key <> f.key and p.amount > 1`,
    [world.orgId],
  )
  await client.query('create unique index on demo_given (id)')
  // The newest one-off gifts wait for thanks; a card that is charged every month needs none from a person.
  await client.query(
    `create temporary table demo_thanks on commit drop as
     select g.id, g.received_on + 1 + ${drawn("'thanks ' || g.key")} % 4 as day, case when g.amount >= 50000 then case when ${drawn("'thanked ' || g.key")} < 500 then 'call' else 'letter' end when g.email = '' then 'letter' else 'mail' end as how
     from (select x.*, row_number() over (order by x.came_at desc, x.key) as newest from demo_given x where x.fate in ('settled', 'partly_refunded') and x.plan is null) g where g.newest > 15
     union all select g.id, g.received_on, 'mail' from demo_given g where g.plan is not null and g.fate = 'settled'`,
  )
  await add(
    `insert into app.gifts (org_id, id, campaign_id, person_id, donor_name, donor_email, amount, fee_covered, currency, method, status, refunded_amount, is_test, is_anonymous, tribute_kind, tribute_name, message, source, plan_id, due_on,
       instalment_id, received_on, settled_at, share_chapter_id, share_amount, wants_receipt_mail, batch_id, thanked_at, thanked_by, thanked_how, created_by, created_at, updated_at)
     select $1, g.id, g.campaign_id, case when g.source <> 'page' or g.received_on is not null then g.person_id end, case when g.person_id is null or g.typed then g.name else '' end,
       case when g.typed then g.email else '' end, g.amount, g.fee, 'EUR', g.method, case g.fate when 'waits' then 'pending' else g.fate end, g.refunded,
       g.method = 'card', g.anonymous, g.tribute_kind, g.tribute_name, g.message, g.source, l.id, g.due_on, i.id, g.received_on, case when g.received_on is not null then g.came_at end,
       case when g.share_bps > 0 then g.share_chapter end, case when g.share_bps > 0 then round(g.base::numeric * g.share_bps / 10000)::bigint else 0 end, g.wants_mail,
       case when g.method = 'cheque' and g.source = 'office' then ${drawnId("'batch ' || g.received_on")} end, (t.day + time '15:00') at time zone 'UTC', case when t.id is not null and g.plan is null then ${accountOf(world, 'finance')} end, t.how,
       case when g.source = 'own' then g.account_id when g.source = 'office' then g.office_id end, g.came_at, greatest(g.came_at, (t.day + time '15:00') at time zone 'UTC')
     from demo_given g left join demo_thanks t on t.id = g.id and t.day < $2::date left join demo_plans l on l.key = g.plan left join demo_instalments i on i.key = g.instalment
     order by g.came_at, g.key`,
    [world.orgId, today],
  )
  await add(
    `insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount)
     select $1, g.id, a.fund_id, a.place, a.amount from demo_given g cross join lateral (
       select g.fund_id, 1 as place, case when g.second_fund_id is null then g.amount else g.amount - g.amount * 2 / 5 end as amount
       union all select g.second_fund_id, 2, g.amount * 2 / 5 where g.second_fund_id is not null and g.amount * 2 / 5 > 0) a`,
  )
  await add(
    `insert into app.giving_notes (org_id, id, gift_id, note) select $1, ${datedId("'note ' || g.key", 'g.came_at')}, g.id, g.note from demo_given g where g.note is not null`,
  )
  await client.query('select app_private.spread_gifts($1, (select array_agg(g.id) from demo_given g))', [world.orgId])
  return rows
}
