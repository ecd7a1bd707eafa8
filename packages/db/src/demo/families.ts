import type pg from 'pg'
import { isoOf } from './days.ts'
import { datedId, drawn } from './random.ts'
import { personId } from './world.ts'
import type { World } from './world.ts'

/** In a bigger organisation so many children stand for all. */
const mostChildren = 2_000
/** Days of which the child that comes of age next is still a minor. */
const untilMajority = 40

/** Guardians of the minors, by preference of the same name or else the same chapter. The demo member has two children; one child has nobody yet. */
export async function addFamilies(client: pg.Client, world: World): Promise<void> {
  const today = isoOf(world.today)
  const member = personId(world, [...world.personas].find(([, { demo }]) => demo.sub === 'member')?.[0] ?? 0)
  // Those whom the demo member looks after come last, so that the others keep their parts in an organisation with few.
  await client.query(
    `create temporary table demo_children on commit drop as
     select p.id, p.family_name, p.home_chapter_id as chapter_id, p.joined_on,
       row_number() over (order by p.home_chapter_id is distinct from m.home_chapter_id desc, ${drawn("'child ' || p.id")}, p.id)::int as place, (count(*) over ())::int as all_of_them
     from (select * from app.people x where x.org_id = $1 and x.minor_until is not null and x.lifecycle = 'active' and x.deleted_at is null order by x.id desc limit ${mostChildren}) p
     join app.people m on m.org_id = p.org_id and m.id = $2`,
    [world.orgId, member],
  )
  await client.query(
    `create temporary table demo_parents on commit drop as
     select k.*, row_number() over (partition by k.family_name order by k.id)::int as named, (count(*) over (partition by k.family_name))::int as of_name,
       row_number() over (partition by k.chapter_id order by k.id)::int as nth, (count(*) over (partition by k.chapter_id))::int as of_chapter
     from demo_kin k where not k.is_persona and k.lifecycle = 'active' and k.birth_date between $1::date - 60 * 365 and $1::date - 37 * 365`,
    [today],
  )
  await client.query('create index on demo_parents (family_name, named); create index on demo_parents (chapter_id, nth)')

  const ofMember = `c.place > greatest(3, c.all_of_them - 2)`
  await client.query(
    `update app.people p set family_name = m.family_name from demo_children c, app.people m where p.org_id = $1 and p.id = c.id and ${ofMember} and m.org_id = $1 and m.id = $2`,
    [world.orgId, member],
  )
  await setBirthDates(
    client,
    world,
    `select c.id, ($2::date - make_interval(years => case when c.place = c.all_of_them then 9 else 12 end))::date - 140 as born from demo_children c where ${ofMember}`,
  )
  await setBirthDates(
    client,
    world,
    `select c.id, ($2::date - interval '18 years')::date + ${untilMajority} as born from demo_children c where c.place = 2`,
  )

  // The first child has nobody. Every third has two guardians.
  await client.query(
    `insert into demo_relationships (key, first, second, starts_on)
     select distinct 'guardian', case when ${ofMember} then $2::uuid else coalesce(s.id, h.id) end, c.id, least($1::date - 1, c.joined_on + 3)
     from demo_children c cross join lateral generate_series(1, case when ${ofMember} or ${drawn("'both ' || c.id")} > 333 then 1 else 2 end) g (nth)
     left join demo_parents s on s.family_name = c.family_name and s.named = 1 + (${drawn("'parent ' || c.id")} + g.nth) % s.of_name
     left join demo_parents h on h.chapter_id = c.chapter_id and h.nth = 1 + (${drawn("'parent ' || c.chapter_id || c.place / 2")} + g.nth) % h.of_chapter
     where c.place > 1 and (${ofMember} or s.id is not null or h.id is not null)`,
    [today, member],
  )
  // Somebody says that they look after that one, and the office has not answered.
  await client.query(
    `insert into demo_relationships (key, first, second, state, starts_on, note, asked_by, asked_on)
     select 'guardian', k.id, c.id, 'proposed', null, 'We live at the same address.', k.account_id, $1::date - 3
     from demo_children c cross join lateral (select k.id, k.account_id from demo_parents k where k.account_id is not null
       order by k.chapter_id is distinct from c.chapter_id, k.family_name <> c.family_name, k.id limit 1) k where c.place = 1`,
    [today],
  )
}

/** A grandparent is entered with a wrong year of birth, which makes them younger than the child. */
export async function plantFamilyProblems(client: pg.Client, world: World): Promise<void> {
  const grandparent = `(select k.id from demo_kin k where k.lifecycle = 'alumni' and k.account_id is null and not k.is_persona and k.birth_date is not null order by k.chapter_id is distinct from
    (select c.chapter_id from demo_children c where c.place = 3), char_length(k.family_name) > 20, k.id limit 1)`
  await client.query(
    `insert into app.relationships (org_id, id, type_id, from_person_id, to_person_id, starts_on, created_at, updated_at)
     select r.org_id, ${datedId("'grandparent of ' || c.id", 'r.created_at')}, r.type_id, g.id, r.to_person_id, r.starts_on, r.created_at, r.created_at
     from demo_children c join app.relationships r on r.org_id = $1 and r.to_person_id = c.id and r.state = 'active' join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id and t.key = 'guardian'
     cross join lateral ${grandparent} g where c.place = 3 order by r.id limit 1`,
    [world.orgId],
  )
  await setBirthDates(
    client,
    world,
    `select k.id, (k.birth_date + make_interval(years => extract(year from b.birth_date)::int + 1 - extract(year from k.birth_date)::int))::date as born
     from demo_kin k join demo_children c on c.place = 3 join app.person_private b on b.org_id = $1 and b.person_id = c.id where k.id = ${grandparent}`,
  )
}

/** Also who is a minor, as the triggers would. */
async function setBirthDates(client: pg.Client, world: World, rows: string): Promise<void> {
  await client.query(
    `with set_dates as (update app.person_private c set birth_date = x.born from (${rows}) x where c.org_id = $1 and c.person_id = x.id returning c.person_id, c.birth_date)
     update app.people p set minor_until = case when s.birth_date + interval '18 years' > $2::date then (s.birth_date + interval '18 years')::date end
     from set_dates s where p.org_id = $1 and p.id = s.person_id`,
    [world.orgId, isoOf(world.today)],
  )
}
