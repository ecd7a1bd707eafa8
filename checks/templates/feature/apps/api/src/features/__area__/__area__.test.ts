import { expect } from 'vitest'
import { test } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const filtered = (field: string, value: unknown) =>
  `filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op: 'is', value }] }] }))}`
const names = ({ body }: { body: unknown }) => (body as { items: { name: string }[] }).items.map(({ name }) => name)
const made = ({ body }: { body: unknown }) => body as { id: string; version: number }
const url = '/data/__records_path__'

test('__records_words__ are found, filtered, sorted and read a page at a time', async ({ api, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  await me.post(url, { name: 'Énergie', status: 'active' })
  await me.post(url, { name: 'Water', chapterId: west })
  expect(names(await me.get(`${url}?q=energ`))).toEqual(['Énergie'])
  expect(names(await me.get(`${url}?sort=-name`))).toEqual(['Water', 'Énergie'])
  expect(names(await me.get(`${url}?${filtered('status', 'active')}`))).toEqual(['Énergie'])
  expect(names(await me.get(`${url}?${filtered('chapter', org.rootChapterId)}`))).toEqual(['Water'])
  const first = await me.get(`${url}?limit=1`)
  const { nextCursor } = first.body as { nextCursor: string }
  expect(names(await me.get(`${url}?limit=1&cursor=${nextCursor}`))).toEqual(['Water'])
  expect(await me.get(`${url}?sort=size`)).toMatchObject({ status: 400, body: { reason: 'sort' } })
})

test('an archived __record_words__ leaves the list and comes back', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const { id } = made(await me.post(url, { name: 'Old' }))
  expect(await me.post(`${url}/${id}/archive`, {}, match(1))).toMatchObject({ status: 200, body: { version: 2 } })
  expect(names(await me.get(url))).toEqual([])
  expect(names(await me.get(`${url}?${filtered('archived', true)}`))).toEqual(['Old'])
  expect(await me.post(`${url}/${id}/restore`, {}, match(2))).toMatchObject({ body: { archivedAt: null } })
})

test('a change to a version that is past is refused with the present one', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const { id } = made(await me.post(url, { name: 'Draft' }))
  expect(await me.patch(`${url}/${id}`, { status: 'done' }, match(1))).toMatchObject({ body: { status: 'done', version: 2 } })
  expect(await me.patch(`${url}/${id}`, { name: 'Mine' }, match(1))).toMatchObject({ status: 412, body: { current: { version: 2 } } })
  const nowhere = { chapterId: '01920000-0000-7000-8000-000000000000' }
  expect(await me.patch(`${url}/${id}`, nowhere, match(2))).toMatchObject({ status: 422, body: { errors: [{ path: 'chapterId' }] } })
})

test('its history is for those who manage it', async ({ api, organisation, person }) => {
  const org = await organisation()
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const { id } = made(await officer.post(url, { name: 'Garden', chapterId: org.rootChapterId }))
  const history = (client: typeof officer) => client.get(`/data/audit?recordId=${id}`)
  expect(await history(officer)).toMatchObject({ body: { items: [{ action: 'create', subject: 'Garden' }] } })
  expect(await history(api.as(await person({ org })))).toMatchObject({ body: { items: [] } })
})
