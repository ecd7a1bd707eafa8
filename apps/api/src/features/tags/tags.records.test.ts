import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

type Tagged = { id: string; name: string; tags: { name: string }[] }
type List = { items: Tagged[]; total: number }
const missing = '01920000-0000-7000-8000-00000000dead'
const made = async (client: Client, path: string, body: object) => (await client.post(path, body)).body as Tagged
const set = (client: Client, type: string, id: string, ...tagIds: string[]) =>
  client.put(`/data/tagged/${id}`, { recordType: type, tagIds })
const names = ({ tags }: Tagged) => tags.map(({ name }) => name)
const filterOf = (condition: object) => `filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [condition] }] }))}`
const plain = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]*"/, '')]

const records = [
  { type: 'group', path: '/data/groups' },
  { type: 'chapter', path: '/data/chapters' },
]

test.for(records)(
  'a $type carries tags in its list, on its page, in its filter and its files',
  async ({ type, path }, { api, organisation, person, worker }) => {
    expect(worker).toBeUndefined()
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    const record = await made(owner, path, { name: 'Choir', code: 'CHO' })
    await made(owner, path, { name: 'Other', code: 'OTH' })
    const [one, two] = [
      await made(owner, '/data/tags', { name: 'Pilot' }),
      await made(owner, '/data/tags', { name: 'award', audience: 'members' }),
    ]
    expect(await set(owner, type, record.id, one.id, two.id)).toMatchObject({
      status: 200,
      body: { tags: [{ name: 'award' }, { name: 'Pilot' }] },
    })
    expect(names((await owner.get(`${path}/${record.id}`)).body as Tagged)).toEqual(['award', 'Pilot'])
    const list = async (condition: object) =>
      ((await owner.get(`${path}?${filterOf(condition)}`)).body as List).items.map(({ name }) => name)
    expect(await list({ field: 'tag', op: 'in', value: [one.id] })).toEqual(['Choir'])
    expect(await list({ field: 'tag', op: 'isNot', value: one.id })).not.toContain('Choir')
    expect(await list({ field: 'tag', op: 'empty' })).not.toContain('Choir')
    expect((await owner.get('/data/tags')).body).toMatchObject({ items: [{ uses: { person: 0, [type]: 1 } }, { uses: { [type]: 1 } }] })

    const asked = { list: `${type}s`, format: 'csv', selection: { ids: [record.id] }, columns: ['name', 'tags'] }
    const { id } = (await owner.post('/actions/exports', asked)).body as { id: string }
    await expect.poll(async () => (await owner.get(`/data/exports/${id}`)).text, { timeout: 10_000 }).toContain('"downloadable":true')
    expect((await owner.get(`/actions/exports/${id}/file`)).text).toContain('award; Pilot')

    expect((await set(owner, type, record.id, two.id)).body).toMatchObject({ tags: [{ name: 'award' }] })
    expect((await owner.del(`/data/tags/${two.id}`)).status).toBe(204)
    expect(names((await owner.get(`${path}/${record.id}`)).body as Tagged)).toEqual([])
  },
)

test.for(records)(
  'for a member an officers’ tag is not there on a $type: on no page, in no list, filter, count or history',
  async ({ type, path }, { api, organisation, person }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    const member = api.as(await person({ org }))
    const record = await made(owner, path, { name: 'Choir', code: 'CHO' })
    const [hidden, open] = [
      await made(owner, '/data/tags', { name: 'Hidden' }),
      await made(owner, '/data/tags', { name: 'Open', audience: 'members' }),
    ]
    await set(owner, type, record.id, hidden.id, open.id)
    expect(names((await member.get(`${path}/${record.id}`)).body as Tagged)).toEqual(['Open'])
    const list = async (query = '') => ((await member.get(`${path}?${query}`)).body as List).items
    expect((await list()).find(({ id }) => id === record.id)).toMatchObject({ tags: [{ name: 'Open' }] })
    expect(plain(await member.get(`${path}?${filterOf({ field: 'tag', op: 'is', value: hidden.id })}`))).toEqual(
      plain(await member.get(`${path}?${filterOf({ field: 'tag', op: 'is', value: missing })}`)),
    )
    expect((await member.get('/data/tags')).body).toMatchObject({ items: [{ name: 'Open', uses: { [type]: 1 } }] })
    expect(((await member.get('/data/tags')).body as { items: unknown[] }).items).toHaveLength(1)
    const history = async (client: Client) => (await client.get(`/data/audit?entity=record_tags&${type}Id=${record.id}`)).text
    expect(await history(owner)).toContain('Hidden')
    expect(await history(member)).not.toContain('Hidden')
  },
)

test('officers of a chapter see and set officers’ tags on what is theirs; a leader sets members’ tags and keeps the others', async ({
  api,
  organisation,
  chapter,
  person,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const [mine, theirs] = [
    await made(owner, '/data/groups', { name: 'Mine', chapterId: west }),
    await made(owner, '/data/groups', { name: 'Theirs', chapterId: east }),
  ]
  const [hidden, open] = [
    await made(owner, '/data/tags', { name: 'Hidden' }),
    await made(owner, '/data/tags', { name: 'Open', audience: 'members' }),
  ]
  for (const group of [mine, theirs]) await set(owner, 'group', group.id, hidden.id)
  const seen = async (client: Client, id: string) => names((await client.get(`/data/groups/${id}`)).body)
  expect([await seen(officer, mine.id), await seen(officer, theirs.id)]).toEqual([['Hidden'], []])
  expect((await set(officer, 'group', mine.id, hidden.id, open.id)).status).toBe(200)
  expect((await set(officer, 'group', theirs.id)).status).toBe(403)
  expect((await set(officer, 'chapter', west, hidden.id)).status).toBe(200)
  expect((await set(officer, 'chapter', east)).status).toBe(403)

  const leads = await person({ org, chapterId: east })
  const leader = api.as(leads)
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id, role, status, starts_on) values ($1, $2, $3, 'leader', 'active', app.today())`,
    [org.id, theirs.id, leads.personId],
  )
  expect((await set(leader, 'group', theirs.id, hidden.id)).status).toBe(422)
  expect((await set(leader, 'group', theirs.id, open.id)).body).toMatchObject({ tags: [{ name: 'Open' }] })
  expect(await seen(owner, theirs.id)).toEqual(['Hidden', 'Open'])
})

test('tags are set only on what is there, by whom may change it, and leave with their record', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const member = api.as(await person({ org }))
  const group = await made(owner, '/data/groups', { name: 'Choir' })
  const secret = await made(owner, '/data/groups', { name: 'Secret', visibility: 'secret' })
  const tag = await made(owner, '/data/tags', { name: 'Pilot', audience: 'members' })
  expect((await set(owner, 'group', missing, tag.id)).status).toBe(404)
  expect((await set(owner, 'group', group.id, missing)).status).toBe(422)
  expect((await set(owner, 'person', group.id, tag.id)).status).toBeOneOf([400, 422])
  expect((await set(owner, 'group', group.id, ...Array.from({ length: 51 }, () => tag.id))).status).toBe(422)
  expect((await set(member, 'group', group.id, tag.id)).status).toBe(403)
  expect((await set(member, 'group', secret.id, tag.id)).status).toBe(404)
  expect((await set(api.as(await person({ idpRoles: ['org-owner'] })), 'group', group.id)).status).toBe(404)
  expect((await set(api.as(null), 'group', group.id, tag.id)).status).toBe(401)
  await set(owner, 'group', group.id, tag.id)
  await admin.query('delete from app.groups where id = $1', [group.id])
  expect((await admin.query('select from app.record_tags where record_id = $1', [group.id])).rows).toEqual([])
})
