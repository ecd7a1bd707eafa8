import type pg from 'pg'
import { isoOf } from '../days.ts'
import { datedId, drawn } from '../random.ts'
import type { World } from '../world.ts'
import { accountOf } from './donors.ts'

type Kind = 'kept' | 'late' | 'fulfilled' | 'cancelled' | 'waived'
/** What was promised: how much, in how many parts how many months apart, how many days ago, for what, and how it goes. */
const promises: readonly (readonly [
  amount: number,
  parts: number,
  months: number,
  daysAgo: number,
  campaign: 'kits' | 'winter' | '',
  fund: string,
  kind: Kind,
])[] = [
  [120_000, 12, 1, 200, '', 'general', 'kept'],
  [500_000, 4, 3, 140, 'kits', 'school', 'kept'],
  [1_000_000, 2, 12, 330, '', 'library', 'kept'],
  [60_000, 6, 1, 120, 'kits', 'school', 'late'],
  [150_000, 1, 1, 75, 'kits', 'school', 'late'],
  [240_000, 8, 3, 400, '', 'travel', 'late'],
  [90_000, 3, 1, 300, 'winter', 'disaster', 'fulfilled'],
  [25_000, 1, 1, 110, 'kits', 'school', 'fulfilled'],
  [36_000, 12, 1, 260, '', 'general', 'cancelled'],
  [100_000, 10, 1, 230, '', 'disaster', 'waived'],
  [300_000, 3, 12, 60, '', 'library', 'kept'],
  [48_000, 24, 1, 500, '', 'general', 'kept'],
]
const notes = ['Rings before every transfer.', 'In memory of her teacher; no mail, please.', 'Will give more if the roof is mended.']

/** What people promised to give, in parts, with a gift for each part that has come. */
export async function planPledges(client: pg.Client, world: World): Promise<void> {
  const today = isoOf(world.today)
  await client.query(
    `create temporary table demo_pledges on commit drop as
     select x.n, 'pledge ' || x.n as key, x.amount, x.parts, x.months, $2::date - x.days_ago as pledged_on, nullif(x.campaign, '') as campaign, x.fund, x.kind, d.id as person_id,
       ($2::date - x.days_ago + time '14:05') at time zone 'UTC' as made_at, ${datedId("'pledge ' || x.n", "(($2::date - x.days_ago + time '14:05') at time zone 'UTC')")} as id, (array[${notes.map((text) => `'${text}'`).join(', ')}])[x.n / 2] as note
     from jsonb_to_recordset($1::jsonb) x (n int, amount bigint, parts int, months int, days_ago int, campaign text, fund text, kind text)
     join (select y.*, row_number() over (order by ${drawn("'pledges ' || y.id")}, y.id)::int as nth from demo_donors y where y.made_at < $2::date - 520) d on d.nth = x.n`,
    [
      JSON.stringify(
        promises.map(([amount, parts, months, days_ago, campaign, fund, kind], nth) => ({
          n: nth + 1,
          amount,
          parts,
          months,
          days_ago,
          campaign,
          fund,
          kind,
        })),
      ),
      today,
    ],
  )
  await client.query(
    `create temporary table demo_instalments on commit drop as
     select concat(p.key, ' ', g.place) as key, p.key as pledge, g.place, s.due_on, ${datedId("concat(p.key, ' part ', g.place)", "(p.made_at + g.place * interval '1 millisecond')")} as id,
       p.amount / p.parts + case when g.place <= p.amount % p.parts then 1 else 0 end as amount,
       case when p.kind = 'cancelled' and s.due_on > $1::date - 120 then 'due' when p.kind = 'waived' and g.place in (3, 4) then 'waived'
         when s.due_on < $1::date - case when p.kind = 'late' then 35 else 3 end or p.kind = 'fulfilled' then 'paid' else 'due' end as state
     from demo_pledges p cross join lateral generate_series(1, p.parts) g (place) cross join lateral (select (p.pledged_on + 14 + make_interval(months => p.months * (g.place - 1)))::date as due_on) s`,
    [today],
  )
  await client.query(
    `insert into demo_gifts (key, campaign, fund, person_id, name, email, base, method, source, came_at, instalment, reference)
     select i.key, p.campaign, p.fund, p.person_id, '', '', i.amount, 'bank_transfer', 'office', (least(i.due_on - 2 + ${drawn("'came ' || i.key")} % 5, $1::date - 1) + time '10:15') at time zone 'UTC', i.key, 'Pledge'
     from demo_instalments i join demo_pledges p on p.key = i.pledge where i.state = 'paid'`,
    [today],
  )
}

export async function writePledges(client: pg.Client, world: World): Promise<number> {
  let rows = 0
  const add = async (text: string) => {
    rows += (await client.query(text, [world.orgId])).rowCount ?? 0
  }
  await add(
    `insert into app.pledges (org_id, id, person_id, campaign_id, fund_id, amount, open_amount, currency, pledged_on, status, cancelled_at, created_by, created_at, updated_at)
     select $1, p.id, p.person_id, c.id, f.id, p.amount, case when p.kind = 'cancelled' then 0 else s.due end, 'EUR', p.pledged_on,
       case when p.kind = 'cancelled' then 'cancelled' when s.due = 0 then 'fulfilled' else 'open' end, case when p.kind = 'cancelled' then p.made_at + interval '140 days' end, ${accountOf(world, 'finance')}, p.made_at, case when p.kind = 'cancelled' then p.made_at + interval '140 days' else p.made_at end
     from demo_pledges p left join demo_campaigns c on c.key = p.campaign
     join lateral (select coalesce(sum(i.amount) filter (where i.state = 'due'), 0)::bigint as due from demo_instalments i where i.pledge = p.key) s on true
     join demo_funds f on f.key = p.fund order by p.made_at`,
  )
  await add(
    `insert into app.pledge_instalments (org_id, id, pledge_id, place, due_on, amount, state, gift_id)
     select $1, i.id, p.id, i.place, i.due_on, i.amount, i.state, g.id from demo_instalments i join demo_pledges p on p.key = i.pledge left join demo_given g on g.instalment = i.key`,
  )
  await add(
    `insert into app.giving_notes (org_id, id, pledge_id, note) select $1, ${datedId("'note ' || p.key", 'p.made_at')}, p.id, p.note from demo_pledges p where p.note is not null`,
  )
  return rows
}
