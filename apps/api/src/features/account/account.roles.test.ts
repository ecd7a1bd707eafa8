import type { Role } from '@guildhall/contract/features/account'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const rolesOf = async (client: Client) => ((await client.get('/data/roles')).body as { items: Role[] }).items
const almoner = { name: 'Almoner', description: 'Looks after members in need', permissions: ['people.directory', 'people.contact'] }

describe('a role of the organisation’s own', () => {
  test('is made, given, changed with effect at once, and removed only while nobody ever had it', async ({ api, organisation, person }) => {
    const org = await organisation()
    const admin = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const someone = await person({ org, chapterId: null })
    const made = await admin.post('/data/roles', almoner)
    expect(made).toMatchObject({ status: 201, body: { name: 'Almoner', custom: true, mayChange: true, mayGrant: true, grants: 0 } })
    const role = made.body as Role
    expect(role.permissions.map(({ name }) => name)).toEqual(['people.contact', 'people.directory'])

    const may = async () => ((await api.as(someone).get('/data/me')).body as { permissions: { permission: string }[] }).permissions
    expect(await may()).toEqual([])
    await admin.post('/data/grants', { accountId: someone.accountId, roleId: role.id, scopeKind: 'org' })
    expect((await may()).map(({ permission }) => permission)).toEqual(['people.contact', 'people.directory'])

    const changed = await admin.patch(`/data/roles/${role.id}`, {
      name: 'Welfare officer',
      permissions: ['people.directory', 'people.export'],
    })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Welfare officer', description: almoner.description } })
    expect((await may()).map(({ permission }) => permission)).toEqual(['people.directory', 'people.export'])

    expect(await admin.del(`/data/roles/${role.id}`)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const spare = (await admin.post('/data/roles', { ...almoner, name: 'Spare' })).body as Role
    expect(await admin.del(`/data/roles/${spare.id}`)).toMatchObject({ status: 204 })
    expect((await rolesOf(admin)).map(({ id }) => id)).not.toContain(spare.id)
  })

  test('takes no name twice and needs at least one permission that there is', async ({ api, organisation, person }) => {
    const org = await organisation()
    const admin = api.as(await person({ org, idpRoles: ['org-admin'] }))
    await admin.post('/data/roles', almoner)
    expect(await admin.post('/data/roles', { ...almoner, name: 'ALMONER' })).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'name' }] },
    })
    expect(await admin.post('/data/roles', { ...almoner, name: 'Administrator' })).toMatchObject({ status: 409 })
    expect(await admin.post('/data/roles', { ...almoner, name: ' ' })).toMatchObject({ status: 422 })
    expect(await admin.post('/data/roles', { ...almoner, name: 'None', permissions: [] })).toMatchObject({ status: 422 })
    expect(await admin.post('/data/roles', { ...almoner, name: 'Odd', permissions: ['people.everything'] })).toMatchObject({ status: 422 })
    // Names alike have keys of their own, and another organisation's names do not count.
    const other = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
    expect(await other.post('/data/roles', almoner)).toMatchObject({ status: 201 })
  })

  test('allows no more than its maker holds, and nobody changes a standard role or one they hold', async ({
    api,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const owner = api.as(boss)
    const keeper = await person({ org, idpRoles: [] })
    const keeps = (await owner.post('/data/roles', { ...almoner, name: 'Keeper', permissions: ['account.manage', 'people.directory'] }))
      .body as Role
    await owner.post('/data/grants', { accountId: keeper.accountId, roleId: keeps.id, scopeKind: 'org' })
    const me = api.as(keeper)
    expect(await me.post('/data/roles', { ...almoner, name: 'More than mine', permissions: ['organisation.manage'] })).toMatchObject({
      status: 403,
    })
    expect(await me.patch(`/data/roles/${keeps.id}`, { permissions: ['account.manage'] })).toMatchObject({ status: 403 })
    const strong = (await owner.post('/data/roles', { ...almoner, name: 'Strong', permissions: ['organisation.manage'] })).body as Role
    expect(await me.patch(`/data/roles/${strong.id}`, { permissions: ['people.directory'] })).toMatchObject({ status: 403 })
    const standard = (await rolesOf(me)).find(({ key }) => key === 'member')
    expect(await owner.patch(`/data/roles/${standard?.id ?? ''}`, { name: 'Mine' })).toMatchObject({ status: 403 })

    // The rows themselves refuse what the interface does.
    const { rows } = await admin.query<{ n: number }>('select count(*)::int as n from app.role_permissions where role_id = $1', [keeps.id])
    expect(rows).toEqual([{ n: 2 }])
    expect(await api.as(await person({ org })).post('/data/roles', almoner)).toMatchObject({ status: 403 })
  })
})
