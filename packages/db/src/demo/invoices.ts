import type pg from 'pg'
import { organisationName } from './chapters.ts'
import { isoOf } from './days.ts'
import { datedId, drawn, drawnId } from './random.ts'
import type { World } from './world.ts'

/** Bills of so many memberships at most; the sizes with more are for measuring people. */
const atMost = 40_000

/** Who issues invoices, how they are numbered and when they are due; before the first of them, as they show it. */
async function addSettings(client: pg.Client, world: World): Promise<number> {
  const { rowCount } = await client.query(
    `insert into app.finance_settings (org_id, id, invoice_format, credit_note_format, receipt_format, due_days, legal_name, address, tax_id, invoice_footer, updated_at)
     values ($1, ${drawnId("'settings of finance'")}, 'MS-{year}-{number:5}', 'MS-CN-{year}-{number:5}', 'MS-R-{year}-{number:5}', 21, $3, $4, 'GB 999 9999 73',
       'Registered charity 9999999. Questions? Write to office@example.org.', $2)`,
    [world.orgId, isoOf(world.today), `The ${organisationName}`, '1 Example Street\nLondon EX1 1EX\nUnited Kingdom'],
  )
  return rowCount ?? 0
}

/**
 * Five years of invoices, as a treasurer would have left them: dues of terms, insurance of chapters, things sold to members; paid at once, in two
 * parts or not at all, credited, voided and drafted, with their payments and credit notes; their receipts follow. Answers how many rows.
 */
export async function addInvoices(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  const of = [world.orgId, today]
  const settings = await addSettings(client, world)
  const counted = async (text: string, values: unknown[] = [world.orgId]) => (await client.query(text, values)).rowCount ?? 0

  // Renewals that the daily run has opened.
  const renewals = await counted(
    `insert into app.membership_terms (org_id, id, membership_id, person_id, status, period, months, grace_days, chapter_share_bps, price_amount, price_currency, created_at)
     select m.org_id, ${drawnId("'renewal ' || m.id")}, m.id, m.person_id, 'open', 'rolling', 12, 30, 4000, 6000, 'EUR', m.ends_on - 30
     from app.memberships m where m.org_id = $1 and m.status in ('active', 'grace') and m.auto_renew and m.ends_on <= $2::date + 30`,
    of,
  )

  await client.query(`create temporary table demo_bills (key text, person_id uuid, chapter_id uuid, books uuid, issued_on date, due_on date, text text, net bigint, tax_bps int default 0,
    share_chapter uuid, share bigint default 0, subject_type text, subject uuid, is_draft boolean default false, paid bigint default 0, paid_on date, parts int default 1,
    credited bigint default 0, credited_on date, credit_reason text, voided_on date, void_reason text) on commit drop`)
  await client.query(
    `insert into demo_bills (key, person_id, books, issued_on, due_on, text, net, share_chapter, share, subject_type, subject, is_draft, paid, paid_on, parts, credited, credited_on, credit_reason)
     select t.id::text, t.person_id, p.home_chapter_id, b.issued_on, b.due_on, 'Full member', t.price_amount, m.chapter_id, case when m.chapter_id is null then 0 else round(t.price_amount * 0.4) end, 'membership_term', t.id,
       t.status = 'open' and m.status = 'active' and d.n % 10 = 3,
       case when t.status = 'settled' then t.price_amount - c.credited when d.n % 6 = 1 then 2500 else 0 end,
       case when t.status = 'settled' then t.starts_on when d.n % 6 = 1 then b.issued_on + (least($2::date, b.due_on) - b.issued_on) / 2 end,
       case when t.status = 'settled' and d.n % 17 = 4 then 2 else 1 end,
       c.credited, case when c.credited > 0 then b.issued_on + 2 end, case when c.credited > 0 then 'Student discount' end
     from (select x.* from app.memberships x where x.org_id = $1 order by x.id limit $3) m
     join app.people p on p.org_id = m.org_id and p.id = m.person_id
     join app.membership_terms t on t.org_id = m.org_id and t.membership_id = m.id and (t.starts_on is null or t.starts_on > $2::date - 1826)
     cross join lateral (select ${drawn('t.id::text')} as n) d
     cross join lateral (select case when t.status = 'settled' and d.n % 41 = 7 then 1000 else 0 end as credited) c
     cross join lateral (select case when t.status = 'settled' then t.starts_on - case when t.starts_on = m.starts_on then 4 else 24 end
         else greatest(t.created_at::date, least(coalesce(m.ends_on, t.created_at::date + 14), $2::date) - 30) end as issued_on,
       case when t.status = 'settled' then t.starts_on + 6 else coalesce(m.ends_on, t.created_at::date + 30) end as due_on) b
     where b.issued_on <= $2::date`,
    [...of, atMost],
  )
  await client.query(
    `insert into demo_bills (key, person_id, books, issued_on, due_on, text, net, voided_on, void_reason)
     select 'missed ' || m.id, m.person_id, p.home_chapter_id, m.ends_on - 24, m.ends_on, 'Full member', 6000, m.grace_until + 1, 'Membership lapsed'
     from (select x.* from app.memberships x where x.org_id = $1 order by x.id limit $3) m join app.people p on p.org_id = m.org_id and p.id = m.person_id
     where m.status = 'lapsed' and m.ends_on > $2::date - 1700 and m.grace_until + 1 < $2::date`,
    [...of, atMost],
  )
  await client.query(
    `insert into demo_bills (key, chapter_id, books, issued_on, due_on, text, net, paid, paid_on)
     select 'insurance ' || d.id || d.ago, d.id, d.id, d.day, d.day + 30, concat('Insurance ', extract(year from d.day), ', ', d.members, case when d.members = 1 then ' member' else ' members' end), d.members * 150,
       case when d.n % 37 = 5 or d.ago = 0 and d.n % 5 = 1 then round(d.members * 75) when d.ago = 0 and d.n % 5 = 0 then 0 else d.members * 150 end,
       least(d.day + 9 + d.n % 40, $2::date)
     -- All chapters and years in one pass: a large organisation is filled before its indexes are there.
     from (select c.id, c.ago, c.n, c.day, count(*) as members
       from (select h.id, y.ago, h.n, $2::date - 20 - h.n % 130 - 365 * y.ago as day
         from (select id, ${drawn("id::text || 'insurance'")} as n from app.chapters where org_id = $1 and parent_id is not null) h cross join generate_series(0, 4) y (ago)) c
       join app.affiliations x on x.org_id = $1 and x.chapter_id = c.id and x.kind = 'member' and x.starts_on <= c.day and (x.ends_on is null or x.ends_on >= c.day)
       group by 1, 2, 3, 4) d`,
    of,
  )
  await client.query(
    `insert into demo_bills (key, person_id, books, issued_on, due_on, text, net, tax_bps, is_draft, paid, paid_on, credited, credited_on, credit_reason, voided_on, void_reason)
     select 'sold ' || p.id, p.id, p.home_chapter_id, d.day, d.day + 21, s.text, s.net, s.tax_bps, d.n % 20 = 0,
       case when d.n % 20 in (0, 1, 2, 3) then 0 when d.n % 20 = 4 then 1000 else s.net + round(s.net * s.tax_bps / 10000.0) end, least(d.day + d.n % 19, $2::date),
       case when d.n % 20 = 1 then s.net + round(s.net * s.tax_bps / 10000.0) else 0 end, least(d.day + 8, $2::date), 'Sent back',
       case when d.n % 20 = 2 then least(d.day + 1, $2::date) end, 'Billed twice'
     from (select x.*, ${drawn('x.id::text')} as n from app.people x where x.org_id = $1 and x.deleted_at is null and x.lifecycle = 'active' order by x.id limit $3) p
     cross join lateral (select p.n, $2::date - 2 - case when p.n % 20 in (0, 3) then p.n % 140 else ${drawn("p.id::text || 'day'")} * 18 / 10 end as day) d
     join (values (0, 'Conference dinner', 4200, 0), (1, 'Handbook of surveying', 2800, 700), (2, 'Training weekend', 14500, 0), (3, 'Atlas, 2nd edition', 6400, 700)) s (place, text, net, tax_bps)
       on s.place = (p.n / 7) % 4
     where p.n % 9 = 2 and p.joined_on < d.day`,
    [...of, atMost],
  )
  await client.query(
    `insert into demo_bills (key, person_id, books, issued_on, due_on, text, net, subject_type, subject, paid, paid_on, voided_on, void_reason)
     select 'ticket ' || r.id, r.payer_id, r.chapter_id, r.created_at::date, r.created_at::date, left(concat_ws(', ', e.title, t.name, r.name), 200), r.price_amount, 'event_registration', r.id,
       case when r.status = 'cancelled' then 0 else r.price_amount end, case when r.status <> 'cancelled' then r.created_at::date end,
       case when r.status = 'cancelled' then r.created_at::date end, 'Not paid in time'
     from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id
     where r.org_id = $1 and r.payer_id is not null and r.price_amount > 0`,
    [world.orgId],
  )
  // So that people who sign in have something to look at.
  await client.query(
    `insert into demo_bills (key, person_id, books, issued_on, due_on, text, net, tax_bps, paid, paid_on)
     select 'persona ' || s.subject, p.id, p.home_chapter_id, $2::date - s.age, $2::date - s.age + 21, s.text, s.net, s.tax_bps, s.paid, case when s.paid > 0 then $2::date - 2 end
     from (values ('member', 12, 'Annual conference, early booking', 8500, 0, 0), ('leader', 40, 'Handbook of surveying', 2800, 700, 0),
       ('chapter', 5, 'Conference dinner', 4200, 0, 1700)) s (subject, age, text, net, tax_bps, paid)
     join app.accounts a on a.org_id = $1 and a.subject = s.subject join app.people p on p.org_id = a.org_id and p.id = a.person_id`,
    of,
  )

  await client.query(
    `create temporary table demo_invoices on commit drop as
     select b.*, ${datedId("'invoice ' || b.key", 'b.at')} as id, b.net + round(b.net * b.tax_bps / 10000.0)::bigint as total,
       case when b.is_draft then null else row_number() over (partition by extract(year from b.issued_on), b.is_draft order by b.issued_on, b.key) end as place
     from (select x.*, (x.issued_on + time '09:00') at time zone 'UTC' + row_number() over (partition by x.issued_on order by x.key) * interval '5 seconds' as at from demo_bills x) b`,
  )
  const invoices = await counted(
    `insert into app.invoices (org_id, id, kind, state, person_id, chapter_id, books_chapter_id, number, number_year, number_place, currency, total_amount, paid_amount, credited_amount,
       issued_on, issued_at, due_on, paid_on, billing, seller, reason, sent_at, void_reason, voided_at, created_at, updated_at)
     select $1, b.id, 'invoice',
       case when b.is_draft then 'draft' when b.voided_on is not null then 'void' when b.paid + b.credited >= b.total then case when b.paid > 0 then 'paid' else 'credited' end
         when b.paid > 0 then 'partly_paid' else 'issued' end,
       b.person_id, b.chapter_id, b.books, app_private.number_text(f.invoice_format, extract(year from b.issued_on)::int, b.place::int), extract(year from b.issued_on), b.place, 'EUR', b.total, b.paid, b.credited,
       b.issued_on, b.at, b.due_on, case when b.paid > 0 and b.paid + b.credited >= b.total then b.paid_on end, app_private.billing_of($1, b.person_id, b.chapter_id), app_private.seller_of($1), b.text,
       b.at + interval '5 minutes', b.void_reason, (b.voided_on + time '10:00') at time zone 'UTC', b.at,
       greatest(b.at, (b.paid_on + time '12:00') at time zone 'UTC', (b.voided_on + time '10:00') at time zone 'UTC')
     from (select x.id, x.is_draft, x.person_id, x.chapter_id, x.books, x.total, x.paid, x.credited, x.due_on, x.text, x.place, x.at,
         case when not x.is_draft then x.issued_on end as issued_on, case when x.paid > 0 then x.paid_on end as paid_on, x.voided_on, case when x.voided_on is not null then x.void_reason end as void_reason
       from demo_invoices x where not x.is_draft) b
     join app.finance_settings f on f.org_id = $1
     union all
     select $1, b.id, 'invoice', 'draft', b.person_id, b.chapter_id, b.books, null, null, null, 'EUR', b.total, 0, 0, null, null, b.due_on, null, null, null, b.text, null, null, null, b.at, b.at
     from demo_invoices b where b.is_draft`,
  )
  await client.query(
    `insert into app.invoice_lines (org_id, id, invoice_id, place, text, net_amount, tax_bps, tax_note, share_chapter_id, share_amount, subject_type, subject_id)
     select $1, ${drawnId("'line ' || b.key")}, b.id, 1, b.text, b.net, b.tax_bps, case when b.tax_bps > 0 then 'VAT' else '' end, b.share_chapter, b.share,
       b.subject_type, b.subject from demo_invoices b`,
    [world.orgId],
  )

  await client.query(
    `create temporary table demo_credits on commit drop as
     select c.*, ${datedId("'credit ' || c.key", 'c.credited_at')} as credit_id, row_number() over (partition by extract(year from c.credited_on) order by c.credited_on, c.key) as nth
     from (select b.*, (b.credited_on + time '10:00') at time zone 'UTC' as credited_at from demo_invoices b where b.credited > 0 and not b.is_draft) c`,
  )
  const credits = await counted(
    `insert into app.invoices (org_id, id, kind, state, person_id, chapter_id, books_chapter_id, number, number_year, number_place, currency, total_amount, issued_on, issued_at, due_on, billing, seller, reason,
       credits_id, created_at, updated_at)
     select $1, c.credit_id, 'credit_note', 'issued', c.person_id, c.chapter_id, c.books, app_private.number_text(f.credit_note_format, extract(year from c.credited_on)::int, c.nth::int),
       extract(year from c.credited_on), c.nth, 'EUR', -c.credited, c.credited_on, c.credited_at, c.credited_on, i.billing, i.seller, c.credit_reason, c.id, c.credited_at, c.credited_at
     from demo_credits c join app.invoices i on i.org_id = $1 and i.id = c.id join app.finance_settings f on f.org_id = $1`,
  )
  await client.query(
    `insert into app.invoice_lines (org_id, id, invoice_id, place, text, net_amount, tax_bps, tax_note)
     select $1, ${drawnId("'credit line ' || c.key")}, c.credit_id, 1, case when c.credited = c.total then c.text else c.credit_reason end, case when c.credited = c.total then -c.net else -c.credited end,
       case when c.credited = c.total then c.tax_bps else 0 end, case when c.credited = c.total and c.tax_bps > 0 then 'VAT' else '' end
     from demo_credits c`,
    [world.orgId],
  )

  await client.query(
    `create temporary table demo_payments on commit drop as
     select b.*, g.part, ${datedId("'payment ' || b.key || g.part", 'd.at')} as payment_id, ${datedId("'receipt ' || b.key || g.part", 'd.at')} as receipt_id, d.day, d.at as came_at, ${drawn("b.key || 'method'")} as n,
       case when b.parts = 1 then b.paid when g.part = 1 then b.paid / 2 else b.paid - b.paid / 2 end as amount
     from demo_invoices b cross join lateral generate_series(1, b.parts) g (part)
     cross join lateral (select case when b.parts = 1 or g.part = 2 then b.paid_on else b.paid_on - 3 end as day) e
     cross join lateral (select e.day, (e.day + time '12:00') at time zone 'UTC' as at) d
     where b.paid > 0 and not b.is_draft and b.voided_on is null`,
  )
  const payments = await counted(
    `insert into app.payments (org_id, id, kind, provider, method, person_id, chapter_id, books_chapter_id, amount, currency, state, received_on, settled_at, reference, created_at, updated_at)
     select $1, p.payment_id, 'manual', 'manual', case when p.chapter_id is not null or p.n % 20 > 4 then 'bank_transfer' when p.n % 20 > 1 then 'cash' else 'cheque' end, p.person_id, p.chapter_id, p.books,
       p.amount, 'EUR', 'settled', p.day, p.came_at, i.number, p.came_at, p.came_at
     from demo_payments p join app.invoices i on i.org_id = $1 and i.id = p.id`,
  )
  await client.query(
    `insert into app.payment_allocations (org_id, id, payment_id, invoice_id, amount, created_at)
     select $1, ${drawnId("'allocation ' || p.key || p.part")}, p.payment_id, p.id, p.amount, p.came_at from demo_payments p`,
    [world.orgId],
  )
  await client.query(
    `insert into app.number_series (org_id, kind, year, last_number)
     select i.org_id, i.kind, i.number_year, max(i.number_place) from app.invoices i where i.org_id = $1 and i.number_place is not null group by 1, 2, 3`,
    [world.orgId],
  )
  await client.query('analyze app.invoices, app.invoice_lines, app.payments, app.payment_allocations')
  return settings + renewals + 2 * (invoices + credits + payments)
}
