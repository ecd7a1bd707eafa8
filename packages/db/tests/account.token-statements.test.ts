import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSigner } from '../src/actor.ts'
import type { TokenStatement } from '../src/actor.ts'
import { openDatabase } from '../src/index.ts'
import type { Database } from '../src/index.ts'
import { testDatabase } from '../src/testing.ts'

let admin: pg.Pool
let database: Database
let actorKey: string
let org: string

beforeAll(async () => {
  const found = await testDatabase()
  actorKey = found.actorKey
  admin = new pg.Pool({ connectionString: found.adminUrl, max: 2 })
  database = openDatabase({ url: found.apiUrl, actorKey, poolSize: 4 })
  const { rows } = await admin.query<{ id: string }>('select app.found_organisation($1, $1, $1, null) as id', [
    `s${randomUUID().slice(0, 8)}`,
  ])
  org = rows[0]?.id ?? ''
  await admin.query('update app.organisations set idp_org_id = $1::text where org_id = $1', [org])
})
afterAll(async () => {
  await database.close()
  await admin.end()
})

const token = () => ({ issuer: 'https://id.example', subject: randomUUID(), idpOrg: org })
const login = (more: Partial<Extract<TokenStatement, { use: 'login' }>> = {}) => ({
  ...token(),
  ...{ use: 'login' as const, name: null, email: null, emailVerified: null, roles: [], signUp: 'open' as const, signUpRole: 'none' },
  ...more,
})
const call = (what: string, statement: string | null) =>
  database.withoutActor(async (db) => (await sql<{ status: string }>`select * from ${sql.raw(what)}(${statement})`.execute(db)).rows)

/** Each function with the statement it takes. */
const functions: [what: string, statement: () => TokenStatement][] = [
  ['app.find_account', () => ({ use: 'find', ...token() })],
  ['app.update_account_login', () => login()],
  ['app.end_sessions', () => ({ use: 'logout', ...token(), tokenId: randomUUID(), issuedAt: 1 })],
]

describe.each(functions)('%s', (what, statement) => {
  const honest = () => database.vouch(statement())
  const bodyOf = (vouched: string): Record<string, unknown> => JSON.parse(vouched.slice(64))

  test('works with a statement that the service signed (the control of what follows)', async () => {
    await expect(call(what, honest())).resolves.toBeDefined()
  })

  test.each<[fault: string, forged: () => string | null]>([
    ['nothing', () => null],
    ['an empty one', () => ''],
    ['no signature', () => honest().slice(64)],
    ['a signature of zeros', () => '0'.repeat(64) + honest().slice(64)],
    ['the signature of another statement', () => honest().slice(0, 64) + honest().slice(64)],
    [
      'another subject',
      () => {
        const vouched = honest()
        return vouched.slice(0, 64) + JSON.stringify({ ...bodyOf(vouched), subject: 'owner' })
      },
    ],
    [
      'more roles',
      () => {
        const vouched = honest()
        return vouched.slice(0, 64) + JSON.stringify({ ...bodyOf(vouched), roles: ['org-owner'] })
      },
    ],
    ['a key of one’s own', () => createSigner('cd'.repeat(32)).token(statement())],
    ['the signed actor of somebody', () => createSigner(actorKey).actor({ orgId: org, accountId: org, idpRoles: ['org-owner'] })],
  ])('refuses %s', async (_fault, forged) => {
    await expect(call(what, forged())).rejects.toMatchObject({ code: '28000', message: 'the token is not vouched for by this service' })
  })

  test('refuses what was signed for another use', async () => {
    for (const [other, different] of functions.filter(([name]) => name !== what)) {
      const vouched = database.vouch(different())
      await expect(call(what, vouched)).rejects.toMatchObject({ code: '28000' })
      await expect(call(other, vouched)).resolves.toBeDefined()
    }
  })

  test('refuses what was signed more than six minutes ago', async () => {
    const { now } = Date
    Date.now = () => now() - 361_000
    const old = honest()
    Date.now = () => now() - 290_000
    const late = honest()
    Date.now = now
    await expect(call(what, old)).rejects.toMatchObject({ code: '28000', message: 'the statement about the token has expired' })
    await expect(call(what, late)).resolves.toBeDefined()
  })
})

test('a statement is no actor: it opens no row', async () => {
  const vouched = database.vouch(login({ roles: ['org-owner'] }))
  const stolen = database.withoutActor(async (db) => {
    await sql`select set_config('app.actor', ${vouched}, true)`.execute(db)
    return (await sql`select 1 from app.accounts`.execute(db)).rows
  })
  await expect(stolen).rejects.toMatchObject({ code: '28000' })
})

test('with the check switched off anybody could make themselves an owner: the guard is what refuses', async () => {
  const client = new pg.Client({ connectionString: (await testDatabase()).adminUrl })
  await client.connect()
  try {
    const forged = '0'.repeat(64) + JSON.stringify({ ...login({ roles: ['org-owner'] }), expiry: 9_999_999_999 })
    await expect(client.query('select status from app.update_account_login($1)', [forged])).rejects.toMatchObject({ code: '28000' })
    await client.query('begin')
    await client.query(
      `create or replace function app_private.token_statement(statement text, wanted text) returns jsonb language sql as 'select substr(statement, 65)::jsonb'`,
    )
    expect((await client.query('select status from app.update_account_login($1)', [forged])).rows).toEqual([{ status: 'active' }])
  } finally {
    await client.query('rollback')
    await client.end()
  }
})

describe('two administrators who take each other’s rights at the same moment', () => {
  const adminAccount = async () => {
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.accounts (org_id, issuer, subject, status) values ($1, 'https://id.example', $2, 'active') returning id`,
      [org, randomUUID()],
    )
    const accountId = rows[0]?.id ?? ''
    // A role of their own, which the other may change.
    const role = await admin.query<{ id: string }>(
      `insert into app.roles (org_id, key, name, custom) values ($1, $2, $2, true) returning id`,
      [org, `r${randomUUID().slice(0, 8)}`],
    )
    const roleId = role.rows[0]?.id ?? ''
    await admin.query(
      `insert into app.role_permissions (org_id, role_id, permission)
       select $1, $2, p.permission from app.role_permissions p join app.roles r on r.org_id = p.org_id and r.id = p.role_id where r.org_id = $1 and r.key = 'org-admin'`,
      [org, roleId],
    )
    const grant = await admin.query<{ id: string }>(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on)
       values ($1, $2, $3, 'org', '2020-01-01') returning id`,
      [org, accountId, roleId],
    )
    return { accountId, roleId, grantId: grant.rows[0]?.id ?? '', actor: { orgId: org, accountId, idpRoles: [] } }
  }
  type Admin = Awaited<ReturnType<typeof adminAccount>>
  const ways = {
    suspend: ({ accountId }: Admin) => `update app.accounts set status = 'suspended' where id = '${accountId}'`,
    'end the grant of': ({ grantId }: Admin) => `update app.grants set ends_on = current_date - 1 where id = '${grantId}'`,
    'empty the role of': ({ roleId }: Admin) =>
      `delete from app.role_permissions where role_id = '${roleId}' and permission = 'account.manage'`,
    'delete the role of': ({ roleId }: Admin) => `delete from app.roles where id = '${roleId}'`,
    'remove the grant of': ({ grantId }: Admin) => `delete from app.grants where id = '${grantId}'`,
  }
  const rounds = Object.values(ways).flatMap((mine) => Object.values(ways).map((theirs) => [mine, theirs] as const))

  /** Both statements stand in an open transaction before either commits: the worst moment there is. */
  async function race(first: Admin, second: Admin, [mine, theirs]: (typeof rounds)[number]) {
    let ready = 0
    let go = () => {}
    const both = new Promise<void>((resolve) => (go = resolve))
    const run = (by: Admin, text: string) =>
      database.asActor(by.actor, async (db) => {
        await sql`select app.org_id()`.execute(db)
        if (++ready === 2) go()
        await both
        const { numAffectedRows } = await sql.raw(text).execute(db)
        if (numAffectedRows !== 1n) throw new Error('nothing was changed')
      })
    const outcomes = await Promise.allSettled([run(first, mine(second)), run(second, theirs(first))])
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }

  test('do not both succeed, whichever way they choose', async () => {
    for (const round of rounds) {
      for (let n = 0; n < 5; n++) expect(await race(await adminAccount(), await adminAccount(), round)).toBe(1)
    }
  })

  test('would both succeed without the guard’s lock', async () => {
    const { rows } = await admin.query<{ definition: string }>(
      `select pg_get_functiondef('app_private.hold_account_rights(uuid)'::regprocedure) as definition`,
    )
    await admin.query(
      `create or replace function app_private.hold_account_rights(org uuid) returns void language sql as 'select pg_sleep(0.2)' security definer set search_path = pg_catalog, pg_temp`,
    )
    try {
      expect(await race(await adminAccount(), await adminAccount(), [ways.suspend, ways.suspend])).toBe(2)
    } finally {
      await admin.query(rows[0]?.definition ?? '')
    }
  })
})
