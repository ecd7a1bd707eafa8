import type pg from 'pg'
import type { TestOrganisation } from '../../testing.ts'

/** Statements that plant rows of an organisation, of the organisation $1 and its root chapter $2. */
const planting: readonly string[] = [
  // Three regions, each with chapters, and clubs below some of them.
  `insert into app.chapters (org_id, parent_id, name, code, level, status, depth, city, chartered_on)
   select $1, $2, 'Region ' || n, 'region-' || n, 'region', 'active', 2, 'City ' || n, date '2000-01-01' + n * 400 from generate_series(1, 3) n`,
  `insert into app.chapters (org_id, parent_id, name, code, level, status, depth, city, chartered_on)
   select $1, c.id, c.name || ' chapter ' || n, c.code || '-' || n, 'chapter', (array['active','dormant','prospective','closed'])[1 + floor(random() * 4)::int], 3,
     (array['','Bonn','Graz'])[1 + floor(random() * 3)::int], case when random() < 0.8 then date '2005-01-01' + floor(random() * 6000)::int end
   from app.chapters c cross join generate_series(1, 3) n where c.org_id = $1 and c.level = 'region'`,
  `delete from app.chapter_ancestors where org_id = $1`,
  `with recursive up as (
     select c.id as chapter_id, c.id as ancestor_id, 0 as distance, c.parent_id from app.chapters c where c.org_id = $1
     union all select u.chapter_id, c.id, u.distance + 1, c.parent_id from up u join app.chapters c on c.org_id = $1 and c.id = u.parent_id)
   insert into app.chapter_ancestors (org_id, ancestor_id, chapter_id, distance) select $1, u.ancestor_id, u.chapter_id, u.distance from up u`,
  `insert into app.people (org_id, given_name, family_name, display_name, sort_name, lifecycle, joined_on, grad_year, language, home_chapter_id, minor_until)
   select $1, 'Given' || n, 'Family' || n, 'Given' || n || ' Family' || n, 'family' || n, (array['active','active','active','alumni','prospect','former','deceased','merged'])[1 + floor(random() * 8)::int],
     case when random() < 0.9 then current_date - floor(random() * 3000)::int end, case when random() < 0.5 then 2000 + floor(random() * 25)::int end,
     (array['en','de','',null])[1 + floor(random() * 4)::int], (select c.id from app.chapters c where c.org_id = $1 and n > 0 order by random() limit 1),
     case when random() < 0.1 then current_date + 400 end
   from generate_series(1, 300) n`,
  `update app.people p set deleted_at = now() where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.05`,
  `insert into app.person_private (org_id, person_id, birth_date) select $1, p.id, current_date - floor(random() * 28000)::int from app.people p
   where p.org_id = $1 and random() < 0.8 on conflict do nothing`,
  `insert into app.person_contacts (org_id, person_id, country) select $1, p.id, (array['DE','DE','DE','AT','CH','LI'])[1 + floor(random() * 6)::int] from app.people p
   where p.org_id = $1 and random() < 0.8 on conflict do nothing`,
  `insert into app.person_emails (org_id, person_id, address, is_primary) select $1, p.id, p.id || '@example.org', true from app.people p
   where p.org_id = $1 and random() < 0.7`,
  `insert into app.tags (org_id, name, audience) select $1, 'Tag ' || n, (array['officers','members'])[1 + n % 2] from generate_series(1, 4) n`,
  `insert into app.person_tags (org_id, person_id, tag_id) select $1, p.id, t.id from app.people p, app.tags t where p.org_id = $1 and t.org_id = $1 and random() < 0.2`,
  `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, ends_on, is_primary)
   select $1, p.id, c.id, (array['member','member','alumni','friend','advisor','applicant'])[1 + floor(random() * 6)::int], s.day, case when random() < 0.5 then s.day + floor(random() * 1500)::int end, random() < 0.5
   from app.people p cross join lateral (select current_date - floor(random() * 3000)::int as day, p.id) s
   cross join lateral (select x.id from app.chapters x where x.org_id = $1 order by random(), p.id limit 2) c
   where p.org_id = $1 and p.family_name like 'Family%' on conflict do nothing`,
  `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency)
   select $1, 'Type ' || n, 'rolling', 12, 1000 * n, 'EUR' from generate_series(1, 3) n`,
  `insert into app.memberships (org_id, person_id, type_id, chapter_id, status, auto_renew)
   select $1, p.id, t.id, case when random() < 0.9 then p.home_chapter_id end, 'lapsed', random() < 0.5
   from app.people p join app.membership_types t on t.org_id = $1 where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.5`,
  `insert into app.membership_terms (org_id, membership_id, person_id, status, period, months, grace_days, starts_on, ends_on, settled_on, price_amount, price_currency)
   select $1, m.id, m.person_id, 'settled', 'rolling', 12, 30 * floor(random() * 3)::int, d.day, d.day + 200 + floor(random() * 300)::int, d.day, 1000, (array['EUR','EUR','USD'])[1 + floor(random() * 3)::int]
   from app.memberships m cross join generate_series(0, 4) n cross join lateral (select current_date - 2400 + n * 500 + floor(random() * 100)::int as day, m.id) d
   where m.org_id = $1 and random() < 0.6`,
  `insert into app.membership_terms (org_id, membership_id, person_id, status, period, months, price_amount, price_currency)
   select $1, m.id, m.person_id, 'open', 'rolling', 12, 2500, 'EUR' from app.memberships m where m.org_id = $1 and random() < 0.2`,
  `update app.memberships m set starts_on = t.starts_on, ends_on = t.ends_on, status = (array['active','grace','lapsed','cancelled','suspended'])[1 + floor(random() * 5)::int]
   from (select x.membership_id, min(x.starts_on) as starts_on, max(x.ends_on) as ends_on from app.membership_terms x where x.org_id = $1 and x.status = 'settled' group by 1) t
   where m.org_id = $1 and t.membership_id = m.id`,
  `update app.memberships m set cancelled_on = current_date - floor(random() * 2000)::int where m.org_id = $1 and m.status = 'cancelled' and random() < 0.9`,
  `insert into app.positions (org_id, chapter_id, title) select $1, c.id, t from app.chapters c cross join unnest(array['President','Treasurer']) t where c.org_id = $1`,
  `insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on)
   select $1, o.id, p.id, s.day, case when random() < 0.6 then s.day + floor(random() * 900)::int end
   from app.positions o cross join lateral (select x.id from app.people x where x.org_id = $1 and x.family_name like 'Family%' order by random(), o.id limit 4) p
   cross join lateral (select current_date - floor(random() * 2500)::int as day, p.id) s where o.org_id = $1`,
  `insert into app.groups (org_id, chapter_id, name, kind, visibility) select $1, case when n % 2 = 0 then $2::uuid end, 'Group ' || n, (array['committee','interest','team'])[1 + n % 3], (array['public','members','secret'])[1 + n % 3] from generate_series(1, 6) n`,
  `insert into app.group_members (org_id, group_id, person_id, role, status, starts_on)
   select $1, g.id, p.id, (array['member','member','moderator'])[1 + floor(random() * 3)::int], (array['active','active','requested','removed'])[1 + floor(random() * 4)::int], current_date - floor(random() * 800)::int
   from app.groups g join app.people p on p.org_id = $1 and p.family_name like 'Family%' where g.org_id = $1 and random() < 0.1`,
  `insert into app.events (org_id, chapter_id, title, status, kind, mode, starts_at, ends_at, timezone, visibility, published_at, cancelled_at, template_name)
   select $1, case when random() < 0.8 then (select c.id from app.chapters c where c.org_id = $1 and n > 0 order by random() limit 1) end, 'Event ' || n, s.status, (array['meeting','social','training'])[1 + n % 3],
     (array['in_person','online'])[1 + n % 2], s.at, s.at + interval '2 hours', 'Europe/Berlin', (array['members','public'])[1 + n % 2], now(), case when s.status = 'cancelled' then now() end,
     case when s.status = 'draft' and n % 2 = 0 then 'Template ' || n end
   from generate_series(1, 40) n cross join lateral (select now() - make_interval(hours => floor(random() * 20000)::int - 3000) as at, (array['published','published','draft','cancelled'])[1 + floor(random() * 4)::int] as status, n as x) s`,
  `insert into app.registrations (org_id, event_id, chapter_id, person_id, status, cause, name, price_amount, price_currency, checked_in_at, created_at, refund_amount, hold_until, waiting_place)
   select $1, e.id, e.chapter_id, case when random() < 0.9 then p.id end, s.status, 'registered', 'Registered ' || p.id, 100 * floor(random() * 20)::int, (array['EUR','EUR','USD'])[1 + floor(random() * 3)::int],
     case when s.status = 'checked_in' then e.starts_at end, e.starts_at - make_interval(hours => floor(random() * 1000)::int), 0, null, case when s.status = 'waitlisted' then 1 end
   from app.events e join app.people p on p.org_id = $1 and p.family_name like 'Family%'
   cross join lateral (select (array['confirmed','checked_in','checked_in','cancelled','waitlisted'])[1 + floor(random() * 5)::int] as status, p.id) s
   where e.org_id = $1 and random() < 0.05`,
  `insert into app.event_counts (org_id, event_id, taken, confirmed, checked_in, cancelled, waiting)
   select e.org_id, e.id, count(r.id) filter (where r.status in ('confirmed', 'checked_in')), count(r.id) filter (where r.status = 'confirmed'), count(r.id) filter (where r.status = 'checked_in'),
     count(r.id) filter (where r.status = 'cancelled'), count(r.id) filter (where r.status = 'waitlisted')
   from app.events e left join app.registrations r on r.org_id = e.org_id and r.event_id = e.id where e.org_id = $1 group by 1, 2`,
  `insert into app.funds (org_id, name) select $1, 'Fund ' || n from generate_series(1, 3) n`,
  `insert into app.campaigns (org_id, chapter_id, name, status, currency, fund_id, slug) select $1, case when n % 2 = 0 then $2::uuid end, 'Campaign ' || n, 'active', 'EUR', (select f.id from app.funds f where f.org_id = $1 limit 1), 'campaign-' || n || '-' || left($1::text, 20)
   from generate_series(1, 3) n`,
  `insert into app.gifts (org_id, campaign_id, chapter_id, person_id, donor_name, amount, currency, method, status, refunded_amount, counts, is_test, source, received_on, settled_at)
   select $1, (select c.id from app.campaigns c where c.org_id = $1 and n > 0 order by random() limit 1), (select c.id from app.chapters c where c.org_id = $1 and n > 0 order by random() limit 1),
     case when random() < 0.8 then (select p.id from app.people p where p.org_id = $1 and p.family_name like 'Family%' and n > 0 order by random() limit 1) end, case when n % 3 = 0 then 'Somebody ' || n % 7 else '' end,
     1000, (array['EUR','EUR','EUR','USD'])[1 + floor(random() * 4)::int], (array['card','cash','bank_transfer'])[1 + n % 3], s.status, case when s.status = 'partly_refunded' then 300 when s.status = 'refunded' then 1000 else 0 end,
     n % 9 <> 0, n % 9 = 0, 'office', current_date - floor(random() * 1200)::int, now()
   from generate_series(1, 250) n cross join lateral (select (array['settled','settled','settled','partly_refunded','refunded','disputed'])[1 + floor(random() * 6)::int] as status, n as x) s`,
  `insert into app.gift_allocations (org_id, gift_id, fund_id, amount, settled_amount, place)
   select $1, g.id, f.id, 400 + 200 * (f.place - 1), round((400 + 200 * (f.place - 1))::numeric * g.counted_amount / 1000), f.place from app.gifts g
   cross join lateral (select x.id, row_number() over (order by x.id)::int as place from app.funds x where x.org_id = $1 limit 2) f where g.org_id = $1`,
  `insert into app.pledges (org_id, person_id, campaign_id, fund_id, chapter_id, amount, open_amount, paid_amount, next_due_on, currency, pledged_on, status, cancelled_at)
   select $1, p.id, null, (select f.id from app.funds f where f.org_id = $1 limit 1), p.home_chapter_id, 12000, case when s.status = 'open' then 5000 else 0 end, case when s.status = 'fulfilled' then 12000 else 7000 end,
     case when s.status = 'open' then current_date + 40 - floor(random() * 80)::int end, (array['EUR','USD'])[1 + floor(random() * 2)::int], current_date - floor(random() * 900)::int, s.status, case when s.status = 'cancelled' then now() end
   from app.people p cross join lateral (select (array['open','fulfilled','cancelled'])[1 + floor(random() * 3)::int] as status, p.id) s where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.3`,
  `insert into app.recurring_plans (org_id, person_id, fund_id, chapter_id, amount, currency, interval, status, started_on, next_on, retry_on, counts, is_test)
   select $1, p.id, (select f.id from app.funds f where f.org_id = $1 limit 1), p.home_chapter_id, 700, (array['EUR','USD'])[1 + floor(random() * 2)::int], (array['month','quarter','year'])[1 + floor(random() * 3)::int], s.status,
     current_date - floor(random() * 900)::int, current_date + 10, case when s.status = 'past_due' then current_date + 2 end, s.n > 0.1, s.n <= 0.1
   from app.people p cross join lateral (select (array['active','past_due','paused','cancelled'])[1 + floor(random() * 4)::int] as status, random() as n, p.id) s where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.3`,
  `insert into app.invoices (org_id, kind, state, person_id, books_chapter_id, foreign_number, currency, total_amount, paid_amount, credited_amount, issued_on, due_on, billing)
   select $1, 'invoice', s.state, p.id, p.home_chapter_id, 'F-' || p.id, (array['EUR','EUR','USD'])[1 + floor(random() * 3)::int], 6000, case s.state when 'paid' then 6000 when 'partly_paid' then 2000 else 0 end, case s.state when 'credited' then 6000 else 0 end,
     s.day, s.day + 30, '{"name": "Somebody"}' from app.people p
   cross join lateral (select (array['issued','partly_paid','paid','credited'])[1 + floor(random() * 4)::int] as state, current_date - floor(random() * 700)::int as day, p.id) s where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.5`,
  `insert into app.payments (org_id, person_id, books_chapter_id, method, amount, currency, refunded_amount, state, received_on, settled_at, counts, is_test, gift_id)
   select $1, p.id, case when s.n < 0.5 then p.home_chapter_id end, (array['cash','card','bank_transfer'])[1 + floor(random() * 3)::int], 4000, (array['EUR','EUR','USD'])[1 + floor(random() * 3)::int], case s.state when 'partly_refunded' then 500 when 'refunded' then 4000 else 0 end,
     s.state, current_date - floor(random() * 700)::int, now(), s.m > 0.1, s.m <= 0.1, case when s.n >= 0.5 then (select g.id from app.gifts g where g.org_id = $1 and s.n > 0 order by random() limit 1) end
   from app.people p cross join lateral (select (array['settled','settled','partly_refunded','refunded','failed','cancelled'])[1 + floor(random() * 6)::int] as state, random() as n, random() as m, p.id) s where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.5`,
  `insert into app.topics (org_id, name, kind, default_opt) select $1, 'Topic ' || n, 'marketing', 'in' from generate_series(1, 2) n`,
  `insert into app.messages (org_id, chapter_id, topic_id, name, status, started_at, send_at) select $1, case when random() < 0.5 then $2::uuid end, (select t.id from app.topics t where t.org_id = $1 and n > 0 order by random() limit 1), 'Message ' || n, s.status,
     case when s.status = 'sent' then now() - make_interval(hours => floor(random() * 9000)::int) end, now() from generate_series(1, 25) n cross join lateral (select (array['sent','sent','draft'])[1 + floor(random() * 3)::int] as status, n as x) s`,
  `insert into app.message_counts (org_id, message_id, what, n) select $1, m.id, w, floor(random() * 90)::int from app.messages m
   cross join unnest(array['sent','delivered','soft_bounce','hard_bounce','opened','clicked','unsubscribed','skipped:no_address','skipped']) w where m.org_id = $1 and m.status = 'sent'`,
  `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, starts_on, ends_on, verified_at)
   select $1, t.id, f.id, p.id, s.state, s.day, case when s.state = 'ended' then s.day + floor(random() * 800)::int end, case when random() < 0.5 then now() end
   from app.people p cross join lateral (select x.id from app.people x where x.org_id = $1 and x.family_name like 'Family%' and x.id <> p.id order by random(), p.id limit 2) f
   cross join lateral (select y.id from app.relationship_types y where y.org_id = $1 and y.key <> 'guardian' order by random(), f.id limit 1) t
   cross join lateral (select (array['active','active','ended','proposed'])[1 + floor(random() * 4)::int] as state, case when random() < 0.9 then current_date - floor(random() * 2500)::int end as day, f.id) s
   where p.org_id = $1 and p.family_name like 'Family%' and random() < 0.4 and not (s.state = 'ended' and s.day is null) on conflict do nothing`,
  `insert into app.chapter_counts (org_id, chapter_id, kind, people) select $1, c.id, 'member', floor(random() * 40)::int from app.chapters c where c.org_id = $1
   on conflict (org_id, chapter_id, kind) do update set people = excluded.people`,
]

/** Random rows of every subject, without what triggers would make of them; what reports read is written as they would. */
export async function plantReports(admin: pg.Pool, org: TestOrganisation, seed: number): Promise<void> {
  const client = await admin.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query('select setseed($1)', [seed])
    for (const statement of planting) {
      await client.query(statement, statement.includes('$2') ? [org.id, org.rootChapterId] : [org.id]).catch((error: unknown) => {
        throw new Error(`could not plant: ${statement.slice(0, 120)}`, { cause: error })
      })
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
