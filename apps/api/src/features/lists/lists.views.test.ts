import type { SavedView } from '@guildhall/contract/features/lists'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const spec = {
  q: 'smith',
  filter: { and: [{ or: [{ field: 'tag', op: 'is', value: '01920000-0000-7000-8000-000000000001' }] }] },
  sort: '-joinedOn',
  columns: ['tags', 'city'],
  layout: 'table',
}
const list = async (client: Client, query = '') => ((await client.get(`/data/views${query}`)).body as { items: SavedView[] }).items

test('a view is saved, changed with its version and deleted by its owner', async ({ api, person }) => {
  const me = api.as(await person({ idpRoles: ['org-owner'], givenName: 'Olga', familyName: 'Owner' }))
  const made = await me.post('/data/views', { list: 'people', name: 'Smiths', spec })
  expect(made).toMatchObject({ status: 201, body: { name: 'Smiths', spec, sharedWith: 'me', mine: true, owner: 'Olga Owner', version: 1 } })
  const { id } = made.body as SavedView
  expect(await me.post('/data/views', { list: 'people', name: 'Smiths', spec })).toMatchObject({
    status: 409,
    body: { errors: [{ path: 'name' }] },
  })
  expect((await me.patch(`/data/views/${id}`, { name: 'X' })).status).toBe(428)
  expect((await me.patch(`/data/views/${id}`, { name: 'Jones', sharedWith: 'organisation' }, { 'if-match': '"1"' })).body).toMatchObject({
    name: 'Jones',
    version: 2,
    spec,
  })
  expect((await me.patch(`/data/views/${id}`, { name: 'Late' }, { 'if-match': '"1"' })).status).toBe(412)
  await me.post('/data/views', { list: 'people', name: 'Other', spec: {} })
  expect(await me.patch(`/data/views/${id}`, { name: 'Other' }, { 'if-match': '"2"' })).toMatchObject({
    status: 409,
    body: { reason: 'view_name_taken' },
  })
  expect((await list(me, '?list=groups')).length).toBe(0)
  expect((await list(me, '?list=people')).map((view) => view.name)).toEqual(['Jones', 'Other'])
  expect((await me.del(`/data/views/${id}`)).status).toBe(204)
  expect((await me.del(`/data/views/${id}`)).status).toBe(404)
})

test('shared views are seen by members, changed by nobody else; sharing is a right; guests see none', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
  const shared = (await owner.post('/data/views', { list: 'people', name: 'Shared', spec: {}, sharedWith: 'organisation' }))
    .body as SavedView
  await owner.post('/data/views', { list: 'people', name: 'Mine', spec: {} })
  const member = api.as(await person({ org }))
  expect((await list(member)).map((view) => [view.name, view.mine])).toEqual([['Shared', false]])
  expect((await member.patch(`/data/views/${shared.id}`, { name: 'X' }, { 'if-match': '"1"' })).status).toBe(403)
  expect((await member.del(`/data/views/${shared.id}`)).status).toBe(403)
  expect((await member.post('/data/views', { list: 'people', name: 'A', spec: {}, sharedWith: 'organisation' })).status).toBe(403)
  const own = (await member.post('/data/views', { list: 'people', name: 'A', spec: {} })).body as SavedView
  expect((await member.patch(`/data/views/${own.id}`, { sharedWith: 'organisation' }, { 'if-match': '"1"' })).status).toBe(403)
  expect(await list(api.as(await person({ org, chapterId: null })))).toEqual([])
  const stranger = api.as(await person({ idpRoles: ['org-owner'] }))
  expect(await list(stranger)).toEqual([])
  expect((await stranger.patch(`/data/views/${shared.id}`, { name: 'X' }, { 'if-match': '"1"' })).status).toBe(404)
  expect((await stranger.del(`/data/views/${shared.id}`)).status).toBe(404)
})

test('a view that is none is refused', async ({ api, person }) => {
  const me = api.as(await person())
  for (const [body, status] of [
    [{ list: 'people', name: '', spec: {} }, 422],
    [{ list: 'secrets', name: 'A', spec: {} }, 422],
    [{ list: 'people', name: 'A' }, 400],
    [{ list: 'people', name: 'A', spec: { sql: 'x' } }, 400],
    [{ list: 'people', name: 'A', spec: { columns: Array.from({ length: 61 }, () => 'x') } }, 422],
    [{ list: 'people', name: 'x'.repeat(101), spec: {} }, 422],
  ] as const)
    expect([body, (await me.post('/data/views', body)).status]).toEqual([body, status])
  expect((await api.as(null).get('/data/views')).status).toBe(401)
})
