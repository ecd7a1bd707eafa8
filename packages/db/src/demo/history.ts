import type pg from 'pg'
import { demoAreas } from './areas.ts'
import { accountId } from './world.ts'
import type { World } from './world.ts'

/** Tables whose rows the history tells of, in the order in which rows of one moment were entered. */
const told = ['organisations', 'chapters', 'positions', 'tags', 'groups', 'people', 'person_emails', 'person_phones', 'person_contacts', 'person_external_ids', 'person_private', 'person_office_notes', 'affiliations', 'person_tags', 'accounts', 'grants', 'position_holders', 'group_members', 'relationship_types', 'relationships'] // prettier-ignore
/** The same of what people gave: each row says itself who entered it. */
const toldOfGiving = ['funds', 'campaigns', 'recurring_plans', 'pledges', 'gifts', 'chapter_payouts']
const toldOfPrograms = ['api_keys', 'webhook_endpoints']

/** One entry for everything, where twelve years of entries would only be in the way. */
export async function writeSummary(client: pg.Client, world: World): Promise<void> {
  const what = JSON.stringify({ id: world.orgId, people: world.people, chapters: world.chapters.length, groups: world.groups.all.length })
  await client.query(`select app_private.audit_append($1, 'import', 'organisations', 'audit.read', null, array[$2::jsonb])`, [
    world.orgId,
    what,
  ])
}

/**
 * The entries that the audit triggers would have left behind had everything been entered day by day: each row's beginning,
 * then what changed since, linked into one chain in the order of time.
 */
export async function writeHistory(client: pg.Client, world: World): Promise<void> {
  await client.query('create temp table demo_times (entity text, nth int, key uuid, at timestamptz) on commit drop')
  for (const [nth, table] of [...told, ...demoAreas.map((area) => area.table), ...toldOfGiving, ...toldOfPrograms].entries())
    await tellBeginnings(client, world, table, nth)
  await client.query(
    `create temp table demo_entries on commit drop as
     select t.at, t.nth, e.account_id, e.action, e.entity, e.entity_id, e.person_id, e.chapter_id, e.group_id, e.record_id, e.needs, e.diff from app.audit_entries e
     join demo_times t on t.entity = e.entity and t.key = coalesce(e.entity_id, e.person_id, e.org_id) where e.org_id = $1`,
    [world.orgId],
  )
  await client.query('delete from app.audit_entries where org_id = $1', [world.orgId])
  await tellChanges(client, world)
  await nameAuthors(client, world)
  await linkChain(client, world)
}

/** The product's own function makes the entries; it knows only one time, now, so when each row began is noted beside. */
async function tellBeginnings(client: pg.Client, world: World, table: string, nth: number): Promise<void> {
  await client.query(
    `select app_private.audit_append($1, 'create', $2, split_part(encode(t.tgargs, 'escape'), '\\000', 1), null, (select array_agg(to_jsonb(r)) from app.${table} r where r.org_id = $1),
       nullif(split_part(encode(t.tgargs, 'escape'), '\\000', 2), ''))
     from pg_trigger t where t.tgrelid = $3::regclass and t.tgname = $4`,
    [world.orgId, table, `app.${table}`, `${table}_audit_insert`],
  )
  await client.query(
    `insert into demo_times select $2, $3, x.key, min(coalesce((x.row ->> 'created_at')::timestamptz, p.created_at))
     from (select to_jsonb(r) as row, coalesce(to_jsonb(r) ->> 'id', to_jsonb(r) ->> 'person_id', to_jsonb(r) ->> 'org_id')::uuid as key from app.${table} r where r.org_id = $1) x
     left join app.people p on p.org_id = $1 and p.id = x.key group by x.key`,
    [world.orgId, table, nth],
  )
}

/** Ends of memberships, promotions and a suspension were not known at the beginning: they are taken out of it and told on their day. */
async function tellChanges(client: pg.Client, world: World): Promise<void> {
  const change = (at: string, diff: string, where: string, from = '') =>
    `insert into demo_entries select ${at}, e.nth, null, 'update', e.entity, e.entity_id, e.person_id, e.chapter_id, e.group_id, e.record_id, e.needs, ${diff}
     from demo_entries e ${from} where e.action = 'create' and ${where}`
  const ended = `e.entity in ('affiliations', 'group_members') and e.diff ? 'ends_on'`
  const senior = `e.entity = 'people' and e.diff ->> 'job_title' like 'Senior %' and e.at < $1::date - 400`
  const gone = `e.entity = 'people' and e.diff ->> 'lifecycle' in ('former', 'deceased')`
  const suspended = `e.entity = 'accounts' and e.diff ->> 'status' = 'suspended'`
  const today = [new Date(world.today * 86_400_000).toISOString().slice(0, 10)]
  await client.query(
    change(
      `(e.diff ->> 'ends_on')::date + interval '18 hours'`,
      `jsonb_build_object('ends_on', jsonb_build_array(null, e.diff -> 'ends_on'))`,
      ended,
    ),
  )
  await client.query(`update demo_entries e set diff = e.diff - 'ends_on' where e.action = 'create' and ${ended}`)
  await client.query(
    change(
      `e.at + interval '380 days'`,
      `jsonb_build_object('job_title', jsonb_build_array(substr(e.diff ->> 'job_title', 8), e.diff -> 'job_title'))`,
      senior,
    ),
    today,
  )
  await client.query(
    `update demo_entries e set diff = jsonb_set(e.diff, '{job_title}', to_jsonb(substr(e.diff ->> 'job_title', 8))) where e.action = 'create' and ${senior}`,
    today,
  )
  await client.query(
    change(`a.ended + interval '18 hours'`, `jsonb_build_object('lifecycle', jsonb_build_array('active', e.diff -> 'lifecycle'))`, gone,
      `join (select a.person_id, max(a.ends_on) as ended from app.affiliations a where a.org_id = '${world.orgId}' group by 1) a on a.person_id = e.person_id`,
    ),
  ) // prettier-ignore
  await client.query(`update demo_entries e set diff = jsonb_set(e.diff, '{lifecycle}', '"active"') where e.action = 'create' and ${gone}`)
  await client.query(
    change(
      `$1::date - interval '20 days' + interval '11 hours'`,
      `jsonb_build_object('status', jsonb_build_array('active', 'suspended'))`,
      suspended,
    ),
    today,
  )
  await client.query(
    `update demo_entries e set diff = jsonb_set(e.diff, '{status}', '"active"') where e.action = 'create' and ${suspended}`,
  )
  const over = `e.entity = 'relationships' and e.diff ->> 'state' = 'ended'`
  const verified = `e.entity = 'relationships' and e.diff ? 'verified_at'`
  const set = (columns: readonly string[]) =>
    columns.map((column) => `'${column}', jsonb_build_array(null, e.diff -> '${column}')`).join(', ')
  const end = ['ends_on', 'ended_by', 'ended_at']
  const verification = ['verified_by', 'verified_at']
  await client.query(
    change(`(e.diff ->> 'ended_at')::timestamptz`, `jsonb_build_object('state', jsonb_build_array('active', 'ended'), ${set(end)})`, over),
  )
  await client.query(change(`(e.diff ->> 'verified_at')::timestamptz`, `jsonb_build_object(${set(verification)})`, verified))
  await client.query(
    `update demo_entries e set diff = (case when ${over} then jsonb_set(e.diff, '{state}', '"active"') else e.diff end) - '{${[...end, ...verification].join(',')}}'::text[]
     where e.action = 'create' and e.entity = 'relationships'`,
  )
}

/**
 * The regional president enters her region, the secretary most of the rest, the owner what was before him; the first days have no author.
 * Who asks to join a group does so in person.
 */
async function nameAuthors(client: pg.Client, world: World): Promise<void> {
  const account = (sub: string) => accountId(world, [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0] ?? 0)
  await client.query(
    `update demo_entries e set account_id = (
       select a.id from app.accounts a where a.org_id = $1 and a.created_at < e.at
         and (a.id = $2 or a.id = $3 or a.id = $4 and e.chapter_id in (select s.chapter_id from app.chapter_ancestors s
           join app.positions p on p.org_id = s.org_id and p.chapter_id = s.ancestor_id and p.title = 'President'
           join app.position_holders h on h.org_id = p.org_id and h.position_id = p.id
           join app.accounts c on c.org_id = h.org_id and c.person_id = h.person_id and c.id = $4 where s.org_id = $1))
       order by a.id = $4 desc, a.id = $3 desc limit 1)
     where e.at > (select min(a.created_at) from app.accounts a where a.org_id = $1 and a.id in ($2, $3, $4))`,
    [world.orgId, account('owner'), account('secretary'), account('chapter')],
  )
  await client.query(
    `update demo_entries e set account_id = a.id from app.accounts a
     where a.org_id = $1 and a.person_id = e.person_id and e.entity = 'group_members' and e.diff ->> 'status' = 'requested'`,
    [world.orgId],
  )
  await client.query(
    `update demo_entries e set account_id = r.proposed_by from app.relationships r where e.entity = 'relationships' and e.action = 'create' and r.org_id = $1 and r.id = e.entity_id`,
    [world.orgId],
  )
  for (const table of toldOfGiving)
    await client.query(
      `update demo_entries e set account_id = r.created_by from app.${table} r where e.entity = $2 and r.org_id = $1 and r.id = e.entity_id`,
      [world.orgId, table],
    )
}

async function linkChain(client: pg.Client, world: World): Promise<void> {
  await client.query(`
    do $$
    declare
      org constant uuid := '${world.orgId}';
      contents bytea[];
      content bytea;
      head bytea := '\\x00';
      links bytea[] := array[head];
    begin
      create temp table demo_order on commit drop as
        select e.*, row_number() over (order by at, nth, entity_id, person_id, diff) as seq from demo_entries e;
      -- Written out as app_private.audit_link hashes it, which called for each would take longer than everything else.
      select array_agg(convert_to(concat_ws('|', org, e.seq, extract(epoch from e.at), coalesce(e.account_id::text, '-'), e.action, e.entity,
        coalesce(e.entity_id::text, '-'), e.diff::text), 'UTF8') order by e.seq) into contents from demo_order e;
      foreach content in array contents loop
        head := sha256(head || content);
        links := links || head;
      end loop;
      insert into app.audit_entries (org_id, seq, at, account_id, action, entity, entity_id, person_id, chapter_id, group_id, record_id, needs, diff, prev_hash, hash)
        select org, e.seq, e.at, e.account_id, e.action, e.entity, e.entity_id, e.person_id, e.chapter_id, e.group_id, e.record_id, e.needs, e.diff, p.link, l.link
        from demo_order e
        join unnest(links) with ordinality p (link, place) on p.place = e.seq
        join unnest(links) with ordinality l (link, place) on l.place = e.seq + 1;
      update app.audit_heads set seq = cardinality(contents), hash = head where org_id = org;
    end $$`)
}
