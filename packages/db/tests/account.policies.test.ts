import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const columns = ['west', 'foreign'] as const
const inside = (organisers: string, others: string) =>
  expected(`
             west  foreign
    owner      ${organisers}  -
    admin      ${organisers}  -
    officer    ${others}  -
    former     ${others}  -
    safeguarding  ${others}  -
    finance    ${others}  -
    communications  ${others}  -
    events     ${others}  -
    leader     ${others}  -
    member     ${others}  -
    guest      ${others}  -
    suspended  -  -
    stranger   -  ${organisers}`)

const roleOf = (orgId: string) => `(select id from app.roles where org_id = '${orgId}' and key = 'finance')`
const cases: [what: string, attempts: Parameters<typeof tryAll>[1], organisers: string, others: string][] = [
  [
    'the organisation is seen by everybody inside and set up by administrators',
    {
      table: 'organisations',
      row: ({ orgId }: Place) => `org_id = '${orgId}'`,
      insert: () => `(slug, name) values ('x', 'x')`,
      update: `locale = 'fr'`,
      remove: true,
    },
    'SU',
    'S',
  ],
  [
    'accounts are kept by administrators',
    {
      table: 'accounts',
      row: ({ account }: Place) => `id = '${account}'`,
      insert: ({ orgId }: Place) => `(org_id, email, status) values ('${orgId}', 'new@example.org', 'invited')`,
      update: `status = 'suspended'`,
      remove: true,
    },
    'SIU',
    '-',
  ],
  [
    'roles are no secret; administrators make some of their own, and standard ones stay as they are',
    {
      table: 'roles',
      row: ({ orgId }: Place) => `org_id = '${orgId}' and key = 'finance'`,
      insert: ({ orgId }: Place) => `(org_id, key, name, custom) values ('${orgId}', 'new-role', 'New', true)`,
      update: `description = 'x'`,
      remove: true,
    },
    'SI',
    'S',
  ],
  [
    'what a standard role allows is changed by nobody through the API',
    {
      table: 'role_permissions',
      row: ({ orgId }: Place) => `org_id = '${orgId}'`,
      insert: ({ orgId }: Place) => `(org_id, role_id, permission) select '${orgId}', ${roleOf(orgId)}, 'audit.read'`,
      update: `permission = 'audit.read'`,
      remove: true,
    },
    'S',
    'S',
  ],
  [
    'grants are given and taken back by administrators',
    {
      table: 'grants',
      row: ({ grant }: Place) => `id = '${grant}'`,
      insert: ({ orgId, account }: Place) =>
        `(org_id, account_id, role_id, scope_kind) select '${orgId}', '${account}', ${roleOf(orgId)}, 'org'`,
      update: `reason = 'x'`,
      remove: true,
    },
    'SIUD',
    '-',
  ],
  [
    'the end of the audit chain is seen by those who read all of it',
    { table: 'audit_heads', row: ({ orgId }: Place) => `org_id = '${orgId}'`, update: 'seq = 1', remove: true },
    'S',
    '-',
  ],
]

test.each(cases)('%s', async (_what, attempts, organisers, others) => {
  expect(await tryAll(stage, attempts, columns)).toBe(inside(organisers, others))
})

test('the audit log is read by those who may see its subject, and written by nobody', async () => {
  const found = await tryAll(
    stage,
    {
      table: 'audit_entries',
      row: ({ person }) => `person_id = '${person}' and entity = 'affiliations'`,
      insert: ({ orgId }) =>
        `(org_id, seq, action, entity, needs, diff, prev_hash, hash) values ('${orgId}', 999999, 'create', 'people', 'audit.read', '{}', '', '')`,
      update: `diff = '{}'`,
      remove: true,
    },
    ['west', 'east', 'foreign'],
  )
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
})

describe('nobody gives themselves rights', () => {
  const as = (role: 'admin' | 'member', text: string) =>
    stage.database.asActor(stage.actors[role], async (db) => (await sql.raw(text).execute(db)).numAffectedRows)
  const mine = 'id = (select app.account_id())'

  test('through their own account', async () => {
    expect(await as('member', `update app.accounts set preferences = '{"theme":"dark"}' where ${mine}`)).toBe(1n)
    for (const set of [`status = 'suspended'`, `person_id = null`])
      await expect(as('member', `update app.accounts set ${set} where ${mine}`)).rejects.toThrow()
    for (const set of [`idp_roles = '{org-owner}'`, `email = 'x@example.org'`, `subject = 'owner'`]) {
      await expect(as('member', `update app.accounts set ${set} where ${mine}`)).rejects.toThrow('permission denied')
    }
  })

  test('through a grant to themselves, even as administrators', async () => {
    const { orgId } = stage.west
    await expect(
      as(
        'admin',
        `insert into app.grants (org_id, account_id, role_id, scope_kind) select '${orgId}', app.account_id(), ${roleOf(orgId)}, 'org'`,
      ),
    ).rejects.toThrow('nobody changes their own rights')
  })

  test('by moving a grant to another account or role', async () => {
    await expect(as('admin', `update app.grants set account_id = app.account_id()`)).rejects.toThrow('permission denied')
    await expect(as('admin', `update app.grants set role_id = role_id`)).rejects.toThrow('permission denied')
  })
})
