import type { ChapterGrowth } from '@guildhall/contract/features/chapters'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const nobody = '01920000-0000-7000-8000-000000000000'
const match = (version: number) => ({ 'if-match': `"${version}"` })
type Answered = { id: string; version: number; items: { id: string; name: string }[]; nextCursor: string | null }
const versionOf = async (client: Client, id: string) => (await client.get(`/data/chapters/${id}`)).body['version']

describe('the tree', () => {
  test('comes whole, parents first, with own counts and roll-ups', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const harbour = await chapter(org, 'Harbour', west)
    const admin = await person({ org, idpRoles: ['org-admin'] })
    await person({ org, chapterId: west })
    await person({ org, chapterId: harbour })
    await person({ org, chapterId: harbour })
    const { status, body } = await api.as(admin).get('/data/chapters/tree')
    expect(status).toBe(200)
    expect((body as Answered).items).toMatchObject([
      { id: org.rootChapterId, parentId: null, depth: 1, members: 1, subtreeMembers: 4, subchapters: 1, officers: 0 },
      { id: west, parentId: org.rootChapterId, depth: 2, members: 1, subtreeMembers: 3, subchapters: 1 },
      { id: harbour, parentId: west, depth: 3, members: 2, subtreeMembers: 2, subchapters: 0 },
    ])
  })

  test('of another organisation stays there', async ({ api, organisation, person }) => {
    const theirs = await organisation()
    const mine = await person({ org: await organisation(), idpRoles: ['org-admin'] })
    expect(await api.as(mine).get(`/data/chapters/${theirs.rootChapterId}`)).toMatchObject({ status: 404 })
    expect(await api.as(mine).get('/data/chapters/tree')).toMatchObject({ body: { items: [{ name: 'Root' }] } })
  })

  test('is for people with an account only', async ({ api, person }) => {
    expect(await api.as(null).get('/data/chapters/tree')).toMatchObject({ status: 401 })
    expect(await api.as(await person({ status: 'suspended' })).get('/data/chapters/tree')).toMatchObject({
      status: 403,
      body: { reason: 'suspended' },
    })
  })
})

describe('the list', () => {
  test('finds parts of names and codes without accents, and turns pages', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    for (const name of ['Orléans', 'Montréal', 'Réunion']) await chapter(org, name)
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    // Whose name begins with it comes before whose name merely has it.
    expect(await me.get('/data/chapters?q=o&limit=1')).toMatchObject({ body: { items: [{ name: 'Montréal' }] } })
    expect(await me.get('/data/chapters?q=o&sort=match&limit=1')).toMatchObject({ body: { items: [{ name: 'Orléans' }] } })
    expect(await me.get('/data/chapters?q=real')).toMatchObject({ body: { items: [{ name: 'Montréal' }], total: 1, nextCursor: null } })
    // Words are parted by spaces and nothing else.
    expect(await me.get('/data/chapters?q=ans%20%20orl')).toMatchObject({ body: { items: [{ name: 'Orléans' }], total: 1 } })
    expect(await me.get('/data/chapters?q=leso')).toMatchObject({ body: { total: 0 } })
    const first = (await me.get('/data/chapters?limit=3')).body as Answered
    expect(first.items.map(({ name }) => name)).toEqual(['Montréal', 'Orléans', 'Réunion'])
    expect(await me.get(`/data/chapters?limit=3&cursor=${first.nextCursor}`)).toMatchObject({
      body: { items: [{ name: 'Root' }], total: null, nextCursor: null },
    })
    expect(await me.get(`/data/chapters?limit=3&q=o&cursor=${first.nextCursor}`)).toMatchObject({ status: 400, body: { reason: 'cursor' } })
    expect(await me.get('/data/chapters?sort=-name&limit=1')).toMatchObject({ body: { items: [{ name: 'Root' }] } })
    expect(await me.get('/data/chapters?sort=size')).toMatchObject({ status: 400, body: { reason: 'sort' } })
  })

  test('filters by subtree and status, and leaves closed chapters out until asked', async ({
    api,
    admin,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    await chapter(org, 'Harbour', west)
    const old = await chapter(org, 'Old')
    await admin.query(`update app.chapters set status = 'closed' where id = $1`, [old])
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const list = async (field: string, value: unknown) =>
      (
        (await me.get(`/data/chapters?filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op: 'is', value }] }] }))}`))
          .body as Answered
      ).items.map(({ name }) => name)
    expect(await list('within', west)).toEqual(['Harbour', 'West'])
    expect(await list('below', west)).toEqual(['Harbour'])
    expect(await list('under', org.rootChapterId)).toEqual(['West'])
    expect(await list('status', 'closed')).toEqual(['Old'])
    expect(await list('mine', true)).toEqual(['Root'])
    expect(await me.get('/data/chapters?filter={')).toMatchObject({ status: 400 })
  })
})

describe('a chapter', () => {
  test('shows its place, counts, officers and what I may do', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const harbour = await chapter(org, 'Harbour', west)
    const officer = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title, mandatory) values ($1, $2, 'President', true) returning id)
      insert into app.position_holders (org_id, position_id, person_id, starts_on) select $1, s.id, $3, '2026-01-01' from s`,
      [org.id, harbour, officer.personId],
    )
    await admin.query(`insert into app.positions (org_id, chapter_id, title, mandatory) values ($1, $2, 'Treasurer', true)`, [
      org.id,
      harbour,
    ])
    expect(await api.as(officer).get(`/data/chapters/${harbour}`)).toMatchObject({
      status: 200,
      body: {
        ancestors: [{ name: 'Root' }, { name: 'West' }],
        parent: { id: west },
        officers: [{ position: { title: 'President' }, person: { id: officer.personId }, when: 'current' }],
        vacancies: [{ title: 'Treasurer', openSeats: 1 }],
        may: { edit: true, manage: false, appoint: true, addPeople: true, manageGroups: true, seeHistory: true },
      },
      headers: { etag: '"1"' },
    })
    expect(await api.as(officer).get(`/data/chapters/${org.rootChapterId}`)).toMatchObject({
      body: { may: { edit: false, appoint: false }, counts: { own: { member: 0 }, subtree: { member: 1 } }, descendants: 2 },
    })
    expect(await api.as(officer).get(`/data/chapters/${nobody}`)).toMatchObject({ status: 404 })
    expect(await api.as(officer).get('/data/chapters/x')).toMatchObject({ status: 422 })
  })

  test('is made by administrators, with a code of its own', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const made = await me.post('/data/chapters', { name: ' Lyon ', code: 'LYO', parentId: org.rootChapterId, level: 'club', city: 'Lyon' })
    expect(made).toMatchObject({ status: 201, body: { name: 'Lyon', depth: 2, level: 'club', version: 1 } })
    expect(await me.post('/data/chapters', { name: 'Other', code: 'LYO' })).toMatchObject({
      status: 409,
      body: { reason: 'chapter_code_taken', errors: [{ path: 'code' }] },
    })
    expect(await me.post('/data/chapters', { name: '', code: 'X' })).toMatchObject({ status: 422, body: { errors: [{ path: 'name' }] } })
    expect(await me.post('/data/chapters', { name: 'X', code: 'X', parentId: nobody })).toMatchObject({
      status: 422,
      body: { reason: 'parent_not_found' },
    })
    expect(await me.post('/data/chapters', { name: 'X', code: 'X', colour: 'red' })).toMatchObject({ status: 400 })
    expect(await me.post('/data/chapters', { name: 'X', code: 'X', timezone: 'Mars/Base' })).toMatchObject({ status: 422 })
  })

  test.for(['finance', 'communications', 'event-manager', 'member', 'chapter-admin'])(
    'is not made by someone who is just %s',
    async (role, { api, organisation, person }) => {
      const org = await organisation()
      const someone = await person({ org, grants: [{ role, ...(role === 'chapter-admin' ? { chapterId: org.rootChapterId } : {}) }] })
      expect(await api.as(someone).post('/data/chapters', { name: 'X', code: 'X', parentId: org.rootChapterId })).toMatchObject({
        status: 403,
      })
    },
  )

  test('is edited by its officers in their part of the tree only, and not in what the organisation decides', async ({
    api,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const harbour = await chapter(org, 'Harbour', west)
    const me = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    expect(await me.patch(`/data/chapters/${harbour}`, { about: 'By the sea' }, match(1))).toMatchObject({
      status: 200,
      body: { about: 'By the sea', version: 2 },
    })
    expect(await me.patch(`/data/chapters/${harbour}`, { code: 'NEW' }, match(2))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('decided by the organisation') },
    })
    expect(await me.patch(`/data/chapters/${org.rootChapterId}`, { about: 'Mine' }, match(1))).toMatchObject({ status: 403 })
  })

  test('loses the rights of an officer whose term ended yesterday', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const former = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west, endsOn: yesterday }] })
    expect(await api.as(former).patch(`/data/chapters/${west}`, { about: 'Still mine' }, match(1))).toMatchObject({ status: 403 })
  })

  test('refuses an edit of an older version and shows the present one', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = `/data/chapters/${org.rootChapterId}`
    expect(await me.patch(url, { city: 'Bern' })).toMatchObject({ status: 428 })
    expect(await me.patch(url, { city: 'Bern' }, match(1))).toMatchObject({ status: 200 })
    expect(await me.patch(url, { city: 'Basel' }, match(1))).toMatchObject({ status: 412, body: { current: { city: 'Bern', version: 2 } } })
  })
})

describe('the growth of a chapter', () => {
  test('counts joins and leaves of two years with everything below, for those who see its contact data', async ({
    api,
    admin,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const harbour = await chapter(org, 'Harbour', west)
    const joined = async (chapterId: string, monthsAgo: number) => {
      const { personId } = await person({ org, chapterId })
      await admin.query(
        `update app.affiliations set starts_on = (date_trunc('month', current_date) - make_interval(months => $2))::date where person_id = $1`,
        [personId, monthsAgo],
      )
    }
    await joined(harbour, 0)
    await joined(west, 11)
    await joined(west, 12)
    await joined(west, 24)
    await joined(east, 0)
    const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const { body } = await officer.get(`/data/chapters/${west}/growth`)
    const { growth } = body as ChapterGrowth
    expect(growth?.members).toBe(5)
    expect(growth?.months.map(({ joins }) => joins)).toEqual([1, ...Array<number>(10).fill(0), 1])
    expect(growth?.before.at(-1)).toMatchObject({ joins: 1, leaves: 0 })
    expect([...(growth?.before ?? []), ...(growth?.months ?? [])].map(({ month }) => month)).toEqual(
      Array.from({ length: 24 }, (_, index) => {
        const today = new Date()
        return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 23 + index, 1)).toISOString().slice(0, 7)
      }),
    )
    expect((await officer.get(`/data/chapters/${east}/growth`)).body).toEqual({ growth: null })
    expect(await officer.get(`/data/chapters/${nobody}/growth`)).toMatchObject({ status: 404 })
  })
})

describe('moving', () => {
  test('takes everything below along', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const harbour = await chapter(org, 'Harbour', west)
    const quay = await chapter(org, 'Quay', harbour)
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    expect(await me.post(`/data/chapters/${harbour}/move`, { parentId: east }, match(1))).toMatchObject({
      status: 200,
      body: { parent: { id: east }, descendants: 1 },
    })
    expect(await me.get(`/data/chapters/${quay}`)).toMatchObject({
      body: { ancestors: [{ name: 'Root' }, { name: 'East' }, { name: 'Harbour' }], depth: 4 },
    })
  })

  test('below itself is refused with the circle named', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const harbour = await chapter(org, 'Harbour', west)
    const quay = await chapter(org, 'Quay', harbour)
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    expect(await me.post(`/data/chapters/${west}/move`, { parentId: quay }, match(1))).toMatchObject({
      status: 422,
      body: {
        reason: 'chapters_no_circle',
        detail: 'West → Harbour → Quay → West would be a circle.',
        params: { chapters: ['West', 'Harbour', 'Quay', 'West'] },
      },
    })
    expect(await me.post(`/data/chapters/${west}/move`, { parentId: west }, match(1))).toMatchObject({
      status: 422,
      body: { reason: 'chapter_own_parent' },
    })
  })

  test('a ninth level is refused', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    let deepest = org.rootChapterId
    for (let depth = 2; depth <= 7; depth++) deepest = await chapter(org, `L${depth}`, deepest)
    const branch = await chapter(org, 'Branch')
    await chapter(org, 'Twig', branch)
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    expect(await me.post(`/data/chapters/${branch}/move`, { parentId: deepest }, match(1))).toMatchObject({
      status: 422,
      body: { reason: 'chapters_too_deep' },
    })
    expect(await me.post('/data/chapters', { name: 'L8', code: 'L8', parentId: deepest })).toMatchObject({ status: 201 })
  })

  test('is not for chapter officers, even within their chapter', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const [a, b] = [await chapter(org, 'A', west), await chapter(org, 'B', west)]
    const me = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    // Not even to where it stands: that is a change of its version.
    for (const parentId of [b, west])
      expect(await me.post(`/data/chapters/${a}/move`, { parentId }, match(1))).toMatchObject({ status: 403 })
    expect(await me.get(`/data/chapters/${a}`)).toMatchObject({ body: { version: 1 } })
  })
})

describe('closing', () => {
  test('is refused with counts while someone lives in the chapter', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    await chapter(org, 'Harbour', west)
    await person({ org, chapterId: west })
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    expect(await me.post(`/data/chapters/${west}/close`, {}, match(1))).toMatchObject({
      status: 409,
      body: {
        reason: 'chapter_in_use',
        params: { subchapters: 1, people: 1 },
        detail: expect.stringContaining('1 open sub-chapter and 1 person'),
      },
    })
  })

  test('ends the terms of office, keeps newcomers out, and can be taken back', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = await person({ org, idpRoles: ['org-admin'] })
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title) values ($1, $2, 'President') returning id)
      insert into app.position_holders (org_id, position_id, person_id, starts_on) select $1, s.id, $3, '2026-01-01' from s`,
      [org.id, west, boss.personId],
    )
    const me = api.as(boss)
    expect(await me.post(`/data/chapters/${west}/close`, {}, match(1))).toMatchObject({
      status: 200,
      body: { status: 'closed', closedOn: expect.any(String) },
    })
    const { rows } = await admin.query(
      'select count(*)::int as open from app.position_holders h where h.org_id = $1 and h.ends_on is null',
      [org.id],
    )
    expect(rows).toEqual([{ open: 0 }])
    await expect(
      admin.query(`insert into app.affiliations (org_id, person_id, chapter_id) values ($1, $2, $3)`, [org.id, boss.personId, west]),
    ).rejects.toThrow('this chapter is closed')
    expect(await me.patch(`/data/chapters/${west}`, { status: 'active' }, match(2))).toMatchObject({
      status: 409,
      body: { reason: 'chapter_reopen_first' },
    })
    expect(await me.post(`/data/chapters/${west}/reopen`, {}, match(await versionOf(me, west)))).toMatchObject({
      status: 200,
      body: { status: 'active', closedOn: null },
    })
    expect(await me.post(`/data/chapters/${west}/reopen`, {}, match(3))).toMatchObject({ status: 409, body: { reason: 'chapter_open' } })
  })

  test('is for administrators', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const officer = await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] })
    expect(await api.as(officer).post(`/data/chapters/${west}/close`, {}, match(1))).toMatchObject({ status: 403 })
  })
})

describe('the roster', () => {
  test('lists people by name, with or without what is below, now or formerly', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const harbour = await chapter(org, 'Harbour', west)
    await person({ org, chapterId: west, givenName: 'Zoë', familyName: 'Adams', email: 'zoe@example.org' })
    await person({ org, chapterId: harbour, givenName: 'Ben', familyName: 'Baker' })
    const gone = await person({ org, chapterId: west, givenName: 'Carl', familyName: 'Cook' })
    await admin.query(`update app.affiliations set ends_on = current_date - 1 where person_id = $1`, [gone.personId])
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const names = async (query: string) =>
      ((await me.get(`/data/chapters/${west}/members${query}`)).body as { items: { person: { displayName: string } }[] }).items.map(
        ({ person }) => person.displayName,
      )
    expect(await names('')).toEqual(['Zoë Adams'])
    expect(await names('?subtree=true')).toEqual(['Zoë Adams', 'Ben Baker'])
    expect(await names('?when=former')).toEqual(['Carl Cook'])
    expect(await names('?subtree=true&q=zoe')).toEqual(['Zoë Adams'])
    expect(await names('?kind=alumni')).toEqual([])
    expect(await me.get(`/data/chapters/${west}/members?limit=1&subtree=true`)).toMatchObject({
      body: { total: 2, items: [{ primaryEmail: 'zoe@example.org' }] },
    })
    expect(await me.get(`/data/chapters/${nobody}/members`)).toMatchObject({ status: 404 })
  })

  test('hides e-mail addresses from members and people outside their reach', async ({ api, organisation, chapter, person }) => {
    const org = await organisation({ directoryReach: 'chapter' })
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    await person({ org, chapterId: west, email: 'w@example.org' })
    const neighbour = api.as(await person({ org, chapterId: west }))
    const stranger = api.as(await person({ org, chapterId: east }))
    expect(await neighbour.get(`/data/chapters/${west}/members`)).toMatchObject({
      body: { total: 2, items: [{ primaryEmail: null }, { primaryEmail: null }] },
    })
    expect(await stranger.get(`/data/chapters/${west}/members`)).toMatchObject({ status: 200, body: { items: [], total: 0 } })
  })
})
