import type { Stage } from './stage.ts'

/** Gifts to one new campaign from so many people, recorded by the office over a year; values are worked out, so that they are the same every time. */
export async function addGifts(
  { admin, orgId }: Stage,
  name: string,
  { gifts, donors }: { gifts: number; donors: number },
  log: (line: string) => void,
): Promise<string> {
  const started = performance.now()
  await admin.query('begin')
  await admin.query('set local session_replication_role = replica')
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.campaigns (org_id, name, slug, status, starts_on, fund_id, currency)
     select $1, $2, 'bench-' || $3::int, 'active', current_date - 400, (select f.id from app.funds f where f.org_id = $1 order by f.id limit 1), 'EUR' returning id`,
    [orgId, name, gifts],
  )
  const campaignId = rows[0]?.id ?? ''
  await admin.query(
    `with givers as (select p.id, row_number() over (order by hashtext(p.id::text)) - 1 as nth from app.people p where p.org_id = $1)
     insert into app.gifts (org_id, campaign_id, person_id, amount, currency, method, status, source, received_on, settled_at, created_at)
     select $1, $2, g.id, 1000 + n * 37 % 9000, 'EUR', (array['cash', 'cheque', 'bank_transfer'])[1 + n % 3], 'settled', 'office', current_date - n % 365, now() - make_interval(days => n % 365), now() - make_interval(days => n % 365)
     from generate_series(1, $3::int) n join givers g on g.nth = n % $4::int`,
    [orgId, campaignId, gifts, donors],
  )
  await admin.query(
    `insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount)
     select g.org_id, g.id, c.fund_id, 1, g.amount from app.gifts g join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id where g.org_id = $1 and g.campaign_id = $2`,
    [orgId, campaignId],
  )
  await admin.query('select app.refresh_giving($1)', [orgId])
  await admin.query('commit')
  await admin.query('vacuum analyze')
  log(`${gifts} gifts of ${donors} people in ${Math.round((performance.now() - started) / 1_000)} s`)
  return campaignId
}
