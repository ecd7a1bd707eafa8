import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSigner } from '../src/actor.ts'
import type { Actor } from '../src/index.ts'
import { testDatabase } from '../src/testing.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
let api: pg.Client
let sign: (actor: Actor) => string
const notices: string[] = []

beforeAll(async () => {
  stage = await setStage()
  const { apiUrl, actorKey } = await testDatabase()
  sign = createSigner(actorKey).actor
  api = new pg.Client({ connectionString: apiUrl })
  await api.connect()
  api.on('notice', ({ message }) => notices.push(message ?? ''))
})
afterAll(async () => {
  await api.end()
  await stage.end()
})

/** What a statement tells the api's own role, which could run anything after an injection: its rows, or its error. Nothing of it stays. */
async function told(statement: string, actor: string | null): Promise<string> {
  notices.length = 0
  await api.query('begin')
  try {
    if (actor !== null) await api.query(`select set_config('app.actor', $1, true)`, [actor])
    const results: pg.QueryResult | pg.QueryResult[] = await api.query(statement)
    const rows = [results].flat().flatMap((result) => result.rows as unknown[])
    return JSON.stringify([rows, ...notices])
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    return `error ${error.code ?? ''}: ${error.message} ${error.detail ?? ''}`
  } finally {
    await api.query('rollback')
  }
}

const owner = () => sign(stage.actors.owner)
/** Words and ids that stand in the other organisation only. */
const foreignMarks = () => ['Foreign', ...Object.values(stage.foreign)]
const marksIn = (text: string) => foreignMarks().filter((mark) => text.includes(mark))

test('no context at all, an empty, a forged, an expired or a swapped one opens no row of any table', async () => {
  const { rows: tables } = await stage.admin.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'app' order by 1`,
  )
  const good = owner().split('|')
  const contexts: [name: string, actor: string | null][] = [
    ['none', null],
    ['empty', ''],
    ['another organisation under our signature', [stage.foreign.orgId, ...good.slice(1)].join('|')],
    ['another account under our signature', [good[0], stage.foreign.account, ...good.slice(2)].join('|')],
    ['a role more', [...good.slice(0, 2), 'org-owner,org-admin', ...good.slice(3)].join('|')],
    ['a later expiry', [...good.slice(0, 3), '9999999999', good[4]].join('|')],
    ['no signature', [...good.slice(0, 4), ''].join('|')],
    ['too few parts', good.slice(0, 3).join('|')],
    ['another signer', createSigner('b2'.repeat(32)).actor(stage.actors.owner)],
  ]
  const seen: string[] = []
  let attempts = 0
  for (const [name, actor] of contexts) {
    for (const table of tables) {
      attempts += 1
      const answer = await told(`select * from app.${table.name}`, actor)
      if (answer !== '[[]]' && !answer.startsWith('error 28000') && !answer.startsWith('error 42501'))
        seen.push(`${name}: ${table.name} ${answer.slice(0, 100)}`)
    }
  }
  for (const table of tables) {
    attempts += 1
    const answer = await told(`select t::text from app.${table.name} t where t.org_id = '${stage.foreign.orgId}'`, owner())
    if (answer !== '[[]]' && !answer.startsWith('error 42501')) seen.push(`owner: ${table.name} ${answer.slice(0, 100)}`)
  }
  expect(seen).toEqual([])
  expect(attempts).toBeGreaterThan(300)
})

const others = `(select set_config('app.actor', '', true))`
const attempts: [name: string, statement: (stage: Stage) => string][] = [
  ['row_security off', () => 'set local row_security = off; select * from app.people'],
  ['the role of the tables', () => 'set local role app_owner; select * from app.people'],
  ['the role of the functions', () => 'set local role app_definer; select * from app.people'],
  ['the superuser', () => 'set local session authorization postgres; select * from app.people'],
  ['replication mode', () => 'set local session_replication_role = replica; select * from app.people'],
  ['switching row-level security off', () => 'alter table app.people disable row level security; select * from app.people'],
  ['a policy of one’s own', () => 'create policy mine on app.people for select to app_access using (true); select * from app.people'],
  ['a grant to oneself', () => 'grant app_owner to app_api; select * from app.people'],
  ['a view', () => 'create view app.mine as select * from app.people; select * from app.mine'],
  ['a temporary view', () => 'create temp view mine as select * from app.people; select * from mine'],
  [
    'a definer function',
    () =>
      `create function app.mine() returns setof app.people language sql security definer as 'select * from app.people'; select * from app.mine()`,
  ],
  [
    'a leaky function',
    () =>
      `create function pg_temp.tell(t text) returns boolean cost 0.0001 language plpgsql as $$ begin raise notice '%', t; return true; end $$; select given_name from app.people where pg_temp.tell(given_name)`,
  ],
  [
    'a leaky operator',
    () =>
      `create function pg_temp.tell(a text, b text) returns boolean cost 0.0001 language plpgsql as $$ begin raise notice '%', a; return true; end $$; create operator pg_temp.=== (leftarg = text, rightarg = text, function = pg_temp.tell); select name from app.chapters where name operator(pg_temp.===) 'x'`,
  ],
  ['an error that depends on a row', () => `select 1 / (case when given_name like 'Foreign%' then 0 else 1 end) from app.people`],
  ['a cast that fails on a row', () => `select given_name::int from app.people where given_name like 'Foreign%'`],
  ['a sub-select', ({ foreign }) => `select (select name from app.chapters where id = '${foreign.chapter}')`],
  [
    'a lateral join',
    ({ foreign }) =>
      `select c.* from (values ('${foreign.chapter}'::uuid)) v (id), lateral (select * from app.chapters c where c.id = v.id) c`,
  ],
  ['system columns', ({ foreign }) => `select ctid, tableoid, xmin from app.people where org_id = '${foreign.orgId}'`],
  [
    'a scan by position',
    () =>
      `select p.* from generate_series(1, 200) n, app.people p where p.ctid = format('(0,%s)', n)::tid and p.given_name like 'Foreign%'`,
  ],
  ['copying to a file', () => `copy app.people to '/tmp/guildhall-people'`],
  ['copying to a program', () => `copy app.people to program 'cat'`],
  ['reading files of the server', () => `select pg_read_file('PG_VERSION')`],
  ['listing files of the server', () => `select pg_ls_dir('.')`],
  ['large objects', () => `select lo_import('/etc/passwd')`],
  ['statistics of columns', () => `select most_common_vals::text from pg_stats where schemaname = 'app'`],
  ['raw statistics', () => 'select stavalues1 from pg_statistic'],
  ['plans', () => `explain (analyze, verbose, buffers off) select * from app.people where given_name like 'Foreign%'`],
  ['statements of others', () => `select query from pg_stat_activity where usename <> current_user`],
  ['the private schema', () => 'select * from app_private.actor_keys'],
  ['signing by oneself', () => `select app_private.sign_actor('x', (select k from app_private.actor_keys k limit 1))`],
  [
    'a shadow of a table in the temporary schema',
    () =>
      `create temp table accounts (like app.accounts); insert into pg_temp.accounts select * from app.accounts; select * from app.people where given_name like 'Foreign%'`,
  ],
  [
    'a shadow of a function in the temporary schema',
    ({ foreign }) =>
      `create function pg_temp.org_id() returns uuid language sql as $$ select '${foreign.orgId}'::uuid $$; set local search_path = pg_temp, app; select * from app.people where given_name like 'Foreign%'`,
  ],
  ['another search path', () => `set local search_path = pg_temp, app, public; select * from people where given_name like 'Foreign%'`],
  [
    'an actor without a signature, set on the way',
    ({ foreign }) =>
      `select set_config('app.actor', '${foreign.orgId}|${foreign.account}|org-owner|9999999999|', true); select * from app.people`,
  ],
  ['taking the actor off', () => `select ${others}; select * from app.people`],
  ['updating another organisation', ({ foreign }) => `update app.chapters set name = 'x' where org_id = '${foreign.orgId}' returning *`],
  ['deleting from another organisation', ({ foreign }) => `delete from app.tags where org_id = '${foreign.orgId}' returning *`],
  ['moving a row to another organisation', ({ foreign }) => `update app.tags set org_id = '${foreign.orgId}' returning *`],
  ['adding to another organisation', ({ foreign }) => `insert into app.tags (org_id, name) values ('${foreign.orgId}', 'x') returning *`],
  ['emptying a table', () => 'truncate app.people cascade'],
  ['locking rows of another organisation', ({ foreign }) => `select id from app.people where org_id = '${foreign.orgId}' for update`],
  ['editing the audit log', () => `update app.audit_entries set diff = '{}' returning *`],
  ['deleting the audit log', () => 'delete from app.audit_entries returning *'],
  [
    'writing the audit log by hand',
    ({ west }) =>
      `insert into app.audit_entries (org_id, seq, action, entity, needs, diff, prev_hash, hash) values ('${west.orgId}', 9999, 'create', 'people', 'x', '{}', '', '')`,
  ],
  ['search', () => `select * from app.search_people('Foreign', null, null, 100, false)`],
  ['similar names', () => `select p.* from app.similar_people('Foreign', 'person') p`],
  ['matching names', () => `select * from app.matching_people('foreign')`],
  [
    'how far a text reaches',
    () => `select p.* from app.search_reach('foreign') r join app.people p on r.people > 0 and p.given_name like 'Foreign%'`,
  ],
  ['matching memberships', () => `select m.* from app.matching_memberships('foreign') f (id) join app.group_members m on m.id = f.id`],
  ['requests that wait', () => 'select * from app.waiting_requests(100)'],
  ['names of accounts', ({ foreign }) => `select * from app.account_name('${foreign.account}')`],
  ['all organisations', () => 'select app.org_ids()'],
  ['accounts by address', () => `select * from app.accounts_by_email('office@example.org')`],
  ['messages of the contact page', ({ foreign }) => `select * from app.contact_message('${foreign.orgId}', '${foreign.message}')`],
  ['recipients of the contact page', ({ foreign }) => `select * from app.contact_recipients('${foreign.orgId}')`],
  ['invitations', ({ foreign }) => `select * from app.invitation('${foreign.orgId}', '${foreign.account}')`],
  ['founding an organisation', () => `select app.found_organisation('x', 'x', null, 'x@example.org')`],
  ['files that have expired', () => 'select app.expired_files()'],
  ['purging', () => 'select app.purge_expired()'],
  ['counting again', ({ foreign }) => `select app.refresh_counts('${foreign.orgId}')`],
  ['the organisation’s public name, of another', () => `select * from app.public_organisation('nothing')`],
]

test('nothing that the api’s role can run shows a row of another organisation', async () => {
  // An address of the other organisation, so that asking for it would tell something.
  await stage.admin.query(`update app.organisations set contact_email = 'Foreign@example.org' where org_id = $1`, [stage.foreign.orgId])
  const shown: string[] = []
  for (const [name, statement] of attempts) {
    const text = statement(stage)
    const answer = await told(text, owner())
    // What the attempt itself says is no news.
    const news = marksIn(answer).filter((mark) => !text.includes(mark) || mark === 'Foreign')
    const echoed = answer.startsWith('error') || name === 'plans'
    if (news.length > 0 && !(echoed && news.every((mark) => text.includes(mark)))) shown.push(`${name}: ${answer.slice(0, 200)}`)
  }
  expect(shown).toEqual([])
  expect(attempts.length).toBeGreaterThanOrEqual(58)
})

test.each([
  ['reading jobs', 'select * from pgboss.job'],
  ['reading jobs where they lie', 'select id from pgboss.job_common'],
  ['counting jobs', 'select count(*) from pgboss.job'],
  ['deleting jobs', `delete from pgboss.job_common where name = 'mail'`],
  ['changing jobs', `update pgboss.job set data = '{}'`],
  ['a job that is done before it began', `insert into pgboss.job_common (name, data, state) values ('mail', '{}', 'completed')`],
  ['a job that answers', `insert into pgboss.job_common (name, data) values ('mail', '{}') returning *`],
  ['reading schedules', 'select * from pgboss.schedule'],
  ['a schedule of one’s own', `insert into pgboss.schedule (name, cron) values ('mail', '* * * * *')`],
  ['queues of one’s own', `select pgboss.create_queue('mine', '{}')`],
  ['deleting a queue', `select pgboss.delete_queue('mail')`],
  ['changing a queue', `update pgboss.queue set retry_limit = 0`],
  ['a temporary table', 'create temp table accounts (id uuid)'],
  ['a temporary view', 'create temp view accounts as select 1'],
  ['a temporary function', 'create function pg_temp.org_id() returns uuid language sql as $$ select null::uuid $$'],
])('%s is not for requests', async (_, statement) => {
  expect(await told(statement, owner())).toMatch(/^error 42501: /)
})

test('requests add jobs, which the worker sees', async () => {
  expect(await told(`insert into pgboss.job_common (name, data) values ('mail', '{}')`, owner())).toBe('[[]]')
  const worker = new pg.Client({ connectionString: (await testDatabase()).workerUrl })
  await worker.connect()
  try {
    expect((await worker.query('select count(*) from pgboss.job')).rowCount).toBe(1)
    await expect(worker.query('create temp table accounts (id uuid)')).rejects.toMatchObject({ code: '42501' })
  } finally {
    await worker.end()
  }
})

const probes: [name: string, statement: (stage: Stage, id: string) => string, theirs: (stage: Stage) => string][] = [
  [
    'a foreign key to a person',
    ({ west }, id) => `insert into app.affiliations (org_id, person_id, chapter_id) values ('${west.orgId}', '${id}', '${west.chapter}')`,
    ({ foreign }) => foreign.person,
  ],
  [
    'a foreign key to a chapter',
    ({ west }, id) => `insert into app.affiliations (org_id, person_id, chapter_id) values ('${west.orgId}', '${west.person}', '${id}')`,
    ({ foreign }) => foreign.chapter,
  ],
  [
    'a foreign key to a group',
    ({ west }, id) => `insert into app.group_members (org_id, group_id, person_id) values ('${west.orgId}', '${id}', '${west.blank}')`,
    ({ foreign }) => foreign.group,
  ],
  [
    'a foreign key to a tag',
    ({ west }, id) => `insert into app.person_tags (org_id, person_id, tag_id) values ('${west.orgId}', '${west.blank}', '${id}')`,
    ({ foreign }) => foreign.tag,
  ],
  [
    'a foreign key to an account',
    ({ west }, id) =>
      `insert into app.grants (org_id, account_id, role_id, scope_kind) select '${west.orgId}', '${id}', r.id, 'org' from app.roles r where r.key = 'member'`,
    ({ foreign }) => foreign.account,
  ],
  [
    'a primary key',
    ({ west }, id) => `insert into app.tags (org_id, id, name) values ('${west.orgId}', '${id}', 'Probe')`,
    ({ foreign }) => foreign.tag,
  ],
  [
    'a conflict',
    ({ west }, id) => `insert into app.tags (org_id, id, name) values ('${west.orgId}', '${id}', 'Probe') on conflict do nothing`,
    ({ foreign }) => foreign.tag,
  ],
  ['an update by id', (_, id) => `update app.people set bio = 'x' where id = '${id}'`, ({ foreign }) => foreign.person],
  ['the reach of a role', (_, id) => `select app.role_within_reach('${id}', 'org', null)`, ({ foreign }) => foreign.grant],
  ['the name of an account', (_, id) => `select * from app.account_name('${id}')`, ({ foreign }) => foreign.account],
]

test.each(probes)('%s answers alike for what another organisation has and for what nobody has', async (_, statement, theirs) => {
  const plain = (text: string) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
  const taken = theirs(stage)
  const free = randomUUID()
  expect(plain(await told(statement(stage, taken), owner()))).toBe(plain(await told(statement(stage, free), owner())))
})

test('control: with row-level security off, the same attempts show rows', async () => {
  await stage.admin.query('alter table app.people disable row level security')
  const temporary = (change: string) => stage.admin.query(`do $$ begin execute format('${change} app_api', current_database()); end $$`)
  await temporary('grant temporary on database %I to')
  try {
    expect(marksIn(await told(`select * from app.people`, null))).toContain('Foreign')
    expect(marksIn(await told(attempts.find(([name]) => name === 'a leaky function')?.[1](stage) ?? '', owner()))).toContain('Foreign')
  } finally {
    await stage.admin.query('alter table app.people enable row level security')
    await temporary('revoke temporary on database %I from')
  }
})
