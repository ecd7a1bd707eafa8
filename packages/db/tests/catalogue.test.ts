import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueBreaches, catalogueRules } from '../src/catalogue.ts'
import { testDatabase } from '../src/testing.ts'

let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: (await testDatabase()).adminUrl })
  await client.connect()
})
afterAll(() => client.end())

const breaches = () => catalogueBreaches((sql) => client.query(sql))

test('the migrated database breaks no rule', async () => {
  expect(await breaches()).toEqual([])
})

test('the serving roles themselves can check the rules', async () => {
  const api = new pg.Client({ connectionString: (await testDatabase()).apiUrl })
  await api.connect()
  expect(await catalogueBreaches((sql) => api.query(sql)).finally(() => api.end())).toEqual([])
})

/** A table that breaks no rule, for one breach at a time. */
const sound = `
  create table app.pets (org_id uuid not null references app.organisations, id uuid not null, chapter_id uuid, name text, primary key (org_id, id));
  alter table app.pets enable row level security;
  alter table app.pets force row level security;
  create policy pets_read on app.pets for select to app_access using (org_id = (select app.org_id()));
  create policy pets_add on app.pets for insert to app_access with check (org_id = (select app.org_id()));
  select app_private.keep_audit('app.pets', 'audit.read');
  grant select, insert (org_id, id, name) on app.pets to app_access;`

const control: [rule: string, breach: string][] = [
  ['row-level security is enabled and forced on every table', 'alter table app.pets no force row level security'],
  ['row-level security is enabled and forced on every table', 'alter table app.pets disable row level security'],
  ['every table belongs to an organisation', 'create table app.toys (id int primary key); alter table app.toys enable row level security'],
  ['every granted command has a policy', 'grant delete on app.pets to app_access'],
  ['every granted command has a policy', 'grant update (name) on app.pets to app_api'],
  [
    'policies for serving roles are one per command',
    'create policy pets_all on app.pets to app_api using (org_id = (select app.org_id())) with check (org_id = (select app.org_id()))',
  ],
  ['no policy lets everything through', 'create policy pets_open on app.pets for select to app_access using (true)'],
  ['no policy lets everything through', 'create policy pets_open on app.pets for insert to app_access with check (true)'],
  [
    'policies for new and changed rows say what a row may become',
    'create policy pets_change on app.pets for update to app_access using (org_id = (select app.org_id()))',
  ],
  ['policies compare the organisation', 'create policy pets_named on app.pets for select to app_access using (name is not null)'],
  [
    'policies call functions once per statement',
    'create policy pets_slow on app.pets for select to app_access using (org_id = app.org_id())',
  ],
  [
    'policies call functions once per statement',
    "create policy pets_slow on app.pets for select to app_access using (org_id = (current_setting('app.org', true))::uuid)",
  ],
  [
    'policies call functions once per statement',
    'create policy pets_slow on app.pets for select to app_access using (org_id = (select app.org_id()) and exists (select 1 from app.chapters c where c.org_id = app.org_id()))',
  ],
  [
    'policies call functions once per statement',
    `create function app.is_ours(org uuid) returns boolean language sql stable set search_path = pg_catalog as $$ select org = app.org_id() $$;
     create policy pets_slow on app.pets for select to app_access using (app.is_ours(org_id))`,
  ],
  ['changes of rows are kept in the audit log, or the comment of the table says why not', 'drop trigger pets_audit_insert on app.pets'],
  ['a version counts the changes of its row', 'alter table app.pets add column version int not null default 1'],
  ['views see what their reader sees', 'create view app.pet_names as select name from app.pets'],
  [
    'materialised views are not readable, as they know no policies',
    'create materialized view app.pet_names as select name from app.pets; grant select on app.pet_names to app_access',
  ],
  ['definer functions pin their search path', 'create function app.pet() returns int language sql security definer as $$ select 1 $$'],
  [
    'definer functions pin their search path',
    'create function app.pet() returns int language sql security definer set search_path = app, public as $$ select 1 $$',
  ],
  [
    'functions are not for everyone',
    'create function app.pet() returns int language sql as $$ select 1 $$; grant execute on function app.pet() to public',
  ],
  [
    'foreign keys stay inside the organisation',
    'alter table app.pets add owner_account uuid; create unique index on app.accounts (id); alter table app.pets add foreign key (owner_account) references app.accounts (id)',
  ],
  ['unique keys start with the organisation, so that they tell nothing about others', 'alter table app.pets add unique (name)'],
  ['foreign keys have an index to follow back', 'alter table app.pets add foreign key (org_id, chapter_id) references app.chapters'],
  [
    'foreign keys have an index to follow back',
    'alter table app.pets add foreign key (org_id, chapter_id) references app.chapters; create index on app.pets (org_id, name, chapter_id)',
  ],
  ['grants to insert and update name their columns', 'grant insert on app.pets to app_access'],
  ['nobody may truncate, reference or add triggers', 'grant truncate on app.pets to app_worker'],
  ['nothing is granted to everyone', 'grant select on app.pets to public'],
  ['nothing is granted to everyone', 'alter default privileges in schema app grant select on tables to public'],
  ['nothing is granted to everyone', 'grant create on schema public to public'],
  ['serving roles cannot step around row-level security', 'alter role app_worker bypassrls'],
  ['serving roles cannot step around row-level security', 'grant app_owner to app_api'],
  ['serving roles cannot step around row-level security', 'alter table app.pets owner to app_access'],
  ['serving roles cannot step around row-level security', 'grant create on schema app to app_api'],
  [
    'serving roles make no temporary tables, which could stand in for ours',
    "do $$ begin execute format('grant temporary on database %I to app_api', current_database()); end $$",
  ],
  ['requests see and change no jobs', 'grant select on pgboss.job to app_api'],
  ['requests see and change no jobs', 'grant select (id) on pgboss.job_common to app_access'],
  ['requests see and change no jobs', 'grant delete on pgboss.job_common to app_access'],
  ['requests see and change no jobs', 'grant update on pgboss.queue to app_api'],
  ['serving roles cannot enter the private schema', 'grant usage on schema app_private to app_access'],
]

async function withBreach(breach: string) {
  await client.query('begin')
  try {
    await client.query(sound)
    expect(await breaches()).toEqual([])
    await client.query(breach)
    return await breaches()
  } finally {
    await client.query('rollback')
  }
}

test.each(control)('%s: found after %s', async (rule, breach) => {
  expect(await withBreach(breach)).toContainEqual(expect.stringContaining(`${rule}: `))
})

test('every rule has a breach planted against it', () => {
  expect(catalogueRules.map(({ name }) => name).filter((name) => !control.some(([rule]) => rule === name))).toEqual([])
})
