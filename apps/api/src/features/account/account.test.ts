import { expect } from 'vitest'
import { test } from '../../testing.ts'

test('an account sees itself, its person and where its rights reach', async ({ api, person }) => {
  const admin = await person({ idpRoles: ['org-admin'], givenName: 'Ana' })
  const { status, body } = await api.as(admin).get('/data/me')
  expect(status).toBe(200)
  expect(body).toMatchObject({ account: { id: admin.accountId }, person: { id: admin.personId } })
  const { permissions } = body as { permissions: { permission: string; everywhere: boolean }[] }
  expect(permissions.find((reach) => reach.permission === 'people.write')?.everywhere).toBe(true)
})

test('a suspended account is refused everywhere', async ({ api, person }) => {
  const suspended = await person({ status: 'suspended', idpRoles: ['org-admin'] })
  expect(await api.as(suspended).get('/data/me')).toMatchObject({ status: 403, body: { reason: 'suspended' } })
  expect(await api.as(suspended).post('/data/rpc/update_account_login')).toMatchObject({ status: 403 })
})

test('nobody gets in without a token, or with a broken one', async ({ api, person }) => {
  expect(await api.as(null).get('/data/me')).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': expect.stringContaining('Bearer') },
  })
  const someone = await person()
  expect(await api.as({ ...someone, token: `${someone.token}x` }).get('/data/me')).toMatchObject({ status: 401 })
})

test('a sign-in is noted and answered without content', async ({ api, person, admin }) => {
  const someone = await person()
  expect(await api.as(someone).post('/data/rpc/update_account_login')).toMatchObject({ status: 204 })
  const { rows } = await admin.query('select last_login_at from app.accounts where id = $1', [someone.accountId])
  expect(rows[0].last_login_at).not.toBeNull()
})

test('preferences change one by one and refuse what they do not know', async ({ api, person }) => {
  const me = api.as(await person())
  await me.patch('/data/me/preferences', { theme: 'dark' })
  expect(await me.patch('/data/me/preferences', { density: 'compact' })).toMatchObject({
    status: 200,
    body: { theme: 'dark', density: 'compact' },
  })
  expect(await me.patch('/data/me/preferences', { colour: 'red' })).toMatchObject({ status: 400 })
})

test('how people arrange their own screen stands in no log', async ({ api, organisation, person, admin }) => {
  const org = await organisation()
  const boss = await person({ org, idpRoles: ['org-admin'] })
  const entries = async () =>
    (
      (await api.as(boss).get('/data/audit?entity=accounts&action=update')).body as { items: { changes: { field: string }[] }[] }
    ).items.flatMap(({ changes }) => changes.map(({ field }) => field))
  const someone = await person({ org })
  await api.as(someone).patch('/data/me/preferences', { theme: 'dark', hiddenCards: ['birthdays'], pins: [{ kind: 'page', id: 'groups' }] })
  expect(await entries()).toEqual([])
  // Everything else of an account still is.
  await admin.query(`update app.accounts set name = 'Other', preferences = '{}' where id = $1`, [someone.accountId])
  expect(await entries()).toEqual(['name'])
})

test('cards hidden on home stay hidden for the account that hid them, and for no other', async ({ api, organisation, person }) => {
  const org = await organisation()
  const [one, other] = [api.as(await person({ org })), api.as(await person({ org }))]
  await one.patch('/data/me/preferences', { theme: 'dark' })
  expect(await one.patch('/data/me/preferences', { hiddenCards: ['birthdays', 'recentChanges'] })).toMatchObject({ status: 200 })
  const kept = async (client: typeof one) =>
    ((await client.get('/data/me')).body as { account: { preferences: unknown } }).account.preferences
  expect(await kept(one)).toEqual({ theme: 'dark', hiddenCards: ['birthdays', 'recentChanges'] })
  expect(await kept(other)).toEqual({})
  for (const hiddenCards of [Array.from({ length: 31 }, () => 'birthdays'), ['<b>'], [''], 'birthdays'])
    expect((await one.patch('/data/me/preferences', { hiddenCards })).status).toBeOneOf([400, 422])
  expect(await one.patch('/data/me/preferences', { hiddenCards: [] })).toMatchObject({ body: { theme: 'dark', hiddenCards: [] } })
})

test('each account has a default view of its own for each list', async ({ api, organisation, person }) => {
  const org = await organisation()
  const [one, other] = [api.as(await person({ org })), api.as(await person({ org }))]
  const defaultViews = { groups: 'mine', chapters: '01920000-0000-7000-8000-000000000001' }
  expect(await one.patch('/data/me/preferences', { defaultViews })).toMatchObject({ status: 200, body: { defaultViews } })
  const kept = async (client: typeof one) =>
    ((await client.get('/data/me')).body as { account: { preferences: unknown } }).account.preferences
  expect([await kept(one), await kept(other)]).toEqual([{ defaultViews }, {}])
  for (const wrong of [{ secrets: 'mine' }, { groups: '' }, { groups: 'x'.repeat(101) }, ['mine']])
    expect((await one.patch('/data/me/preferences', { defaultViews: wrong })).status).toBeOneOf([400, 422])
})
