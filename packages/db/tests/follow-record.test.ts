import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { catalogueBreaches } from '../src/catalogue.ts'
import { copyTemplate } from '../src/testing.ts'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Role, Stage } from './stage.ts'

// Three tables of areas that are yet to come, in a database of their own, since what the kit makes stays. Stickers hang on records and are written by
// who may change the record; remarks by everyone, who take back their own; badges by a permission. Fairs are records that come later.
let stage: Stage
const hung = `org_id uuid not null references app.organisations, id uuid not null default app.uuid7(), record_type text not null, record_id uuid not null,
  name text not null default '', created_by uuid, primary key (org_id, id)`

beforeAll(async () => {
  stage = await setStage(await copyTemplate(inject('testServer'), 'follow_record'))
  await stage.admin.query(`
    set role app_owner;
    create table app.stickers (${hung});
    create table app.remarks (${hung});
    create table app.badges (${hung});
    do $$ declare t text; begin
      foreach t in array array['stickers', 'remarks', 'badges'] loop
        perform app_private.protect(format('app.%I', t)::regclass);
        perform app_private.keep_audit(format('app.%I', t)::regclass, 'record', 'record_id');
        execute format('grant select, delete, insert (org_id, record_type, record_id, name, created_by), update (name, record_id) on app.%I to app_access', t);
      end loop;
    end $$;
    select app_private.follow_record('app.stickers', 'change', 'change', 'change');
    select app_private.follow_record('app.remarks', 'see', 'author', 'author or change');
    select app_private.follow_record('app.badges', 'positions.appoint', 'positions.appoint', 'positions.appoint');
    create table app.fairs (org_id uuid not null references app.organisations, id uuid not null default app.uuid7(), chapter_id uuid, name text not null, created_by uuid, primary key (org_id, id));
    select app_private.protect('app.fairs');
    select app_private.keep_audit('app.fairs', 'groups.manage', 'id');
    select app_private.kept_by_chapters('app.fairs', 'groups.read', 'groups.manage');
    select app_private.register_record('fair', 'app.fairs', 'groups.manage');
    grant select, insert (org_id, chapter_id, name, created_by), update (name) on app.fairs to app_access;
    reset role`)
  for (const place of [stage.west, stage.east, stage.foreign]) {
    await stage.admin.query(`insert into app.fairs (org_id, id, chapter_id, name) values ($1, $2, $2, 'Fair')`, [
      place.orgId,
      place.chapter,
    ])
    for (const table of ['stickers', 'remarks', 'badges'])
      await stage.admin.query(
        `insert into app.${table} (org_id, record_type, record_id) values ($1, 'chapter', $2), ($1, 'fair', $2), ($1, 'group', $3), ($1, 'group', $4), ($1, 'person', $5), ($1, 'person', $6)`,
        [place.orgId, place.chapter, place.group, place.secret, place.person, place.minor],
      )
  }
})
afterAll(() => stage.end())

const tried = (table: string, kind: string, record: (place: Place) => string, created = 'null') =>
  tryAll(
    stage,
    {
      table,
      row: (place) => `record_type = '${kind}' and record_id = '${record(place)}'`,
      insert: (place) =>
        `(org_id, record_type, record_id, created_by) values ('${place.orgId}', '${kind}', '${record(place)}', ${created})`,
      update: `name = 'x'`,
      remove: true,
    },
    ['west', 'east', 'foreign'],
  )

test('what the kit makes breaks no rule of the catalogue', async () => {
  expect(await catalogueBreaches((text) => stage.admin.query(text))).toEqual([])
})

test('rows on a group are seen with it and written by who may change it', async () => {
  expect(await tried('stickers', 'group', ({ group }) => group)).toBe(
    expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     SIUD  S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

test('rows on a secret group do not exist for anybody else', async () => {
  expect(await tried('stickers', 'group', ({ secret }) => secret)).toBe(
    expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

test('rows on minors are hidden as they are', async () => {
  const people = await tryAll(stage, { table: 'people', row: ({ minor }) => `id = '${minor}'` }, ['west', 'east', 'foreign'])
  const stickers = await tryAll(stage, { table: 'stickers', row: ({ minor }) => `record_id = '${minor}'` }, ['west', 'east', 'foreign'])
  expect(stickers).toBe(people)
  expect(people).toMatch(/officer +- +- +-\n[^]*safeguarding +S +- +-\n/)
})

test('a permission holds for the records in its reach', async () => {
  expect(await tried('badges', 'chapter', ({ chapter }) => chapter)).toBe(
    expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    safeguarding  S     S     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

test('records that come later are followed by the tables that are there', async () => {
  expect(await tried('stickers', 'fair', ({ chapter }) => chapter)).toBe(
    await tryAll(
      stage,
      {
        table: 'fairs',
        row: ({ chapter }) => `id = '${chapter}'`,
        insert: ({ orgId, chapter }) =>
          `(org_id, chapter_id, name, created_by) values ('${orgId}', '${chapter}', 'New', (select app.account_id()))`,
        update: `name = 'x'`,
      },
      ['west', 'east', 'foreign'],
    ).then((grid) => grid.replaceAll('SIU ', 'SIUD').replaceAll(/SIU$/gm, 'SIUD')),
  )
})

test('who adds a row changes it, and it is removed by them and by who may change the record', async () => {
  const { orgId, group } = stage.west
  const attempt = (role: Role, text: string) =>
    stage.database.asActor(stage.actors[role], async (db) => (await sql.raw(text).execute(db)).numAffectedRows ?? 0n)
  const id = randomUUID()
  await attempt(
    'member',
    `insert into app.remarks (org_id, record_type, record_id, name, created_by) values ('${orgId}', 'group', '${group}', '${id}', (select app.account_id()))`,
  )
  expect(await attempt('leader', `update app.remarks set name = 'x' where name = '${id}'`)).toBe(0n)
  expect(await attempt('finance', `delete from app.remarks where name = '${id}'`)).toBe(0n)
  expect(await attempt('member', `update app.remarks set name = name where name = '${id}'`)).toBe(1n)
  expect(await attempt('leader', `delete from app.remarks where name = '${id}'`)).toBe(1n)
})

test('rows hang on records that are there, of a known type', async () => {
  const { orgId, chapter, group } = stage.west
  const add = (kind: string, id: string) =>
    stage.admin.query('insert into app.stickers (org_id, record_type, record_id) values ($1, $2, $3)', [orgId, kind, id])
  await expect(add('cloud', chapter)).rejects.toMatchObject({ code: '23514', constraint: 'record_type' })
  await expect(add('group', chapter)).rejects.toMatchObject({ code: '23503', constraint: 'record_gone' })
  await expect(add('group', stage.foreign.group)).rejects.toMatchObject({ code: '23503' })
  await expect(
    stage.admin.query('update app.stickers set record_id = $2 where org_id = $1 and record_id = $3', [orgId, chapter, group]),
  ).rejects.toMatchObject({
    code: '23503',
  })
})

test('the record cannot go while a row is being hung on it', async () => {
  const { orgId, chapter } = stage.west
  const { rows } = await stage.admin.query<{ id: string }>(
    `insert into app.fairs (org_id, chapter_id, name) values ($1, $2, 'Short') returning id`,
    [orgId, chapter],
  )
  const fair = rows[0]?.id
  const hanging = await stage.admin.connect()
  await hanging.query('begin')
  await hanging.query(`insert into app.stickers (org_id, record_type, record_id) values ($1, 'fair', $2)`, [orgId, fair])
  let gone = false
  const removal = stage.admin.query('delete from app.fairs where org_id = $1 and id = $2', [orgId, fair]).then(() => (gone = true))
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(gone).toBe(false)
  await hanging.query('commit')
  hanging.release()
  await removal
  const left = await stage.admin.query('select from app.stickers where org_id = $1 and record_id = $2', [orgId, fair])
  expect(left.rowCount).toBe(0)
})

test('an erased person takes everything along, and nothing is hung on one', async () => {
  const { orgId, blank } = stage.west
  const insert = `insert into app.stickers (org_id, record_type, record_id) values ('${orgId}', 'person', '${blank}')`
  await stage.admin.query(insert)
  await stage.admin.query(`update app.people set lifecycle = 'erased' where org_id = $1 and id = $2`, [orgId, blank])
  const left = await stage.admin.query('select from app.stickers where org_id = $1 and record_id = $2', [orgId, blank])
  expect(left.rowCount).toBe(0)
  await expect(stage.database.asActor(stage.actors.owner, (db) => sql.raw(insert).execute(db))).rejects.toMatchObject({
    constraint: 'person_erased',
  })
})

test('the history of a record tells of what hangs on it', async () => {
  const { orgId, group, chapter, person } = stage.east
  const { rows } = await stage.admin.query(
    `select a.needs, a.person_id = $2 as person, a.chapter_id = $3 as chapter, a.group_id = $4 as "group" from app.audit_entries a
     where a.org_id = $1 and a.entity = 'stickers' and a.action = 'create' and a.record_id in ($2, $3, $4) order by a.seq`,
    [orgId, person, chapter, group],
  )
  expect(rows).toEqual([
    { needs: 'people.directory', person: null, chapter: true, group: null },
    { needs: 'groups.manage', person: null, chapter: true, group: null },
    { needs: 'people.directory', person: null, chapter: true, group: true },
    { needs: 'people.directory', person: true, chapter: null, group: null },
  ])
})

test('a list of one record is read by the index', async () => {
  const { rows } = await stage.admin.query<{ def: string }>(
    `select pg_get_indexdef(i.indexrelid) as def from pg_index i where i.indrelid = 'app.stickers'::regclass and i.indexrelid::regclass::text like '%by_record'`,
  )
  expect(rows.map(({ def }) => def)).toEqual([expect.stringContaining('(org_id, record_type, record_id)')])
})
