import type pg from 'pg'
import { addFamilies, plantFamilyProblems } from './families.ts'
import { instantOf, isoOf } from './days.ts'
import { isRelative } from './plan.ts'
import { datedId, drawn } from './random.ts'
import { accountId, personId } from './world.ts'
import type { World } from './world.ts'

/** Of a thousand who could stand in a line, so many do: most where chapters keep the custom, all in the biggest. */
const ofCustom = 640
const chaptersOfCustom = 380
const generations = 13
/** In a bigger organisation those who joined first stand for all; lines go no further. */
const mostPeople = 200_000
const mostHouseholds = 200

/** Who is big, mentor, recruiter or guardian of whom, since when; runs before anything else is written of these people. Answers how many rows. */
export async function addRelationships(client: pg.Client, world: World): Promise<number> {
  const founded = instantOf(world.foundedDay, 36_000)
  await client.query('select app_private.add_relationship_presets($1)', [world.orgId])
  const types = await client.query(
    `update app.relationship_types set id = ${datedId("'relationship type ' || key", '$2::timestamptz')}, created_at = $2, updated_at = $2 where org_id = $1`,
    [world.orgId, founded],
  )
  // Just loaded, and not known to the planner.
  await client.query('analyze app.people, app.person_private, app.affiliations, app.accounts')
  await planPeople(client, world)
  await client.query(`
    create temporary table demo_relationships (key text, first uuid, second uuid, state text not null default 'active', starts_on date, ends_on date, note text not null default '',
      asked_by uuid, asked_on date) on commit drop`)
  for (const plan of [lineage, recruiters, mentors, formerBigs(world.orgId)]) await client.query(plan, [isoOf(world.today)])
  await giveMemberLittles(client, world)
  await addHouseholds(client, world)
  await addFamilies(client, world)
  await proposeToMember(client, world)
  const rows = await write(client, world)
  await plantFamilyProblems(client, world)
  await client.query('drop table demo_relationships, demo_kin; analyze app.relationships, app.relationship_types')
  return (types.rowCount ?? 0) + rows
}

/** Adults who are here, in the order in which they joined their chapter: who came later is the little of who came before. */
async function planPeople(client: pg.Client, { orgId, chapters, personas, ...world }: World): Promise<void> {
  const homes = [...personas.keys()].map((index) => chapters[world.homes[index] ?? 0]?.id)
  await client.query(
    `create temporary table demo_kin on commit drop as
     select k.*, row_number() over (partition by k.chapter_id order by k.joined_on, k.id)::int as place,
       case when k.in_line then (count(*) filter (where k.in_line) over (partition by k.chapter_id order by k.joined_on, k.id))::int end as line_place,
       (count(*) filter (where k.in_line) over (partition by k.chapter_id))::int as in_lines
     from (
       select p.id, p.family_name, p.lifecycle, p.joined_on, p.home_chapter_id as chapter_id, c.birth_date, a.id as account_id, p.id = any ($3) as is_persona,
         case when p.id = any ($3) then true when p.home_chapter_id = $4 then ${drawn("'line ' || p.id")} < 900
           else (p.home_chapter_id = any ($2) or ${drawn("'lines of ' || p.home_chapter_id")} < ${chaptersOfCustom}) and ${drawn("'line ' || p.id")} < ${ofCustom} end as in_line
       from (select * from app.people x where x.org_id = $1 order by x.id limit ${mostPeople}) p
       left join app.person_private c on c.org_id = p.org_id and c.person_id = p.id
       left join app.accounts a on a.org_id = p.org_id and a.person_id = p.id and a.status = 'active'
       where p.deleted_at is null and p.lifecycle in ('active', 'alumni') and p.minor_until is null and p.joined_on is not null and p.home_chapter_id is not null) k`,
    [
      orgId,
      homes,
      [...personas.keys()].map((index) => personId({ ...world, orgId, chapters, personas }, index)),
      chapters[world.biggest]?.id,
    ],
  )
  await client.query('create index on demo_kin (chapter_id, line_place); create index on demo_kin (chapter_id, place); analyze demo_kin')
}

const soonAfter = (day: string, from: number) => `least($1::date - 1, ${day} + ${from} + ${drawn("'day ' || k.id")} % 90)`

/** Generations of a chapter follow each other in time. Some have many littles and others none, as the draw is squared. */
const lineage = `
  insert into demo_relationships (key, first, second, starts_on)
  select 'lineage', b.id, k.id, ${soonAfter('k.joined_on', 30)}
  from (select k.*, (k.line_place - 1) * n.generations / k.in_lines as generation, n.generations from demo_kin k
    cross join lateral (select least(${generations}, greatest(1, k.in_lines / 4)) as generations) n where k.line_place is not null) k
  cross join lateral (select (k.in_lines * (k.generation - 1) + k.generations - 1) / k.generations as before, (k.in_lines * k.generation + k.generations - 1) / k.generations as until) g
  join demo_kin b on b.chapter_id = k.chapter_id
    and b.line_place = 1 + g.before + floor((g.until - g.before) * power(${drawn("'big ' || k.id")} / 1000.0, 2))::int
  where k.generation > 0`

/** One of those who were there already brought them. */
const recruiters = `
  insert into demo_relationships (key, first, second, starts_on)
  select 'recruiter', r.id, k.id, least($1::date - 1, k.joined_on) from demo_kin k
  join demo_kin r on r.chapter_id = k.chapter_id and r.place = 1 + ${drawn("'recruiter ' || k.id")} % (k.place - 1)
  where k.place > 1 and ${drawn("'recruited ' || k.id")} < 90`

/** For a year, with somebody who has been there for long, also of another chapter. */
const mentors = `
  insert into demo_relationships (key, first, second, starts_on, ends_on, state, note)
  with elders as materialized (select k.id, row_number() over (order by ${drawn("'mentor ' || k.id")}, k.id) as nth from demo_kin k where k.joined_on < $1::date - 5 * 365)
  select 'mentor', m.id, k.id, s.day, case when s.day + 365 < $1::date then s.day + 365 end, case when s.day + 365 < $1::date then 'ended' else 'active' end,
    case when ${drawn("'topic ' || k.id")} < 300 then 'First job and professional examinations.' else '' end
  from (select k.*, row_number() over (order by k.id) as nth from demo_kin k where k.joined_on > $1::date - 4 * 365 and ${drawn("'mentee ' || k.id")} < 80) k
  join elders m on m.nth = 1 + (k.nth - 1) % (select count(*) from elders)
  cross join lateral (select ${soonAfter('k.joined_on', 60)} as day) s`

/** Three whose big has left since. */
const formerBigs = (orgId: string) => `
  insert into demo_relationships (key, first, second, starts_on)
  with formers as materialized (
    select p.id, p.home_chapter_id as chapter_id, p.joined_on, max(a.ends_on) as left_on from (select * from app.people x where x.org_id = '${orgId}' order by x.id limit ${mostPeople}) p
    join app.affiliations a on a.org_id = p.org_id and a.person_id = p.id and a.chapter_id = p.home_chapter_id
    where p.lifecycle = 'former' and p.deleted_at is null and p.joined_on is not null group by p.id, p.home_chapter_id, p.joined_on order by p.id limit 40),
  littles as (
    select k.id, k.joined_on, f.id as former from formers f cross join lateral (select k.id, k.joined_on from demo_kin k
      where k.chapter_id = f.chapter_id and k.line_place is null and k.in_lines > 0 and k.joined_on > f.joined_on and k.joined_on + 45 < least(f.left_on, $1::date - 300) order by k.place limit 1) k)
  select distinct on (l.joined_on, l.id) 'lineage', l.former, l.id, l.joined_on + 45 from littles l order by l.joined_on, l.id limit 3`

/** People who share a home and an e-mail address. */
async function addHouseholds(client: pg.Client, world: World): Promise<void> {
  const pairs: [string, string][] = []
  for (let index = 1; index < world.people && pairs.length < mostHouseholds; index++)
    if (isRelative(world, index)) pairs.push([personId(world, index - 1), personId(world, index)])
  await client.query(
    `insert into demo_relationships (key, first, second, starts_on)
     select 'household', a.id, b.id, greatest(a.joined_on, b.joined_on) from unnest($1::uuid[], $2::uuid[]) x (first, second) join demo_kin a on a.id = x.first join demo_kin b on b.id = x.second`,
    [pairs.map(([first]) => first), pairs.map(([, second]) => second)],
  )
}

const indexOf = (world: World, sub: string) => [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0] ?? 0

/** So that “my line” of the demo member goes up and down. */
async function giveMemberLittles(client: pg.Client, world: World): Promise<void> {
  await client.query(
    `insert into demo_relationships (key, first, second, starts_on)
     select 'lineage', m.id, k.id, ${soonAfter('k.joined_on', 30)} from demo_kin m join demo_kin k on k.chapter_id = m.chapter_id and k.line_place is null and k.joined_on > m.joined_on
     where m.id = $2 and not exists (select from demo_relationships r where r.key = 'lineage' and (r.second = k.id or r.first = m.id)) order by k.joined_on, k.id limit 2`,
    [isoOf(world.today), personId(world, indexOf(world, 'member'))],
  )
}

/** What the demo member finds to answer. */
async function proposeToMember(client: pg.Client, world: World): Promise<void> {
  await client.query(
    `insert into demo_relationships (key, first, second, state, starts_on, note, asked_by, asked_on)
     values ('mentor', $2, $3, 'proposed', $1::date - 2, 'We talked about it at the chapter evening.', $4, $1::date - 2)`,
    [
      isoOf(world.today),
      personId(world, indexOf(world, 'leader')),
      personId(world, indexOf(world, 'member')),
      accountId(world, indexOf(world, 'leader')),
    ],
  )
}

/** As the office would have recorded them, from when there was one. */
async function write(client: pg.Client, world: World): Promise<number> {
  const secretary = indexOf(world, 'secretary')
  const { rowCount } = await client.query(
    `insert into app.relationships (org_id, id, type_id, from_person_id, to_person_id, state, starts_on, ends_on, note, proposed_by, answered_by, answered_at, ended_by, ended_at,
       verified_by, verified_at, created_at, updated_at)
     select $1, ${datedId("'relationship ' || d.key || d.first || d.second", 't.made_at')}, y.id, d.first, d.second, d.state, d.starts_on, d.ends_on, d.note, coalesce(d.asked_by, o.id),
       case when d.state <> 'proposed' then o.id end, case when d.state <> 'proposed' then t.made_at end, case when d.state = 'ended' then o.id end, case when d.state = 'ended' then d.ends_on + time '18:00' end,
       case when t.verified then o.id end, case when t.verified then t.made_at + interval '2 days' end, t.made_at,
       case when d.state = 'ended' then d.ends_on + time '18:00' when t.verified then t.made_at + interval '2 days' else t.made_at end
     from demo_relationships d
     join app.relationship_types y on y.org_id = $1 and y.key = d.key
     left join app.accounts o on o.org_id = $1 and o.id = $2 and o.created_at < d.starts_on
     cross join lateral (select coalesce(d.asked_on, d.starts_on) + time '11:00' as made_at,
       o.id is not null and d.state = 'active' and d.starts_on < $3::date - 7 and (d.key = 'guardian' or ${drawn('d.second || d.key')} < 500) as verified) t`,
    [world.orgId, accountId(world, secretary), isoOf(world.today)],
  )
  return rowCount ?? 0
}
