import type pg from 'pg'
import { instantOf, isoOf } from './days.ts'
import { datedId, drawnId, idOf } from './random.ts'
import type { World } from './world.ts'

const types = [
  { name: 'Full member', description: 'Votes and holds office.', period: 'rolling', months: 12, price: 6000, share: 4000, approval: true, openTo: 'everyone', questions: ['Why would you like to join?'] },
  { name: 'Friend', description: 'Gets the newsletter and comes to events.', period: 'fixed', months: 12, price: 2400, share: 2500, approval: false, openTo: 'everyone', questions: [] },
  { name: 'Honorary member', description: 'Named by the assembly.', period: 'lifetime', months: null, price: 0, share: 0, approval: false, openTo: 'officers', questions: [] },
] as const // prettier-ignore

const typeStream = 910
/** More would take longer than the people themselves; a register of a million has memberships for so many of them. */
const atMost = 200_000

/** Types, five years of terms that agree with the lifecycle of their people, and applications. Answers how many rows. */
export async function addMemberships(client: pg.Client, world: World): Promise<number> {
  const at = instantOf(world.today - 2_000, 36_000)
  const ids: string[] = []
  for (const [place, type] of types.entries()) {
    const id = idOf(world.seed, typeStream, place, Date.parse(at))
    ids.push(id)
    await client.query(
      `insert into app.membership_types (org_id, id, name, description, period, months, starts_month, starts_day, rollover_days, price_amount, price_currency, chapter_share_bps,
         needs_approval, open_to, questions, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'EUR', $11, $12, $13, $14, $15, $15)`,
      [
        world.orgId, id, type.name, type.description, type.period, type.months, ...(type.period === 'fixed' ? [1, 1, 60] : [null, null, 0]), type.price, type.share,
        type.approval, type.openTo, type.questions, at,
      ], // prettier-ignore
    )
  }
  const of = [world.orgId, isoOf(world.today), ids[0], atMost]
  await client.query(
    `create temporary table demo_memberships on commit drop as
     select p.org_id, p.id as person_id, ${drawnId("'membership ' || p.id")} as id, p.lifecycle, n.n, p.home_chapter_id as chapter_id, a.starts_on as joined, $3::uuid as type_id, p.created_at,
       case p.lifecycle
         when 'prospect' then null
         when 'active' then case when n.n < 40 then $2::date - 1 - n.n % 25
           else (a.starts_on + make_interval(years => extract(year from age($2::date, a.starts_on))::int + 1))::date - 1 end
         else least(a.ends_on, $2::date - 40) end as ends_on
     from app.people p
     cross join lateral (select abs(hashtextextended(p.id::text, 7) % 1000)::int as n) n
     join lateral (select x.starts_on, x.ends_on from app.affiliations x where x.org_id = p.org_id and x.person_id = p.id and x.chapter_id = p.home_chapter_id
       and (x.kind in ('member', 'alumni') or (x.kind = 'applicant' and p.lifecycle = 'prospect')) and (p.lifecycle <> 'active' or (x.kind = 'member' and x.ends_on is null and x.starts_on <= $2::date))
       order by x.starts_on limit 1) a on true
     where p.org_id = $1 and p.deleted_at is null and p.lifecycle in ('prospect', 'active', 'alumni', 'former') and (p.lifecycle <> 'prospect' or n.n % 3 < 2)
     order by p.id limit $4`,
    of,
  )
  const held = await client.query(
    `insert into app.memberships (org_id, id, person_id, type_id, chapter_id, status, auto_renew, answers, starts_on, ends_on, grace_until, paid_on, created_at, updated_at)
     select d.org_id, d.id, d.person_id, d.type_id, d.chapter_id,
       case d.lifecycle when 'active' then case when d.ends_on >= $1::date then 'active' else 'grace' end
         when 'prospect' then case d.n % 3 when 0 then 'awaiting_approval' else 'awaiting_payment' end
         else case when d.n % 5 = 0 then 'cancelled' else 'lapsed' end end,
       d.n % 4 <> 0,
       case when d.lifecycle = 'prospect' then '[{"question": "Why would you like to join?", "answer": "A friend took me along to a meeting."}]'::jsonb else '[]' end,
       s.starts_on, d.ends_on, d.ends_on + 30, s.paid_on, d.created_at, d.created_at
     from demo_memberships d
     cross join lateral (select greatest(1, least(5, extract(year from age(d.ends_on + 1, d.joined))::int)) as years) y
     cross join lateral (select case when d.ends_on is not null then (d.ends_on + 1 - make_interval(years => y.years))::date end as starts_on,
       case when d.ends_on is not null then (d.ends_on + 1 - make_interval(years => 1))::date end as paid_on) s`,
    [isoOf(world.today)],
  )
  const terms = await client.query(
    `insert into app.membership_terms (org_id, id, membership_id, person_id, status, period, months, grace_days, chapter_share_bps, price_amount, price_currency, starts_on, ends_on, settled_on, created_at)
     select m.org_id, ${datedId("'term ' || m.id || g.nth", 'coalesce(t.starts_on, m.created_at::date)')}, m.id, m.person_id, case when m.starts_on is null then 'open' else 'settled' end, 'rolling', 12, 30, 4000, 6000, 'EUR',
       t.starts_on, case when t.starts_on is not null then (t.starts_on + interval '1 year')::date - 1 end, t.starts_on, coalesce(t.starts_on, m.created_at::date)
     from app.memberships m
     cross join lateral generate_series(1, case when m.starts_on is null then case m.status when 'awaiting_payment' then 1 else 0 end else extract(year from age(m.ends_on + 1, m.starts_on))::int end) g (nth)
     cross join lateral (select (m.ends_on + 1 - make_interval(years => g.nth))::date as starts_on) t
     where m.org_id = $1`,
    [world.orgId],
  )
  const changes = await addChanges(client, world)
  // Without figures about what has just come in, the planner compares every membership with every term.
  await client.query('analyze app.memberships, app.membership_terms')
  await client.query('select app.refresh_standings($1)', [world.orgId])
  await client.query('analyze app.membership_standings, app.transfers')
  return types.length + (held.rowCount ?? 0) + (terms.rowCount ?? 0) + changes
}

/** Two transfers that wait for an answer, an override and a pause; none changes the lifecycle of its person. */
async function addChanges(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  const moves = await client.query(
    `insert into app.transfers (org_id, id, person_id, from_chapter_id, to_chapter_id, state, moves_on, note, source_at, created_at, updated_at)
     select d.org_id, ${drawnId("'transfer ' || d.id")}, d.person_id, d.chapter_id, d.target, case when d.place = 1 then 'requested' else 'source_ok' end, $2::date + 21,
       case when d.place = 1 then 'I moved for a new job and would like to join the chapter nearby.' else '' end,
       case when d.place = 2 then $2::date - 1 end, $2::date - 3, $2::date - 3
     from (select m.*, t.id as target, row_number() over (order by m.id) as place
       from app.memberships m
       join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.minor_until is null and p.home_chapter_id = m.chapter_id
       join app.chapters c on c.org_id = m.org_id and c.id = m.chapter_id
       cross join lateral (select x.id from app.chapters x where x.org_id = m.org_id and x.parent_id = c.parent_id and x.id <> c.id and x.status = 'active' order by x.id limit 1) t
       where m.org_id = $1 and m.status = 'active' order by m.id limit 2) d`,
    [world.orgId, today],
  )
  const one = (status: string) =>
    `(select m.id from app.memberships m where m.org_id = $1 and m.status = '${status}' order by m.id limit 1)`
  await client.query(
    `update app.memberships set override_status = 'active', override_until = $2::date + 60, override_reason = 'The treasurer agreed to payment in two parts'
     where org_id = $1 and id = ${one('grace')}`,
    [world.orgId, today],
  )
  await client.query(
    `update app.memberships set status = 'suspended', reason = 'On leave abroad' where org_id = $1 and id = ${one('lapsed')}`,
    [world.orgId],
  )
  return moves.rowCount ?? 0
}
