import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const nobody = '01920000-0000-7000-8000-000000000000'
const match = (version: number) => ({ 'if-match': `"${version}"` })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
type Made = { id: string; version: number }
type RoleRow = { id: string; key: string; permissions: { name: string; allows: string }[]; mayGrant: boolean }
const rolesOf = async (client: Client) => ((await client.get('/data/roles')).body as { items: RoleRow[] }).items
const roleId = async (client: Client, key: string) => (await rolesOf(client)).find((role) => role.key === key)?.id

describe('roles', () => {
  test('are shown to everybody with what they allow, in words', async ({ api, organisation, person }) => {
    const org = await organisation()
    const [admin, member] = [api.as(await person({ org, idpRoles: ['org-admin'] })), api.as(await person({ org }))]
    const finance = (await rolesOf(member)).find(({ key }) => key === 'finance')
    expect(finance).toMatchObject({
      mayGrant: false,
      permissions: expect.arrayContaining([{ name: 'people.contact', allows: expect.stringContaining('e-mail') }]),
    })
    expect((await rolesOf(admin)).every(({ mayGrant }) => mayGrant)).toBe(true)
  })
})

describe('a grant', () => {
  test('gives rights in its place within its dates, and is taken back at once', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const me = api.as(await person({ org, idpRoles: ['org-admin'], givenName: 'Ana' }))
    const someone = await person({ org })
    const edit = (chapterId: string, version: number) =>
      api.as(someone).patch(`/data/chapters/${chapterId}`, { about: `Edit ${version}` }, match(version))
    expect(await edit(west, 1)).toMatchObject({ status: 403 })
    const role = await roleId(me, 'chapter-admin')
    const made = await me.post('/data/grants', {
      accountId: someone.accountId,
      roleId: role,
      scopeKind: 'chapter',
      chapterId: west,
      reason: 'Stands in',
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        role: { key: 'chapter-admin' },
        chapter: { id: west },
        when: 'current',
        startsOn: day(0),
        grantedBy: { name: expect.stringContaining('Ana') },
        mayChange: true,
      },
    })
    const { id } = made.body as Made
    expect(await edit(west, 1)).toMatchObject({ status: 200 })
    expect(await edit(east, 1)).toMatchObject({ status: 403 })
    expect(await me.get(`/data/accounts/${someone.accountId}`)).toMatchObject({ body: { roles: ['Chapter officer'], grants: [{ id }] } })
    expect(await me.patch(`/data/grants/${id}`, { startsOn: '2020-01-01', endsOn: day(-1) }, match(1))).toMatchObject({
      status: 200,
      body: { when: 'past' },
    })
    expect(await edit(west, 2)).toMatchObject({ status: 403 })
    expect(await me.patch(`/data/grants/${id}`, { endsOn: null }, match(1))).toMatchObject({ status: 412 })
    expect(await me.patch(`/data/grants/${id}`, { endsOn: null }, match(2))).toMatchObject({ status: 200, body: { when: 'current' } })
    expect(await edit(west, 2)).toMatchObject({ status: 200 })
    expect(await me.del(`/data/grants/${id}`)).toMatchObject({ status: 204 })
    expect(await edit(west, 3)).toMatchObject({ status: 403 })
    expect(await me.get(`/data/grants?accountId=${someone.accountId}`)).toMatchObject({
      body: { items: [{ id, when: 'past', endsOn: day(-1) }], total: 1 },
    })
    expect(await me.del(`/data/grants/${id}`)).toMatchObject({ status: 409, body: { reason: 'ended' } })
  })

  test('that began today leaves nothing when it is taken back, and one to come gives nothing yet', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const someone = await person({ org })
    const role = await roleId(me, 'finance')
    const { id } = (await me.post('/data/grants', { accountId: someone.accountId, roleId: role, scopeKind: 'org' })).body as Made
    expect(await me.post('/data/grants', { accountId: someone.accountId, roleId: role, scopeKind: 'org' })).toMatchObject({
      status: 409,
      body: { reason: 'duplicate_grant' },
    })
    expect(await me.del(`/data/grants/${id}`)).toMatchObject({ status: 204 })
    expect(await me.get(`/data/grants?accountId=${someone.accountId}`)).toMatchObject({ body: { items: [] } })
    expect(await me.post('/data/grants', { accountId: someone.accountId, roleId: role, scopeKind: 'org', startsOn: day(2) })).toMatchObject(
      { status: 201, body: { when: 'future' } },
    )
    expect(await me.get(`/data/accounts/${someone.accountId}`)).toMatchObject({ body: { roles: [] } })
  })

  test('needs a place that fits its kind, an account and a role that are there, and dates in order', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { accountId } = await person({ org })
    const role = await roleId(me, 'finance')
    const add = (grant: Record<string, unknown>) => me.post('/data/grants', { accountId, roleId: role, scopeKind: 'org', ...grant })
    expect(await add({ scopeKind: 'chapter' })).toMatchObject({ status: 422, body: { errors: [{ path: 'chapterId' }] } })
    expect(await add({ chapterId: org.rootChapterId })).toMatchObject({ status: 422 })
    expect(await add({ scopeKind: 'chapter', chapterId: nobody })).toMatchObject({ status: 422, body: { errors: [{ path: 'chapterId' }] } })
    expect(await add({ roleId: nobody })).toMatchObject({ status: 422, body: { errors: [{ path: 'roleId' }] } })
    expect(await add({ accountId: nobody })).toMatchObject({ status: 422, body: { errors: [{ path: 'accountId' }] } })
    expect(await add({ startsOn: '2026-05-02', endsOn: '2026-05-01' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'endsOn' }] },
    })
  })

  test('is never one’s own doing: not added, prolonged or taken back', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'], grants: [{ role: 'finance', endsOn: day(3) }] })
    const me = api.as(boss)
    const [own] = ((await me.get(`/data/grants?accountId=${boss.accountId}`)).body as { items: (Made & { mayChange: boolean })[] }).items
    expect(own?.mayChange).toBe(false)
    const refused = { status: 403, body: { detail: 'Nobody changes their own rights.' } }
    expect(
      await me.post('/data/grants', { accountId: boss.accountId, roleId: await roleId(me, 'org-owner'), scopeKind: 'org' }),
    ).toMatchObject(refused)
    expect(await me.patch(`/data/grants/${own?.id}`, { endsOn: '2099-01-01' }, match(1))).toMatchObject(refused)
    expect(await me.del(`/data/grants/${own?.id}`)).toMatchObject(refused)
  })

  test.for(['chapter-admin', 'group-leader', 'finance', 'communications', 'event-manager', 'member'])(
    'is not given by someone who is just %s',
    async (role, { api, organisation, person }) => {
      const org = await organisation()
      const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
      const someone = await person({ org, grants: [{ role }] })
      const friend = await person({ org, grants: [{ role: 'member' }] })
      const me = api.as(someone)
      const add = (accountId: string) => async () =>
        me.post('/data/grants', { accountId, roleId: await roleId(boss, 'org-admin'), scopeKind: 'org' })
      expect(await add(someone.accountId)()).toMatchObject({ status: 403 })
      expect(await add(friend.accountId)()).toMatchObject({ status: 422, body: { errors: [{ path: 'accountId' }] } })
      const [theirs] = ((await boss.get(`/data/grants?accountId=${friend.accountId}`)).body as { items: Made[] }).items
      expect(await me.del(`/data/grants/${theirs?.id}`)).toMatchObject({ status: 404 })
      expect(await me.get(`/data/grants?accountId=${friend.accountId}`)).toMatchObject({ body: { items: [] } })
      expect(await me.get('/data/grants')).toMatchObject({ body: { total: 1 } })
    },
  )
})
