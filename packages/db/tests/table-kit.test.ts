import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../src/index.ts'
import type { Actor, Database } from '../src/index.ts'
import { copyTemplate } from '../src/testing.ts'

// A table of an area that is yet to come, in a database of its own, since what the kit makes stays.
let admin: pg.Client
let database: Database
let orgId: string
let owner: Actor
let manager: Actor
let member: Actor
const fair = randomUUID()
const ball = randomUUID()

const one = async (text: string, values: unknown[] = []): Promise<string> => {
  const { rows } = await admin.query<{ id: string }>(text, values)
  return rows[0]?.id ?? ''
}
const found = () => one('select app.found_organisation($1, $1, $1, null) as id', [`k${randomUUID().slice(0, 12)}`])

async function account(idpRoles: string[] = []): Promise<Actor> {
  const accountId = await one(
    `insert into app.accounts (org_id, issuer, subject, status, idp_roles) values ($1, 'https://issuer.example', $2, 'active', $3) returning id`,
    [orgId, randomUUID(), idpRoles],
  )
  return { orgId, accountId, idpRoles }
}

beforeAll(async () => {
  const copy = await copyTemplate(inject('testServer'), 'table_kit')
  admin = new pg.Client({ connectionString: copy.adminUrl })
  await admin.connect()
  database = openDatabase({ url: copy.apiUrl, actorKey: copy.actorKey, poolSize: 1 })
  orgId = await found()
  owner = await account(['org-owner'])
  manager = await account()
  member = await account()
  await admin.query(`
    set role app_owner;
    create table app.fairs (org_id uuid not null references app.organisations, id uuid not null, title text not null, motto text not null default '', version int not null default 1,
      updated_at timestamptz not null default now(), primary key (org_id, id));
    select app_private.protect('app.fairs');
    select app_private.keep_version('app.fairs');
    select app_private.keep_audit('app.fairs', 'fairs.manage', 'id');
    select app_private.hide_in_audit('app.fairs', 'motto');
    select app_private.scoped_by('app.fairs', 'event');
    select app_private.share_history('fairs.manage', 'event');
    select app_private.add_permission('fairs.manage', 'org-owner', 'event-manager');
    reset role`)
  await admin.query(
    `insert into app.grants (org_id, account_id, role_id, scope_kind, record_id, starts_on)
     select $1, $2, r.id, 'event', $3, '2020-01-01' from app.roles r where r.org_id = $1 and r.key = 'event-manager'`,
    [orgId, manager.accountId, fair],
  )
  await admin.query('insert into app.fairs (org_id, id, title) values ($1, $2, $4), ($1, $3, $4)', [orgId, fair, ball, 'Spring'])
  await admin.query(`update app.fairs set title = 'Summer', motto = 'Come in' where org_id = $1`, [orgId])
  await admin.query(`update app.fairs set motto = 'Come again' where org_id = $1`, [orgId])
})
afterAll(async () => {
  await database.close()
  await admin.end()
})

const history = async (actor: Actor) => {
  const rows = await database.asActor(actor, (db) =>
    db
      .selectFrom('app.audit_entries')
      .select([sql<string>`record_id`.as('record'), 'action'])
      .where('entity', '=', 'fairs')
      .orderBy('seq')
      .execute(),
  )
  return rows.map(({ record, action }) => `${record === fair ? 'fair' : 'ball'} ${action}`)
}

test('a new permission reaches organisations that are there and those that come', async () => {
  const holds = (org: string) =>
    one(
      `select string_agg(r.key, ' ' order by r.key) as id from app.role_permissions p join app.roles r on r.org_id = p.org_id and r.id = p.role_id
       where p.org_id = $1 and p.permission = 'fairs.manage'`,
      [org],
    )
  expect(await holds(orgId)).toBe('event-manager org-owner')
  expect(await holds(await found())).toBe('event-manager org-owner')
  await expect(admin.query(`select app_private.add_permission('fairs.read', 'nobody-has-this')`)).rejects.toThrow(
    'no standard role is called nobody-has-this',
  )
})

test('a role given for one record holds there and nowhere else', async () => {
  const reach = (actor: Actor) =>
    database.asActor(actor, async (db) => {
      const { rows } = await sql<{ everywhere: boolean; records: string[] }>`
        select everywhere, records from app.permissions() where permission = 'fairs.manage'`.execute(db)
      return rows
    })
  expect(await reach(manager)).toEqual([{ everywhere: false, records: [fair] }])
  expect(await reach(owner)).toEqual([{ everywhere: true, records: [] }])
  expect(await reach(member)).toEqual([])
})

test('the history of a record is for those who hold its permission in whatever scope', async () => {
  expect((await history(owner)).toSorted()).toEqual(['ball create', 'ball update', 'fair create', 'fair update'])
  expect(await history(manager)).toEqual(['fair create', 'fair update'])
  expect(await history(member)).toEqual([])
})

test('the log leaves out what a table hides, and makes no entry of it alone', async () => {
  const { rows } = await admin.query<{ diff: object }>(
    `select diff from app.audit_entries where org_id = $1 and entity = 'fairs' and entity_id = $2 order by seq`,
    [orgId, fair],
  )
  expect(rows.map(({ diff }) => diff)).toEqual([{ id: fair, title: 'Spring' }, { title: ['Spring', 'Summer'] }])
  await expect(admin.query(`select app_private.hide_in_audit('app.fairs', 'mottoes')`)).rejects.toThrow('app.fairs has no column mottoes')
})

test('a change raises the version, and a grant goes with its record', async () => {
  expect(await one('select version::text as id from app.fairs where id = $1', [fair])).toBe('3')
  await admin.query('delete from app.fairs where org_id = $1 and id = $2', [orgId, fair])
  expect(await one('select count(*)::text as id from app.grants where record_id = $1', [fair])).toBe('0')
})

test('money is a whole amount with its currency, both or none', async () => {
  await admin.query(`
    set role app_owner;
    create table app.stalls (id int primary key);
    select app_private.add_money('app.stalls', 'rent', 0);
    select app_private.add_money('app.stalls', 'refund', null, false);
    reset role`)
  const add = (id: number, rent: unknown, currency: unknown, refund: unknown = null, refundCurrency: unknown = null) =>
    admin.query(
      'insert into app.stalls (id, rent_amount, rent_currency, refund_amount, refund_currency) values ($1, $2::text::bigint, $3, $4::text::bigint, $5)',
      [id, rent, currency, refund, refundCurrency],
    )
  await add(1, '0', 'JPY')
  await add(2, '9007199254740991', 'EUR', '-500', 'EUR')
  await expect(add(3, '-1', 'EUR')).rejects.toMatchObject({ constraint: 'stalls_rent_money' })
  await expect(add(3, '9007199254740992', 'EUR')).rejects.toMatchObject({ constraint: 'stalls_rent_money' })
  await expect(add(3, '1', 'eur')).rejects.toMatchObject({ constraint: 'stalls_rent_money' })
  await expect(add(3, '1', null)).rejects.toMatchObject({ code: '23502' })
  await expect(add(3, '1', 'EUR', '5')).rejects.toMatchObject({ constraint: 'stalls_refund_whole' })
  await expect(add(3, '1', 'EUR', null, 'EUR')).rejects.toMatchObject({ constraint: 'stalls_refund_whole' })
  await expect(add(3, '12.5', 'EUR')).rejects.toMatchObject({ code: '22P02' })
})
