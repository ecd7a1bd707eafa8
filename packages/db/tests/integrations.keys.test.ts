import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../src/index.ts'
import { expected, rowSecurity, tryAll, withoutGuard } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Role, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

async function made(role: Role, permissions: string[], chapter: string | null = null, days = 30) {
  const secretHash = hash(randomUUID())
  const id = await stage.database.asActor(stage.actors[role], async (db) => {
    const { rows } = await sql<{ id: string }>`
      select app.make_api_key('Website', '', 60, ${permissions}::text[], ${chapter}::uuid, ${days}, 'ghk_abcdefgh', ${secretHash}) as id`.execute(
      db,
    )
    return rows[0]?.id ?? ''
  })
  const { rows } = await stage.admin.query<{ org: string; account: string }>(
    'select org_id as org, account_id as account from app.api_keys where id = $1',
    [id],
  )
  const { org = '', account = '' } = rows[0] ?? {}
  const actor: Actor = { orgId: org, accountId: account, idpRoles: [] }
  return { id, actor, secretHash }
}

/** Which of two chapters next to each other somebody sees the members' contact data of. */
const reach = (actor: Actor) =>
  stage.database.asActor(actor, async (db) => {
    const { rows } = await sql<{ everywhere: boolean; scope: string[] }>`
      select app.everywhere('people.directory') as everywhere, app.scope('people.directory') as scope`.execute(db)
    return rows[0]
  })
const people = (actor: Actor, place: Place) =>
  stage.database.asActor(actor, async (db) => (await sql`select id from app.people where id = ${place.person}`.execute(db)).rows.length)

const grid = (all: string) =>
  expected(`
             west  foreign
    owner      ${all}  -
    admin      ${all}  -
    officer    -  -
    former     -  -
    safeguarding  -  -
    finance    -  -
    communications  -  -
    events     -  -
    leader     -  -
    member     -  -
    guest      -  -
    suspended  -  -
    stranger   -  -`)

test('keys are seen and changed by those who manage integrations everywhere, and added and removed by nobody directly', async () => {
  await made('owner', ['people.directory'])
  const attempts = {
    table: 'api_keys',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    insert: ({ orgId }: Place) => `(org_id, name) values ('${orgId}', 'Mine')`,
    update: `name = 'x'`,
    remove: true as const,
  }
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(grid('SU'))
})

test('a key holds what was chosen for it, in its chapter and below, and ends with its day', async () => {
  const { west, east } = stage
  const here = await made('owner', ['people.directory', 'groups.read'], west.chapter)
  expect(await reach(here.actor)).toMatchObject({ everywhere: false })
  expect([await people(here.actor, west), await people(here.actor, east)]).toEqual([1, 0])
  expect(await withoutGuard(stage, rowSecurity('people'), () => people(here.actor, east))).toBe(1)

  const all = await made('owner', ['people.directory'])
  expect([await people(all.actor, west), await people(all.actor, east), await people(all.actor, stage.foreign)]).toEqual([1, 1, 0])
  await stage.admin.query(`update app.api_keys set expires_at = now() - interval '1 second' where id = $1`, [all.id])
  expect(await reach(all.actor)).toEqual({ everywhere: false, scope: [] })
  await stage.admin.query(`update app.api_keys set revoked_at = now() where id = $1`, [here.id])
  expect(await reach(here.actor)).toEqual({ everywhere: false, scope: [] })
})

test('roles that a token claims, or that somebody grants, give a key nothing', async () => {
  const key = await made('owner', ['groups.read'])
  expect(await reach({ ...key.actor, idpRoles: ['org-owner'] })).toEqual({ everywhere: false, scope: [] })
  await expect(
    stage.admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind) select org_id, $2, id, 'org' from app.roles where org_id = $1 and key = 'org-owner'`,
      [key.actor.orgId, key.actor.accountId],
    ),
  ).rejects.toThrow('not allowed')
})

test('nobody gives a key more than they hold, nor what would let it give rights', async () => {
  await expect(made('officer', ['people.directory'], stage.west.chapter)).rejects.toThrow('not allowed')
  await expect(made('admin', ['people.directory', 'nothing.known'])).rejects.toThrow('rights that you do not hold')
  for (const never of ['account.manage', 'integrations.manage', 'positions.appoint', 'relationships.manage'])
    await expect(made('owner', ['people.directory', never]), never).rejects.toThrow('api_key_never')
  const key = await made('owner', ['people.directory'])
  await expect(
    stage.database.asActor(key.actor, (db) =>
      sql`select app.make_api_key('More', '', 60, '{people.directory}', null, 30, 'ghk_abcdefgh', ${hash('x')})`.execute(db),
    ),
  ).rejects.toThrow('not allowed')
})

test('it is that rule alone which keeps a key from giving rights (the control)', async () => {
  const never = `account.manage,integrations.manage,positions.appoint,relationships.manage`
  const guard = {
    off: 'alter table app.api_keys drop constraint api_key_never',
    on: `delete from app.api_keys where permissions && '{${never}}';
      alter table app.api_keys add constraint api_key_never check (not permissions && '{${never}}'::text[])`,
  }
  const manages = await withoutGuard(stage, guard, async () => {
    const { actor } = await made('owner', ['account.manage'])
    return stage.database.asActor(actor, async (db) => {
      const { rows } = await sql<{ may: boolean }>`select app.everywhere('account.manage') as may`.execute(db)
      return rows[0]?.may
    })
  })
  expect(manages).toBe(true)
})

test('a key is no way round what nobody sees or does about themselves: it counts as who made it', async () => {
  const { admin, actors, west } = stage
  const maker = west.blank
  await admin.query('update app.accounts set person_id = $2 where id = $1', [actors.owner.accountId, maker])
  const { actor } = await made('owner', ['people.directory', 'people.sensitive', 'memberships.manage'])
  const of = (person: string) =>
    stage.database.asActor(actor, async (db) => {
      const { rows } = await sql<{ mine: boolean; decides: boolean }>`
        select ${person}::uuid = any (app.my_records()) as mine, app.decides_membership(${person}, ${west.chapter}) as decides`.execute(db)
      return rows[0]
    })
  expect(await of(maker)).toEqual({ mine: true, decides: false })
  expect(await of(west.person)).toEqual({ mine: false, decides: true })
  // It is nobody all the same.
  const { rows } = await stage.database.asActor(actor, (db) => sql<{ me: string | null }>`select app.person_id() as me`.execute(db))
  expect(rows).toEqual([{ me: null }])
  await admin.query('update app.accounts set person_id = null where id = $1', [actors.owner.accountId])
})

test('the account of a key is linked to nobody and signs in nowhere, and a revoked key stays so', async () => {
  const key = await made('owner', ['people.directory'])
  const bind = (set: string) => stage.admin.query(`update app.accounts set ${set} where id = $1`, [key.actor.accountId])
  for (const set of [
    `issuer = 'https://id.example', subject = 'me'`,
    `person_id = '${stage.west.person}'`,
    `email = 'a@example.org'`,
    `idp_roles = '{org-owner}'`,
  ])
    await expect(bind(set), set).rejects.toThrow('accounts_service')
  await stage.admin.query('update app.api_keys set revoked_at = now() where id = $1', [key.id])
  await expect(stage.admin.query('update app.api_keys set revoked_at = null where id = $1', [key.id])).rejects.toThrow('revoked')
  const { rows } = await stage.admin.query('select status, name from app.accounts where id = $1', [key.actor.accountId])
  expect(rows).toEqual([{ status: 'suspended', name: 'Key Website' }])
})

test('a key is found by a hash that a service vouches for, and by nothing else', async () => {
  const { id, secretHash } = await made('owner', ['people.directory'])
  const find = (statement: string) =>
    stage.database.withoutActor(async (db) => (await sql<{ id: string }>`select id from app.find_api_key(${statement})`.execute(db)).rows)
  expect(await find(stage.database.vouch({ use: 'key', hash: secretHash, idpOrg: null }))).toEqual([{ id }])
  expect(await find(stage.database.vouch({ use: 'key', hash: hash('another'), idpOrg: null }))).toEqual([])
  await expect(find('0'.repeat(64) + JSON.stringify({ use: 'key', hash: secretHash }))).rejects.toThrow('not vouched for')
  // Not even those who manage keys read it.
  await expect(stage.database.asActor(stage.actors.owner, (db) => sql`select secret_hash from app.api_keys`.execute(db))).rejects.toThrow(
    'permission denied',
  )
})

test('all servers together let no more pass in a minute than a key may make', async () => {
  const { id, actor } = await made('owner', ['people.directory'])
  const aside = async () => {
    const { rows } = await stage.database.withoutActor((db) =>
      sql<{ granted: number }>`select granted from app.set_key_uses_aside(${actor.orgId}, ${id}, 25)`.execute(db),
    )
    return rows[0]?.granted
  }
  const all = await Promise.all([aside(), aside(), aside(), aside()])
  // At the turn of a minute there is another one.
  expect([60, 85, 100]).toContain(all.reduce<number>((sum, one) => sum + (one ?? 0), 0))
})
