import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStage } from './stage.ts'
import type { Role, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const orgOf = (role: Role) => stage.actors[role].orgId
const connect = async (connector: string, category: string) => {
  const { rows } = await stage.admin.query<{ id: string }>(
    `insert into app.connections (org_id, connector, category, name, state) values ($1, $2, $3, $2, 'connected') returning id`,
    [orgOf('owner'), connector, category],
  )
  return rows[0]?.id ?? ''
}
const hash = '0'.repeat(64)
const makes = (role: Role, connectionId: string) =>
  stage.database
    .asActor(stage.actors[role], async (db) => {
      await sql`insert into app.scim_tokens (org_id, connection_id, secret_hash, hint, made_by) values (${orgOf(role)}, ${connectionId}, ${hash}, 'abcd', ${stage.actors[role].accountId})`.execute(
        db,
      )
      return 'made'
    })
    .catch(() => 'refused')

test('a token is made by who keeps accounts, and its hash is read by nobody', async () => {
  const connectionId = await connect('scim', 'identity')
  for (const role of ['finance', 'communications', 'member', 'officer'] as const)
    expect([role, await makes(role, connectionId)]).toEqual([role, 'refused'])
  // Who manages integrations and not accounts would have the accounts kept by whoever owns the connection.
  await stage.admin.query(
    `delete from app.role_permissions p using app.roles r where r.org_id = p.org_id and r.id = p.role_id and p.org_id = $1 and r.key = 'org-admin' and p.permission = 'account.manage'`,
    [orgOf('admin')],
  )
  expect(await makes('admin', connectionId)).toBe('refused')
  expect(await makes('owner', connectionId)).toBe('made')
  await expect(
    stage.database.asActor(stage.actors['owner'], (db) => sql`select secret_hash from app.scim_tokens`.execute(db)),
  ).rejects.toMatchObject({ code: '42501' })
})

test('nobody gives an account of somebody who has signed in to somebody else', async () => {
  const connectionId = await connect('scim', 'identity')
  const { accountId } = stage.actors['member']
  await stage.admin.query(
    `insert into app.external_refs (org_id, connection_id, entity, account_id, external_id, state) values ($1, $2, 'account', $3, 'x', 'tied')`,
    [orgOf('owner'), connectionId, accountId],
  )
  const claim = (role: Role) =>
    stage.database.asActor(stage.actors[role], (db) =>
      sql`select app.claim_account(${connectionId}, ${accountId}, 'evil@example.org', 'https://evil.example', 'me')`.execute(db),
    )
  await expect(claim('communications')).rejects.toMatchObject({ code: '42501' })
  await claim('owner')
  const { rows } = await stage.admin.query('select issuer, email from app.accounts where id = $1', [accountId])
  expect(rows).not.toEqual([expect.objectContaining({ issuer: 'https://evil.example' })])
  expect(rows).not.toEqual([expect.objectContaining({ email: 'evil@example.org' })])
})

test('nobody comes to a role that they cannot give by the account that holds it', async () => {
  const connectionId = await connect('scim', 'identity')
  const { rows } = await stage.admin.query<{ id: string }>(
    `with a as (insert into app.accounts (org_id, email, status) values ($1, 'new@example.org', 'invited') returning id),
       g as (insert into app.grants (org_id, account_id, role_id, scope_kind) select $1, a.id, r.id, 'org' from a, app.roles r where r.org_id = $1 and r.key = 'org-owner')
     insert into app.external_refs (org_id, connection_id, entity, account_id, external_id, state) select $1, $2, 'account', id, 'new', 'tied' from a returning account_id as id`,
    [orgOf('owner'), connectionId],
  )
  const id = rows[0]?.id ?? ''
  const claim = async (role: Role) => {
    await stage.database.asActor(stage.actors[role], (db) =>
      sql`select app.claim_account(${connectionId}, ${id}, null, 'https://idp.example', 'me')`.execute(db),
    )
    return (await stage.admin.query<{ subject: string | null }>('select subject from app.accounts where id = $1', [id])).rows[0]?.subject
  }
  await stage.admin.query(
    `insert into app.role_permissions (org_id, role_id, permission) select $1, id, 'account.manage' from app.roles where org_id = $1 and key = 'org-admin' on conflict do nothing`,
    [orgOf('owner')],
  )
  await stage.admin.query(
    `delete from app.role_permissions p using app.roles r where r.org_id = p.org_id and r.id = p.role_id and p.org_id = $1 and r.key = 'org-admin' and p.permission = 'audit.read'`,
    [orgOf('owner')],
  )
  expect(await claim('admin')).toBeNull()
  expect(await claim('owner')).toBe('me')
})

test('the endpoint of a chat is nobody’s webhook', async () => {
  const connectionId = await connect('chat', 'chat')
  const { rows } = await stage.admin.query('select state, event_types from app.webhook_endpoints where connection_id = $1', [connectionId])
  expect(rows).toEqual([{ state: 'active', event_types: ['chat.member', 'chat.gift', 'chat.full'] }])
  const seen = await stage.database.asActor(stage.actors['owner'], (db) => sql`select id from app.webhook_endpoints`.execute(db))
  expect(seen.rows).toEqual([])
  const changed = await stage.database.asActor(stage.actors['owner'], (db) =>
    sql`update app.webhook_endpoints set url = 'https://evil.example/'`.execute(db),
  )
  expect(changed.numAffectedRows).toBe(0n)
})
