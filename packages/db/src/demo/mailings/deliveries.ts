import type pg from 'pg'
import { isoOf } from '../days.ts'
import { datedId, drawn } from '../random.ts'
import type { World } from '../world.ts'
import { savedAudience } from './saved-audiences.ts'

/** In a bigger organisation the first so many people stand for all, or loading would be about nothing else. */
const mostPeople = 2_400
/** So many deliveries are kept: those of small messages first, then of the newest. Of the others the counts are there, as after 18 months. */
const mostDeliveries = 6_000
const fewPeople = 300

/** What became of the messages that were sent: deliveries, clicks, counts, and addresses that get no more mail since. Answers how many rows. */
export async function addDeliveries(client: pg.Client, world: World): Promise<number> {
  let rows = 0
  const add = async (text: string, values: unknown[] = [world.orgId]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  await findRecipients(client, world)
  await settle(client, world)

  await add(
    `with wanted as (select message_id, sum(count(*)) over (order by count(*) > ${fewPeople}, min(started_at) desc) as so_far from demo_mails group by message_id)
     insert into app.message_deliveries (org_id, id, message_id, person_id, chapter_id, address, state, skip_reason, fed_at, created_at, sent_at, settled_at, opened_at, clicked_at, unsubscribed_at)
     select $1, m.id, m.message_id, m.person_id, m.chapter_id, m.address, m.state, m.skip, m.sent_at - interval '2 seconds', m.started_at, m.sent_at, m.settled_at, m.opened_at, m.clicked_at, m.unsubscribed_at
     from demo_mails m join wanted w using (message_id) where w.so_far <= ${mostDeliveries}`,
  )
  await client.query(
    `create temp table demo_clicks on commit drop as
     select m.id, m.message_id, n.number, m.clicked_at + (n.number - 1) * interval '40 seconds' as at, 1 + (${drawn("concat('again ', m.id, n.number)")} < 180)::int as clicks
     from demo_mails m cross join lateral (select l.number, 1 + floor(power(${drawn("'link ' || m.id")} / 1000.0, 2) * count(*) over ()) as main
       from app.message_links l where l.org_id = '${world.orgId}' and l.message_id = m.message_id) n
     where m.clicked_at is not null and (n.number = n.main or ${drawn("concat('also ', m.id, n.number)")} < 120)`,
  )
  await add(
    `insert into app.message_clicks (org_id, delivery_id, number, clicks, first_at, last_at)
     select $1, c.id, c.number, c.clicks, c.at, c.at + (c.clicks - 1) * interval '25 minutes' from demo_clicks c join app.message_deliveries d on d.org_id = $1 and d.id = c.id`,
  )
  await client.query(
    `update app.message_links l set people = c.people, clicks = c.clicks, programs = c.people * 3 / 10
     from (select message_id, number, count(*)::int as people, sum(clicks)::int as clicks from demo_clicks group by 1, 2) c
     where l.org_id = $1 and l.message_id = c.message_id and l.number = c.number`,
    [world.orgId],
  )
  await client.query(
    `update app.messages m set finished_at = d.at, updated_at = d.at from (select message_id, max(sent_at) + interval '4 seconds' as at from demo_mails group by 1) d where m.org_id = $1 and m.id = d.message_id`,
    [world.orgId],
  )
  await count(client, add)
  await add(
    `insert into app.mail_suppressions (org_id, address_hash, reason, source, created_at)
     select $1, app_private.address_hash(m.address), min(m.state), min('mail ' || m.id), min(m.settled_at) from demo_mails m where m.state in ('hard_bounce', 'complaint') group by 2
     on conflict do nothing`,
  )
  return rows
}

/** Who was meant, and why some of them get nothing: what they say of topics counts as of the day of sending. */
async function findRecipients(client: pg.Client, world: World): Promise<void> {
  await client.query(
    `create temp table demo_pool on commit drop as
     select p.id, p.home_chapter_id, p.lifecycle, p.created_at from app.people p where p.org_id = '${world.orgId}' order by p.id limit ${mostPeople}`,
  )
  await client.query(
    `create temp table demo_reach on commit drop as
     select t.id as topic_id, t.default_opt, r.person_id, r.address, r.refusal, c.state, c.source, c.at from app.topics t
     cross join lateral app_private.mail_reach(t.org_id, t.id, (select array_agg(p.id) from demo_pool p)) r
     left join app.consents c on c.org_id = t.org_id and c.topic_id = t.id and c.person_id = r.person_id where t.org_id = '${world.orgId}'`,
  )
  await client.query('analyze demo_pool, demo_reach')
  await client.query(
    `create temp table demo_meant on commit drop as
     select m.id as message_id, m.started_at, m.topic_id, m.chapter_id is not null or m.group_id is not null as is_near, p.id as person_id, p.home_chapter_id as chapter_id, r.address,
       case when r.state = 'unsubscribed' and r.source = 'link' then r.at end as left_at,
       case when r.refusal in ('unsubscribed', 'pending') and r.at > m.started_at then case when r.default_opt = 'out' then 'not_subscribed' end
         when r.refusal is null and r.default_opt = 'out' and r.at > m.started_at then 'not_subscribed' else r.refusal end as refusal
     from app.messages m cross join lateral (select array_agg(g.person_id) as people from app.group_members g where g.org_id = m.org_id and g.group_id = m.group_id and g.status = 'active') g
     cross join demo_pool p join demo_reach r on r.topic_id = m.topic_id and r.person_id = p.id
     where m.org_id = '${world.orgId}' and m.status = 'sent' and p.created_at < m.started_at and case
       when m.group_id is not null then p.id = any (g.people)
       when m.chapter_id is not null then p.home_chapter_id in (select a.chapter_id from app.chapter_ancestors a where a.org_id = m.org_id and a.ancestor_id = m.chapter_id)
         and p.lifecycle in ('active', 'alumni')
       when m.audience #>> '{include,0,id}' = '${savedAudience(world, 'Alumni').id}' then p.lifecycle = 'alumni'
       when m.audience #> '{include,0,filter}' is not null or m.audience #>> '{include,0,kind}' = 'audience' then p.lifecycle = 'active' else true end`,
  )
}

/** Every twentieth mail or so meets with something; an address that came back or complained gets nothing more from then on. */
async function settle(client: pg.Client, world: World): Promise<void> {
  const key = (what: string) => drawn(`concat('${what} ', f.message_id, f.person_id)`)
  const bad = (what: string, below: number) =>
    `x.address not like '%@demo.example' and ${drawn(`'${what} ' || lower(x.address)`)} < ${below}`
  const known = (at: string) => `case when ${at} < '${isoOf(world.today)}'::date then ${at} end`
  await client.query(
    `create temp table demo_mails on commit drop as
     with single as (
       select m.*, coalesce(m.refusal, case when row_number() over (partition by m.message_id, lower(m.address), m.refusal is null order by m.person_id) > 1 then 'duplicate' end) as skip from demo_meant m),
     fated as (
       select x.*, case when x.skip is null and x.started_at > '${isoOf(world.today)}'::date - ${drawn("'from ' || lower(x.address)")} * interval '9 hours'
         then case when ${bad('bounce', 14)} then 'hard_bounce' when ${bad('complaint', 4)} then 'complaint' end end as fate from single x),
     turned as (select f.*, row_number() over (partition by lower(f.address), f.fate order by f.started_at, f.message_id) as turn,
       row_number() over (partition by f.message_id order by f.skip is not null, f.person_id) as place from fated f),
     sent as (
       select f.message_id, f.started_at, f.topic_id, f.person_id, f.chapter_id, f.address, f.left_at, ${datedId('concat(f.message_id, f.person_id)', 'f.started_at')} as id,
         case when f.fate is not null and f.turn > 1 then f.fate else f.skip end as skip, case when f.fate is not null and f.turn = 1 then f.fate when ${key('state')} < 5 then 'soft_bounce'
           when ${key('state')} < 32 then 'sent' else 'delivered' end as became,
         f.started_at + interval '4 seconds' + f.place * interval '180 milliseconds' as leaves_at, ${key('open')} as interest,
         (case when f.is_near then 520 when t.kind = 'essential' then 590 else 410 end) + ${drawn("'opens ' || f.message_id")} / 12 as opens,
         (case when f.is_near then 170 when t.kind = 'essential' then 120 else 75 end) + ${drawn("'clicks ' || f.message_id")} / 22 as clicks,
         power(${key('delay')} / 1000.0, 3) * interval '60 hours' + interval '70 seconds' as delay
       from turned f join app.topics t on t.org_id = '${world.orgId}' and t.id = f.topic_id),
     seen as (
       select s.*, case when s.skip is null then s.became else 'skipped' end as state, case when s.skip is null then s.leaves_at end as sent_at,
         case when s.skip is null and s.became not in ('soft_bounce', 'hard_bounce') and s.interest < s.opens then ${known('(s.leaves_at + s.delay)')} end as opened_at from sent s)
     select s.id, s.message_id, s.started_at, s.person_id, s.chapter_id, s.address, s.state, s.skip, s.sent_at, s.opened_at,
       coalesce(s.sent_at + (1 + s.interest % 20) * interval '1 second', s.started_at) as settled_at,
       case when s.interest < s.clicks and exists (select from app.message_links l where l.org_id = '${world.orgId}' and l.message_id = s.message_id)
         then s.opened_at + (10 + s.interest % 90) * interval '1 second' end as clicked_at,
       case when s.sent_at is not null and s.state not in ('soft_bounce', 'hard_bounce') and s.left_at between s.sent_at and s.sent_at + interval '27 days' then s.left_at end as unsubscribed_at
     from seen s`,
  )
}

/** The same as the worker adds up while mails leave and are read. */
async function count(client: pg.Client, add: (text: string) => Promise<void>): Promise<void> {
  await client.query(
    `create temp table demo_counted on commit drop as
     select m.message_id, m.chapter_id, w.what, date_trunc('hour', w.at) as hour, w.counts_for from demo_mails m cross join lateral (values
       (m.state, m.settled_at, true), ('skipped:' || m.skip, m.settled_at, true), ('opened', m.opened_at, true), ('clicked', m.clicked_at, true), ('unsubscribed', m.unsubscribed_at, true),
       -- A mail that was delivered, or came back, had left before.
       (case when m.state not in ('sent', 'skipped') then 'sent' end, m.sent_at, false)) w (what, at, counts_for) where w.what is not null and w.at is not null`,
  )
  await add(
    `insert into app.message_counts (org_id, message_id, what, n) select $1, message_id, what, count(*)::int from demo_counted where counts_for group by message_id, what`,
  )
  await add(
    `insert into app.message_chapters (org_id, message_id, chapter_id, what, n)
     select $1, message_id, chapter_id, what, count(*)::int from demo_counted where counts_for and chapter_id is not null group by message_id, chapter_id, what`,
  )
  await add(
    `insert into app.message_hours (org_id, message_id, hour, what, n) select $1, message_id, hour, what, count(*)::int from demo_counted where what not like 'skipped%' group by message_id, hour, what`,
  )
}
