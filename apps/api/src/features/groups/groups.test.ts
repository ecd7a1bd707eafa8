import { documentOf } from '@guildhall/contract/formatted-document'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const nobody = '01920000-0000-7000-8000-000000000000'
const match = (version: number) => ({ 'if-match': `"${version}"` })
type Made = { id: string; version: number }
const make = async (client: Client, group: Record<string, unknown>) => (await client.post('/data/groups', group)).body as Made
const names = (answer: { body: unknown }) => (answer.body as { items: { name: string }[] }).items.map(({ name }) => name)
const filtered = (field: string, value: unknown, op = 'is') =>
  `filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op, value }] }] }))}`

describe('the list', () => {
  test('finds, filters, sorts and turns pages', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const me = api.as(boss)
    const energy = await make(me, { name: 'Énergie', kind: 'committee', code: 'EN' })
    await make(me, { name: 'Water', kind: 'interest', chapterId: west, parentId: energy.id })
    const old = await make(me, { name: 'Old', kind: 'committee' })
    await me.post(`/data/groups/${old.id}/archive`, {}, match(1))
    await me.post(`/data/groups/${energy.id}/members`, { personId: boss.personId })
    expect(await me.get('/data/groups?q=energ')).toMatchObject({
      body: { items: [{ name: 'Énergie', members: 1, mine: { status: 'active' } }], total: 1 },
    })
    expect(names(await me.get('/data/groups'))).toEqual(['Énergie', 'Water'])
    expect(names(await me.get(`/data/groups?${filtered('archived', true)}`))).toEqual(['Old'])
    expect(names(await me.get(`/data/groups?${filtered('kind', 'committee')}`))).toEqual(['Énergie'])
    expect(names(await me.get(`/data/groups?${filtered('chapter', org.rootChapterId)}`))).toEqual(['Water'])
    expect(names(await me.get(`/data/groups?${filtered('parent', energy.id)}`))).toEqual(['Water'])
    expect(names(await me.get(`/data/groups?${filtered('mine', true)}`))).toEqual(['Énergie'])
    expect(names(await me.get('/data/groups?sort=-members'))).toEqual(['Énergie', 'Water'])
    const first = await me.get('/data/groups?limit=1')
    const { nextCursor } = first.body as { nextCursor: string }
    expect(names(await me.get(`/data/groups?limit=1&cursor=${nextCursor}`))).toEqual(['Water'])
    expect(await me.get(`/data/groups?${filtered('size', 1)}`)).toMatchObject({ status: 400, body: { reason: 'filter_field' } })
    expect(await api.as(null).get('/data/groups')).toMatchObject({ status: 401 })
  })

  test('keeps secret groups from everybody outside, and other organisations’ groups from everybody', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
    const member = await person({ org })
    const insider = await person({ org })
    const secret = await make(boss, { name: 'Secret', visibility: 'secret' })
    await boss.post(`/data/groups/${secret.id}/members`, { personId: insider.personId })
    for (const someone of [api.as(member), stranger]) {
      expect(names(await someone.get('/data/groups'))).toEqual([])
      expect(await someone.get(`/data/groups/${secret.id}`)).toMatchObject({ status: 404 })
      expect(await someone.get(`/data/groups/${secret.id}/members`)).toMatchObject({ status: 404 })
      expect(await someone.post(`/data/groups/${secret.id}/join`)).toMatchObject({ status: 404 })
      expect(await someone.get(`/data/group-memberships?groupId=${secret.id}`)).toMatchObject({ body: { items: [], total: 0 } })
    }
    expect(names(await api.as(insider).get('/data/groups'))).toEqual(['Secret'])
    expect(await api.as(insider).get(`/data/groups/${secret.id}/members`)).toMatchObject({ body: { total: 1 } })
  })

  test('shows a private group but not its roster, and asking to join does not open it', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const closed = await make(boss, { name: 'Private', visibility: 'private', joinPolicy: 'request' })
    await boss.post(`/data/groups/${closed.id}/members`, { personId: (await person({ org })).personId, role: 'leader' })
    const me = api.as(await person({ org }))
    const roster = () => me.get(`/data/groups/${closed.id}/members`)
    expect(await me.get(`/data/groups/${closed.id}`)).toMatchObject({
      body: { leaders: [], requests: null, may: { seeMembers: false, seeHistory: false, join: 'request', edit: false } },
    })
    expect(await roster()).toMatchObject({ status: 200, body: { items: [], total: 0 } })
    expect(await me.post(`/data/groups/${closed.id}/join`)).toMatchObject({
      status: 200,
      body: { mine: { status: 'requested' }, may: { join: null, leave: true } },
    })
    expect(await roster()).toMatchObject({ body: { items: [], total: 0 } })
  })

  test('gives a guest without membership the public groups only', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    await make(boss, { name: 'Open house', visibility: 'public' })
    await make(boss, { name: 'Members', visibility: 'members' })
    expect(names(await api.as(await person({ org, chapterId: null })).get('/data/groups'))).toEqual(['Open house'])
  })
})

describe('a group', () => {
  test('is made, edited, archived and restored with versions', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const made = await me.post('/data/groups', { name: 'Choir', code: 'CH', kind: 'interest', capacity: 3 })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Choir', visibility: 'members', joinPolicy: 'request', members: 0, version: 1 },
    })
    const url = `/data/groups/${(made.body as Made).id}`
    expect(await me.post('/data/groups', { name: 'Other', code: 'CH' })).toMatchObject({
      status: 409,
      body: { reason: 'group_code_taken' },
    })
    expect(await me.post('/data/groups', { name: '' })).toMatchObject({ status: 422, body: { errors: [{ path: 'name' }] } })
    expect(await me.post('/data/groups', { name: 'X', chapterId: nobody })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'chapterId' }] },
    })
    expect(await me.patch(url, { about: documentOf('We sing.') }, match(1))).toMatchObject({
      status: 200,
      body: { about: documentOf('We sing.'), version: 2 },
    })
    expect(await me.patch(url, { about: documentOf('We hum.') }, match(1))).toMatchObject({
      status: 412,
      body: { current: { about: documentOf('We sing.') } },
    })
    expect(await me.patch(url, { about: documentOf('We hum.') })).toMatchObject({ status: 428 })
    expect(await me.post(`${url}/archive`, {}, match(2))).toMatchObject({ status: 200, body: { archivedAt: expect.any(String) } })
    expect(await me.post(`${url}/archive`, {}, match(3))).toMatchObject({ status: 409, body: { reason: 'group_already_archived' } })
    expect(await me.post(`${url}/restore`, {}, match(3))).toMatchObject({ status: 200, body: { archivedAt: null } })
  })

  test('cannot be a part of its own parts', async ({ api, organisation, person }) => {
    const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
    const a = await make(me, { name: 'A' })
    const b = await make(me, { name: 'B', parentId: a.id })
    expect(await me.patch(`/data/groups/${a.id}`, { parentId: b.id }, match(1))).toMatchObject({
      status: 422,
      body: { reason: 'groups_no_circle' },
    })
    expect(await me.patch(`/data/groups/${a.id}`, { parentId: a.id }, match(1))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'parentId' }] },
    })
  })

  test('is made by a chapter officer within the own chapters only', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const me = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    expect(await me.post('/data/groups', { name: 'Ours', chapterId: west })).toMatchObject({ status: 201 })
    expect(await me.post('/data/groups', { name: 'Theirs', chapterId: east })).toMatchObject({ status: 403 })
    expect(await me.post('/data/groups', { name: 'Everybody’s' })).toMatchObject({ status: 403 })
  })

  test.for(['finance', 'communications', 'event-manager', 'member'])(
    'is not changed by someone who is just %s',
    async (role, { api, organisation, person }) => {
      const org = await organisation()
      const group = await make(api.as(await person({ org, idpRoles: ['org-admin'] })), { name: 'Choir' })
      const me = api.as(await person({ org, grants: [{ role }] }))
      expect(await me.patch(`/data/groups/${group.id}`, { name: 'Mine' }, match(1))).toMatchObject({ status: 403 })
      expect(await me.post('/data/groups', { name: 'Mine' })).toMatchObject({ status: 403 })
      expect(await me.post(`/data/groups/${group.id}/members`, { personId: nobody })).toMatchObject({ status: 403 })
    },
  )
})
