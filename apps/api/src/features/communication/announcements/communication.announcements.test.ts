import { documentOf, plainTextOf } from '@guildhall/contract/formatted-document'
import type { Announcement, AnnouncementAudience } from '@guildhall/contract/features/communication.announcements'
import { hostile } from '@guildhall/contract/hostile-texts-testing'
import { describe, expect } from 'vitest'
import { follow } from '../../../platform/records/changes-testing.ts'
import { test } from '../../../testing.ts'
import type { Client, NewPerson, TestOrganisation, TestPerson } from '../../../testing.ts'

const url = '/data/announcements'
const match = (version: number) => ({ 'if-match': `"${version}"` })
type Place = { chapterId?: string; groupId?: string }
type Draft = Place & {
  title?: string
  audience?: AnnouncementAudience
  pinned?: boolean
  startsAt?: string
  endsAt?: string
  body?: object
}
type Current = { items: Announcement[]; unread: number; nextChangeAt: string | null }

const drafted = async (client: Client, draft: Draft = {}) => {
  const answer = await client.post(url, { title: 'News', ...draft })
  expect(answer).toMatchObject({ status: 201, body: { state: 'draft' } })
  return answer.body as Announcement
}
const act = (client: Client, { id, version }: Announcement, what: string, body: object = {}) =>
  client.post(`${url}/${id}/${what}`, body, match(version))
const published = async (client: Client, draft: Draft = {}) => {
  const answer = await act(client, await drafted(client, draft), 'publish')
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as Announcement
}
const current = async (client: Client, place: string = '') => (await client.get(`${url}/current${place}`)).body as Current
const titles = ({ items }: { items: Announcement[] }) => items.map(({ title }) => title)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

type Made = { org: TestOrganisation; api: { as(person: TestPerson): Client }; person: (made: NewPerson) => Promise<TestPerson> }
type Chapter = (org: TestOrganisation, name: string, parentId?: string) => Promise<string>
type Admin = { query: (text: string, values: unknown[]) => Promise<{ rows: { id: string }[] }> }

/** An organisation with West, Below it and East, a group of West, and somebody of every sort. */
async function cast({ org, api, person }: Made, chapter: Chapter, admin: Admin) {
  const west = await chapter(org, 'West')
  const [below, east] = [await chapter(org, 'Below', west), await chapter(org, 'East')]
  const add = async (made: NewPerson, kind?: string) => {
    const one = await person({ org, ...made })
    if (kind) await admin.query('update app.affiliations set kind = $2 where person_id = $1', [one.personId, kind])
    return one
  }
  const people = {
    owner: await add({ chapterId: null, idpRoles: ['org-owner'] }),
    clerk: await add({ chapterId: null, grants: [{ role: 'finance' }] }),
    guest: await add({ chapterId: null }),
    suspended: await add({ chapterId: west, status: 'suspended' }),
    officer: await add({ chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }),
    west: await add({ chapterId: west }),
    alumna: await add({ chapterId: west }, 'alumni'),
    friend: await add({ chapterId: west }, 'friend'),
    below: await add({ chapterId: below }),
    east: await add({ chapterId: east }),
    leader: await add({ chapterId: east }),
  }
  const { rows } = await admin.query(
    `insert into app.groups (org_id, chapter_id, name, visibility) values ($1, $2, 'Choir', 'private') returning id`,
    [org.id, west],
  )
  const groupId = rows[0]?.id ?? ''
  for (const [who, role, status] of [
    ['leader', 'leader', 'active'],
    ['below', 'member', 'active'],
    ['east', 'member', 'requested'],
  ] as const)
    await admin.query(`insert into app.group_members (org_id, group_id, person_id, role, status) values ($1, $2, $3, $4, $5)`, [
      org.id,
      groupId,
      people[who].personId,
      role,
      status,
    ])
  const clients = Object.fromEntries(Object.entries(people).map(([name, one]) => [name, api.as(one)])) as Record<
    keyof typeof people,
    Client
  >
  return { west, below, east, groupId, people, clients }
}

describe('whom it concerns', () => {
  test('each audience of each place is who belongs there, and the author learns how many they are', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
  }) => {
    const org = await organisation()
    const { west, groupId, clients } = await cast({ org, api, person }, chapter, admin)
    const places: [Place, Record<AnnouncementAudience, string[]>][] = [
      [
        {},
        {
          officers: ['owner', 'clerk', 'officer'],
          members: ['owner', 'clerk', 'officer', 'west', 'alumna', 'below', 'east', 'leader'],
          everybody: ['owner', 'clerk', 'guest', 'officer', 'west', 'alumna', 'friend', 'below', 'east', 'leader'],
        },
      ],
      [
        { chapterId: west },
        {
          officers: ['officer'],
          members: ['officer', 'west', 'alumna', 'below'],
          everybody: ['officer', 'west', 'alumna', 'friend', 'below'],
        },
      ],
      [{ groupId }, { officers: ['leader'], members: ['below', 'leader'], everybody: ['below', 'leader'] }],
    ]
    const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
    for (const [place, expected] of places)
      for (const audience of ['officers', 'members', 'everybody'] as const) {
        const { id } = await published(clients.owner, { ...place, audience })
        const reached: string[] = []
        for (const [name, client] of Object.entries(clients)) {
          // Who is suspended is answered nothing.
          const { items } = (await current(client)) as Partial<Current>
          if (items?.some((one) => one.id === id)) reached.push(name)
          const mayRead = (await client.put(`${url}/${id}/read`, {})).status === 204
          expect(mayRead, `${name} reads ${audience} of ${JSON.stringify(place)}`).toBe(reached.includes(name))
        }
        expect(reached, `${audience} of ${JSON.stringify(place)}`).toEqual(expected[audience])
        expect((await clients.owner.get(`${url}/${id}`)).body).toMatchObject({ reached: reached.length, readers: reached.length })
        expect(await stranger.get(`${url}/${id}`)).toMatchObject({ status: 404 })
      }
  })

  test('who writes for a place is told beforehand how many it would reach there, and is offered no other place', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
  }) => {
    const { west, east, groupId, clients } = await cast({ org: await organisation(), api, person }, chapter, admin)
    const reach = async (client: Client, query: string) => {
      const { status, body } = await client.get(`${url}/reach?${query}`)
      return status === 200 ? (body as { reached: number }).reached : status
    }
    expect(await reach(clients.owner, 'audience=everybody')).toBe(10)
    expect(await reach(clients.officer, `chapterId=${west}&audience=members`)).toBe(4)
    expect(await reach(clients.leader, `groupId=${groupId}&audience=officers`)).toBe(1)
    for (const elsewhere of ['audience=members', `chapterId=${east}&audience=members`])
      expect(await reach(clients.officer, elsewhere)).toBe(403)
    expect(await reach(clients.leader, `chapterId=${west}&audience=members`)).toBe(403)
    expect(await reach(clients.west, `chapterId=${west}&audience=members`)).toBe(403)
    expect(await reach(clients.owner, `chapterId=${west}&groupId=${groupId}&audience=members`)).toBe(422)

    const filter = encodeURIComponent(JSON.stringify({ and: [{ or: [{ field: 'messages', op: 'is', value: true }] }] }))
    const places = async (client: Client) => {
      const [chapters, groups] = await Promise.all([
        client.get(`/data/chapters?filter=${filter}`),
        client.get(`/data/groups?filter=${filter}`),
      ])
      return [chapters, groups].flatMap(({ body }) => (body as { items: { name: string }[] }).items.map(({ name }) => name))
    }
    expect((await places(clients.owner)).length).toBeGreaterThan(4)
    expect(await places(clients.officer)).toEqual(['Below', 'West', 'Choir'])
    expect(await places(clients.leader)).toEqual(['Choir'])
    expect(await places(clients.west)).toEqual([])
  })

  test('whoever it does not concern is not told that it exists, nor anybody of a draft or an archived one', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
  }) => {
    const org = await organisation()
    const { west, clients } = await cast({ org, api, person }, chapter, admin)
    const sees = async (client: Client, { id }: Announcement) => {
      const listed = titles((await client.get(url)).body).length
      const { status } = await client.get(`${url}/${id}`)
      expect([200, 404]).toContain(status)
      expect(listed).toBe(status === 200 ? 1 : 0)
      return status === 200
    }
    const draft = await drafted(clients.officer, { chapterId: west })
    expect([await sees(clients.officer, draft), await sees(clients.west, draft), await sees(clients.east, draft)]).toEqual([
      true,
      false,
      false,
    ])
    const later = (await act(clients.officer, draft, 'publish', { startsAt: inDays(2) })).body as Announcement
    expect(later).toMatchObject({ state: 'scheduled' })
    expect(await sees(clients.west, later)).toBe(false)
    expect((await current(clients.west)).nextChangeAt).toBeNull()
    const shown = (await act(clients.officer, later, 'publish', { startsAt: null })).body as Announcement
    expect(shown).toMatchObject({ state: 'shown', mine: { readAt: null } })
    expect([await sees(clients.west, shown), await sees(clients.east, shown)]).toEqual([true, false])
    const archived = (await act(clients.officer, shown, 'archive')).body as Announcement
    expect(await clients.west.get(`${url}/${archived.id}`)).toMatchObject({ status: 404 })
    expect(await current(clients.west)).toMatchObject({ items: [], unread: 0 })
    expect(titles((await clients.officer.get(url)).body as Current)).toEqual([])
    const of = encodeURIComponent(JSON.stringify({ and: [{ or: [{ field: 'archived', op: 'is', value: true }] }] }))
    expect(titles((await clients.officer.get(`${url}?filter=${of}`)).body as Current)).toEqual(['News'])
  })
})

describe('who writes', () => {
  test('officers write for their chapter and those below, leaders for their group, and publishing is a right of its own', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
  }) => {
    const org = await organisation()
    const { west, below, east, groupId, clients } = await cast({ org, api, person }, chapter, admin)
    const tries = async (client: Client, place: Place) => (await client.post(url, { title: 'News', ...place })).status
    const all: Place[] = [{}, { chapterId: west }, { chapterId: below }, { chapterId: east }, { groupId }]
    const statuses = async (client: Client) => Promise.all(all.map((place) => tries(client, place)))
    expect(await statuses(clients.owner)).toEqual([201, 201, 201, 201, 201])
    expect(await statuses(clients.officer)).toEqual([403, 201, 201, 403, 201])
    expect(await statuses(clients.leader)).toEqual([403, 403, 403, 403, 201])
    expect((await statuses(clients.west)).every((status) => status === 403 || status === 422)).toBe(true)

    // Moved out of reach it would be somebody else's.
    const mine = await drafted(clients.officer, { chapterId: west })
    expect(await clients.officer.patch(`${url}/${mine.id}`, { chapterId: east }, match(mine.version))).toMatchObject({ status: 403 })

    await admin.query(`insert into app.roles (org_id, key, name, custom) values ($1, 'writer', 'Writer', true)`, [org.id])
    await admin.query(
      `insert into app.role_permissions (org_id, role_id, permission) select org_id, id, 'messages.write' from app.roles where org_id = $1 and key = 'writer'`,
      [org.id],
    )
    const writer = api.as(await person({ org, chapterId: west, grants: [{ role: 'writer', chapterId: west }] }))
    const draft = await drafted(writer, { chapterId: west })
    expect(draft).toMatchObject({ may: { edit: true, publish: false } })
    expect(await act(writer, draft, 'publish')).toMatchObject({ status: 403 })
    const shown = (await act(clients.officer, draft, 'publish')).body as Announcement
    for (const attempt of [
      () => writer.patch(`${url}/${shown.id}`, { title: 'Other' }, match(shown.version)),
      () => act(writer, shown, 'end'),
      () => act(writer, shown, 'archive'),
    ])
      expect(await attempt()).toMatchObject({ status: 403 })
  })

  test('dates and states follow each other', async ({ api, organisation, person }) => {
    const owner = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
    const refused = (reason: string) => ({ body: { reason } })
    expect(await owner.post(url, { title: 'x', startsAt: inDays(2), endsAt: inDays(1) })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'endsAt', code: 'announcement_ends' }] },
    })
    const over = await drafted(owner, { endsAt: inDays(-1) })
    expect(await act(owner, over, 'publish')).toMatchObject({ status: 422, ...refused('announcement_ends') })
    const draft = await drafted(owner, { startsAt: inDays(1), endsAt: inDays(3) })
    expect(await owner.patch(`${url}/${draft.id}`, { endsAt: inDays(0.5) }, match(draft.version))).toMatchObject({ status: 422 })
    expect(await act(owner, draft, 'end')).toMatchObject({ status: 409, ...refused('announcement_not_shown') })
    const scheduled = (await act(owner, draft, 'publish')).body as Announcement
    expect(scheduled).toMatchObject({ state: 'scheduled', startsAt: expect.stringContaining(inDays(1).slice(0, 10)) })
    expect((await current(owner)).nextChangeAt).not.toBeNull()
    expect(await owner.patch(`${url}/${scheduled.id}`, { startsAt: null }, match(scheduled.version))).toMatchObject({ status: 422 })
    const again = (await act(owner, scheduled, 'unpublish')).body as Announcement
    expect(again).toMatchObject({ state: 'draft', publishedAt: null })
    const shown = (await act(owner, again, 'publish', { startsAt: null })).body as Announcement
    expect(shown).toMatchObject({ state: 'shown' })
    expect(await act(owner, shown, 'unpublish')).toMatchObject({ status: 409, ...refused('announcement_seen') })
    expect(await act(owner, shown, 'publish')).toMatchObject({ status: 409, ...refused('announcement_published') })
    const ended = (await act(owner, shown, 'end')).body as Announcement
    expect(ended).toMatchObject({ state: 'over' })
    expect(await current(owner)).toMatchObject({ items: [], unread: 0 })
    const archived = (await act(owner, ended, 'archive')).body as Announcement
    expect(await owner.patch(`${url}/${archived.id}`, { title: 'x' }, match(archived.version))).toMatchObject({ status: 409 })
    expect(await act(owner, archived, 'restore')).toMatchObject({ status: 200, body: { state: 'over' } })
  })

  test('hostile texts are refused or stay words, and nobody mentions whom they do not see', async ({ api, organisation, person }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
    const content = hostile.tags.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
    const kept = await drafted(owner, { body: { type: 'doc', content } })
    expect(plainTextOf(kept.body)).toContain('<script>alert(1)</script>')
    const linked = (href: string) => ({
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] }],
    })
    for (const href of hostile.links) expect(await owner.post(url, { title: 'x', body: linked(href) }), href).toMatchObject({ status: 422 })
    for (const [name, body] of hostile.documents) {
      // What JSON.stringify itself cannot walk cannot be sent.
      if (name === '100,000 levels') continue
      const { status } = await owner.post(url, { title: 'x', body })
      expect([400, 413, 422], name).toContain(status)
    }
    const elsewhere = await person({ org: await organisation() })
    const mention = { type: 'mention', attrs: { personId: elsewhere.personId } }
    const body = { type: 'doc', content: [{ type: 'paragraph', content: [mention] }] }
    expect(await owner.post(url, { title: 'x', body })).toMatchObject({ status: 422, body: { errors: [{ code: 'mention_not_found' }] } })
  })
})

describe('reading', () => {
  test('what was read is not unread any more; a pinned one stays until it is dismissed', async ({ api, organisation, person }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    const reader = api.as(await person({ org }))
    const plain = await published(owner, { title: 'Plain', body: documentOf('Words') })
    const pinned = await published(owner, { title: 'Pinned', pinned: true })
    expect(await current(reader)).toMatchObject({ unread: 2, items: [{ title: 'Pinned' }, { title: 'Plain', body: documentOf('Words') }] })
    for (const { id } of [plain, plain, pinned]) expect(await reader.put(`${url}/${id}/read`, {})).toMatchObject({ status: 204 })
    const after = await current(reader)
    expect([titles(after), after.unread]).toEqual([['Pinned'], 0])
    // How many, for those who look after it; nobody learns who.
    expect((await owner.get(`${url}/${plain.id}`)).body).toMatchObject({ readers: 1, reached: 2 })
    expect((await reader.get(`${url}/${plain.id}`)).body).toMatchObject({
      readers: null,
      reached: null,
      mine: { readAt: expect.any(String) },
    })
    await reader.put(`${url}/${pinned.id}/read`, { dismissed: true })
    expect(await current(reader)).toMatchObject({ items: [], unread: 0 })
    await reader.put(`${url}/${pinned.id}/read`, {})
    expect(await current(reader)).toMatchObject({ items: [] })
    expect(titles((await reader.get(url)).body as Current).toSorted()).toEqual(['Pinned', 'Plain'])
    const listed = (await owner.get(`${url}?sort=title`)).body as { items: Announcement[] }
    expect(listed.items.map(({ readers }) => readers)).toEqual([1, 1])
  })

  test('what an account has read goes with the account', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
    const reader = await person({ org })
    const { id } = await published(owner)
    await api.as(reader).put(`${url}/${id}/read`, {})
    const reads = async () => (await admin.query('select from app.announcement_reads where announcement_id = $1', [id])).rowCount
    expect(await reads()).toBe(1)
    await admin.query('delete from app.accounts where person_id = $1', [reader.personId])
    expect(await reads()).toBe(0)
  })

  test('everybody is told live that announcements changed, and one’s other devices what was read', async ({
    api,
    organisation,
    person,
    variant,
  }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
    const member = await person({ org })
    const { app } = await variant({})
    const stream = await follow(await app.listen({ port: 0 }), member.token)
    const told = (events: { type: string }[]) => events.filter(({ type }) => type === 'announcements').length
    await stream.until(({ type }) => type === 'ready')
    const { id } = await published(owner)
    expect(await stream.until(({ type }) => type === 'announcements')).not.toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const before = told(stream.events)
    await api.as(member).put(`${url}/${id}/read`, {})
    await expect.poll(() => told(stream.events), { timeout: 10_000 }).toBeGreaterThan(before)
    stream.leave()
  })
})
