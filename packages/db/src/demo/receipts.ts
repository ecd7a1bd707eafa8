import type pg from 'pg'
import type { World } from './world.ts'

/** Receipts of paid invoices and of gifts, numbered in the order of their days. Answers how many. */
export async function addReceipts(client: pg.Client, world: World): Promise<number> {
  const { rowCount } = await client.query(
    `insert into app.receipts (org_id, id, payment_id, gift_id, person_id, chapter_id, books_chapter_id, number, number_year, number_place, state, replaces_id, reason, amount, currency, issued_on, received_on, billing, seller,
       lines, sent_at, created_at)
     select $1, r.id, r.payment_id, r.gift_id, r.person_id, r.chapter_id, r.books, app_private.number_text(f.receipt_format, r.year, r.place), r.year, r.place, r.state, r.replaces_id, r.reason, r.amount, 'EUR', r.day, r.received_on,
       r.billing, r.seller, r.lines, r.sent_at, r.at
     from (
       select x.*, extract(year from x.day)::int as year, (row_number() over (partition by extract(year from x.day) order by x.day, x.key))::int as place from (
         select p.receipt_id as id, p.payment_id, null::uuid as gift_id, p.person_id, p.chapter_id, p.books, 'issued' as state, null::uuid as replaces_id, '' as reason, p.amount, p.day, p.day as received_on, i.billing, i.seller,
           jsonb_build_array(jsonb_build_object('invoice', i.number, 'text', i.reason, 'amount', p.amount)) as lines, p.came_at as sent_at, p.came_at as at, p.key || p.part as key
         from demo_payments p join app.invoices i on i.org_id = $1 and i.id = p.id
         union all
         select g.id, g.payment_id, g.gift_id, g.person_id, null, null, g.state, g.replaces_id, g.reason, g.amount, g.day, g.received_on, g.billing, s.seller,
           (select jsonb_agg(jsonb_build_object('invoice', null, 'text', concat_ws(': ', c.name, f.name), 'amount', case when g.nth = 2 then a.settled_amount else a.amount end) order by a.place, a.fund_id)
             from app.gift_allocations a join app.funds f on f.org_id = a.org_id and f.id = a.fund_id left join app.campaigns c on c.org_id = a.org_id and c.id = g.campaign_id where a.org_id = $1 and a.gift_id = g.gift_id),
           g.sent_at, g.at, concat('gift ', g.key, g.nth)
         from demo_gift_receipts g cross join (select app_private.seller_of($1) as seller) s) x) r
     join app.finance_settings f on f.org_id = $1`,
    [world.orgId],
  )
  await client.query(
    `insert into app.number_series (org_id, kind, year, last_number)
     select r.org_id, 'receipt', r.number_year, max(r.number_place) from app.receipts r where r.org_id = $1 group by 1, 2, 3`,
    [world.orgId],
  )
  await client.query('analyze app.receipts')
  return rowCount ?? 0
}
