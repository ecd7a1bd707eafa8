import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

const missing = '01920000-0000-7000-8000-00000000dead'
const filterOf = (...conditions: object[]) => encodeURIComponent(JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) }))
const enter = async (client: Client, body: object) => (await client.post('/data/people', body)).body as { id: string }
const make = async (client: Client, body: object) => (await client.post('/data/tags', body)).body as { id: string; audience: string }
/** An answer without what differs from one request to the next. */
const plain = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]*"/, '')]

test('a tag is for officers unless it is made for members; whoever may change it opens and closes it', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const member = api.as(await person({ org }))
  const seen = async () => ((await member.get('/data/tags')).body as { items: { name: string }[] }).items.map(({ name }) => name)
  const access = await make(owner, { name: 'Wheelchair access' })
  expect(access.audience).toBe('officers')
  await make(owner, { name: 'Mentor', audience: 'members' })
  expect(await seen()).toEqual(['Mentor'])
  expect((await owner.patch(`/data/tags/${access.id}`, { audience: 'members' })).body).toMatchObject({ audience: 'members' })
  expect(await seen()).toEqual(['Mentor', 'Wheelchair access'])
  await owner.patch(`/data/tags/${access.id}`, { audience: 'officers' })
  expect(await seen()).toEqual(['Mentor'])
  expect((await owner.patch(`/data/tags/${access.id}`, { audience: 'everybody' })).status).toBe(422)
})

test('for a member an officers’ tag is not there: on nobody, not on themselves, in no list, count, page, history, change or name', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const me = await person({ org, familyName: 'Me' })
  const member = api.as(me)
  const [hidden, open] = [await make(owner, { name: 'Hidden' }), await make(owner, { name: 'Open', audience: 'members' })]
  const chapterId = org.rootChapterId
  const ann = await enter(owner, { familyName: 'Ann', chapterId, tagIds: [hidden.id, open.id] })
  await enter(owner, { familyName: 'Bob', chapterId, tagIds: [hidden.id] })
  await owner.put(`/data/people/${me.personId ?? ''}/tags`, { tagIds: [hidden.id, open.id] })

  const list = async (client: Client, query: string) => {
    const { body } = await client.get(`/data/people?columns=tags&${query}`)
    const { items, total } = body as { items: { familyName: string; tags: { name: string }[] }[]; total: number }
    return { total, people: items.map(({ familyName, tags }) => [familyName, ...tags.map(({ name }) => name)]) }
  }
  expect((await list(owner, '')).people).toEqual([
    ['Ann', 'Hidden', 'Open'],
    ['Bob', 'Hidden'],
    ['Me', 'Hidden', 'Open'],
  ])
  expect((await list(member, '')).people).toEqual([['Ann', 'Open'], ['Bob'], ['Me', 'Open']])
  expect(await list(member, `filter=${filterOf({ field: 'tag', op: 'is', value: open.id })}`)).toMatchObject({ total: 2 })
  expect(await list(member, `filter=${filterOf({ field: 'tag', op: 'empty' })}`)).toEqual({ total: 1, people: [['Bob']] })
  expect(await list(member, `filter=${filterOf({ field: 'tag', op: 'notEmpty' })}`)).toMatchObject({ total: 2 })

  // Whatever names the tag is answered as if it named one that never was.
  const asks: ((tagId: string) => Promise<{ status: number; text: string }>)[] = [
    ...['is', 'isNot', 'in', 'notIn'].flatMap((op) =>
      ['/data/people?filter=', '/data/people/summary?filter=', `/data/people/${ann.id}/neighbours?filter=`].map(
        (url) => (tagId: string) =>
          member.get(url + filterOf({ field: 'tag', op, value: op.toLowerCase().endsWith('in') ? [tagId] : tagId })),
      ),
    ),
    (tagId) => member.patch(`/data/tags/${tagId}`, { name: 'Mine' }),
    (tagId) => member.patch(`/data/tags/${tagId}`, { audience: 'members' }),
    (tagId) => member.del(`/data/tags/${tagId}`),
    (tagId) => member.put(`/data/people/${ann.id}/tags`, { tagIds: [tagId] }),
    (tagId) => member.put(`/data/people/${me.personId ?? ''}/tags`, { tagIds: [tagId] }),
    (tagId) => member.post('/data/people', { familyName: 'New', chapterId, tagIds: [tagId] }),
    ...(['tag', 'untag'] as const).map(
      (change) => (tagId: string) =>
        member.post('/actions/people/bulk/preview', { selection: { all: {}, except: [] }, change: { do: change, tagId } }),
    ),
    (tagId) =>
      member.post('/actions/people/bulk/preview', {
        selection: { all: { filter: { and: [{ or: [{ field: 'tag', op: 'is', value: tagId }] }] } }, except: [] },
        change: { do: 'lifecycle', lifecycle: 'alumni' },
      }),
  ]
  for (const ask of asks) expect(plain(await ask(hidden.id))).toEqual(plain(await ask(missing)))
  // A name that is taken tells nothing, since a member makes no tag.
  expect(plain(await member.post('/data/tags', { name: 'Hidden' }))).toEqual(plain(await member.post('/data/tags', { name: 'Unheard of' })))

  for (const personId of [ann.id, me.personId ?? '']) {
    for (const url of ['', '/overview', '/history', '/history?entity=person_tags']) {
      const { text } = await member.get(`/data/people/${personId}${url}`)
      expect(text).not.toContain('Hidden')
      expect(text).not.toContain(hidden.id)
    }
  }
  const own = (await member.get(`/data/people/${me.personId ?? ''}/history?entity=person_tags`)).body as { items: { subject: string }[] }
  expect(own.items.map(({ subject }) => subject)).toEqual(['Open'])
  expect((await member.get('/data/home')).text).not.toContain('Hidden')
})

test('a chapter’s officer knows officers’ tags, and who carries them in the own chapters only', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const hidden = await make(owner, { name: 'Hidden' })
  const ann = await enter(owner, { familyName: 'Ann', chapterId: west, tagIds: [hidden.id] })
  const bob = await enter(owner, { familyName: 'Bob', chapterId: east, tagIds: [hidden.id] })
  const tagged = async (client: Client) => {
    const { body } = await client.get(`/data/people?filter=${filterOf({ field: 'tag', op: 'is', value: hidden.id })}`)
    return (body as { items: { familyName: string }[] }).items.map(({ familyName }) => familyName)
  }
  const told = async (client: Client, personId: string) =>
    ((await client.get(`/data/people/${personId}/history?entity=person_tags`)).body as { items: unknown[] }).items.length
  for (const role of ['chapter-admin', 'safeguarding']) {
    const officer = api.as(await person({ org, chapterId: west, grants: [{ role, chapterId: west }] }))
    expect((await officer.get('/data/tags')).body).toMatchObject({ items: [{ name: 'Hidden', audience: 'officers', uses: { person: 1 } }] })
    expect(await tagged(officer)).toEqual(['Ann'])
  }
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  expect([await told(officer, ann.id), await told(officer, bob.id)]).toEqual([1, 0])
  // They see how to reach everybody, but change nobody: an officers' tag is not for them, and neither is what the log says of it.
  const finance = api.as(await person({ org, chapterId: null, grants: [{ role: 'finance' }] }))
  expect(await tagged(finance)).toEqual([])
  expect([await told(finance, ann.id), (await finance.get('/data/tags')).body]).toEqual([0, { items: [] }])
})

test('the audit log speaks of officers’ tags only to those who see them', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [hidden, open] = [await make(owner, { name: 'Hidden' }), await make(owner, { name: 'Open', audience: 'members' })]
  await enter(owner, { familyName: 'Ann', chapterId: org.rootChapterId, tagIds: [hidden.id, open.id] })
  await admin.query(
    `with r as (insert into app.roles (org_id, key, name, custom) values ($1, 'auditor', 'Auditor', true) returning id)
     insert into app.role_permissions (org_id, role_id, permission) select $1, r.id, p from r, unnest(array['audit.read', 'people.directory']) p`,
    [org.id],
  )
  const auditor = api.as(await person({ org, chapterId: null, grants: [{ role: 'auditor' }] }))
  const subjects = async (client: Client, entity: string) =>
    ((await client.get(`/data/audit?entity=${entity}`)).body as { items: { subject: string }[] }).items.map(({ subject }) => subject)
  expect((await subjects(owner, 'person_tags')).toSorted()).toEqual(['Hidden', 'Open'])
  expect(await subjects(auditor, 'person_tags')).toEqual(['Open'])
  expect((await subjects(owner, 'tags')).toSorted()).toEqual(['Hidden', 'Open'])
  expect(await subjects(auditor, 'tags')).toEqual([])
})

test('an export has the tags that its reader sees', async ({ api, admin, organisation, person, worker }) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const owner = await person({ org, idpRoles: ['org-owner'], chapterId: null })
  const [hidden, open] = [await make(api.as(owner), { name: 'Hidden' }), await make(api.as(owner), { name: 'Open', audience: 'members' })]
  await enter(api.as(owner), { familyName: 'Ann', chapterId: org.rootChapterId, tagIds: [hidden.id, open.id] })
  await admin.query(
    `with r as (insert into app.roles (org_id, key, name, custom) values ($1, 'reader', 'Reader', true) returning id)
     insert into app.role_permissions (org_id, role_id, permission) select $1, r.id, p from r, unnest(array['people.export', 'people.directory', 'people.contact']) p`,
    [org.id],
  )
  const reader = await person({ org, chapterId: null, grants: [{ role: 'reader' }] })
  const exported = async (who: typeof reader) => {
    const client = api.as(who)
    const asked = { list: 'people', format: 'csv', selection: { all: {}, except: [] }, columns: ['familyName', 'tags'] }
    const { id } = (await client.post('/actions/exports', asked)).body as { id: string }
    await expect.poll(async () => (await client.get(`/data/exports/${id}`)).text, { timeout: 10_000 }).toContain('"downloadable":true')
    return (await client.get(`/actions/exports/${id}/file`)).text
  }
  expect(await exported(owner)).toContain('Hidden')
  const file = await exported(reader)
  expect(file).toContain('Open')
  expect(file).not.toContain('Hidden')
})
