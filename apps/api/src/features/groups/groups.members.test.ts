import { documentOf } from '@guildhall/contract/formatted-document'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
type Made = { id: string; version: number }
type Row = { id: string; person: { id: string; displayName: string } }
const make = async (client: Client, group: Record<string, unknown>) =>
  `/data/groups/${((await client.post('/data/groups', group)).body as Made).id}`
const add = async (client: Client, url: string, who: TestPerson, more: Record<string, unknown> = {}) =>
  (await client.post(`${url}/members`, { personId: who.personId, ...more })).body as Made
const members = async (client: Client, url: string, query = '') =>
  ((await client.get(`${url}/members${query}`)).body as { items: Row[] }).items

describe('the roster', () => {
  test('is kept with role, title, side and rank; who leaves stays among the former', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(me, { name: 'Energy', kind: 'committee' })
    const [ada, ben, cleo] = [
      await person({ org, givenName: 'Ada' }),
      await person({ org, givenName: 'Ben' }),
      await person({ org, givenName: 'Cleo' }),
    ]
    const chair = await add(me, url, ada, { title: 'Chair', side: 'majority', rank: 1, role: 'leader' })
    await add(me, url, ben, { side: 'minority', rank: 2 })
    await add(me, url, cleo, { side: 'majority', rank: 3, startsOn: '2020-01-01' })
    expect((await members(me, url)).map(({ person }) => person.id)).toEqual([ada.personId, ben.personId, cleo.personId])
    expect((await members(me, url, '?side=majority&sort=-rank')).map(({ person }) => person.id)).toEqual([cleo.personId, ada.personId])
    expect((await members(me, url, '?q=chair')).map(({ person }) => person.id)).toEqual([ada.personId])
    expect((await members(me, url, '?role=leader')).length).toBe(1)
    expect(await me.get(url)).toMatchObject({ body: { members: 3, leaders: [{ id: ada.personId, title: 'Chair' }] } })
    expect(await me.patch(`${url}/members/${chair.id}`, { title: 'Chairwoman', startsOn: null }, match(1))).toMatchObject({
      status: 200,
      body: { title: 'Chairwoman', version: 2 },
    })
    expect(await me.patch(`${url}/members/${chair.id}`, { title: 'X' }, match(1))).toMatchObject({ status: 412 })
    expect(await me.patch(`${url}/members/${chair.id}`, { startsOn: '2026-02-01', endsOn: '2026-01-01' }, match(2))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'endsOn' }] },
    })
    expect(await me.del(`${url}/members/${chair.id}`)).toMatchObject({ status: 204 })
    expect(await me.del(`${url}/members/${chair.id}`)).toMatchObject({ status: 409, body: { reason: 'member_left' } })
    expect(await me.get(url)).toMatchObject({ body: { members: 2, leaders: [] } })
    expect(await me.get(`${url}/members?status=former`)).toMatchObject({
      body: { items: [{ title: 'Chairwoman', when: 'past', endsOn: day(0) }] },
    })
    expect(await me.post(`${url}/members`, { personId: ben.personId })).toMatchObject({ status: 409, body: { reason: 'already_member' } })
    expect(await me.post(`${url}/members`, { personId: ada.personId })).toMatchObject({ status: 201 })
  })

  test('is searched by names and titles, small or large, and wildcards are letters', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(me, { name: 'Choir' })
    const other = await make(me, { name: 'Chess' })
    const [ada, ben] = [await person({ org, givenName: 'Ada' }), await person({ org, givenName: 'Ben' })]
    await add(me, url, ada, { title: 'Benefactor' })
    await add(me, url, ben)
    await add(me, other, ben, { title: 'Adaptor' })
    const searched = async (q: string) =>
      (await members(me, url, `?sort=name&q=${encodeURIComponent(q)}`)).map(({ person }) => person.id).sort()
    for (const size of [2, 3_001]) {
      await admin.query('update app.group_counts set members = $2 where group_id = $1', [url.split('/').at(-1), size])
      expect(await searched('ben')).toEqual([ada.personId, ben.personId].sort())
      expect(await searched('FACTOR')).toEqual([ada.personId])
      expect(await searched('adap')).toEqual([])
      for (const nobody of ['%_%', '_', '%', '\\', 'zzq']) expect(await searched(nobody), nobody).toEqual([])
    }
  })

  test('answers who chaired what over all groups', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [ada, ben] = [await person({ org, givenName: 'Ada' }), await person({ org, givenName: 'Ben' })]
    const [energy, water, club] = [
      await make(me, { name: 'Energy', kind: 'committee' }),
      await make(me, { name: 'Water', kind: 'committee' }),
      await make(me, { name: 'Chess', kind: 'interest' }),
    ]
    await add(me, energy, ada, { title: 'Chairman', rank: 1 })
    await add(me, energy, ben, { title: 'Ranking Member' })
    await add(me, water, ben, { title: 'Vice Chairman' })
    await add(me, club, ada, { title: 'Chair' })
    await add(me, club, ben)
    const found = async (query: string) =>
      ((await me.get(`/data/group-memberships?${query}`)).body as { items: { group: { name: string }; title: string }[] }).items.map(
        ({ group, title }) => `${group.name}: ${title}`,
      )
    expect(await found('title=chair&kind=committee')).toEqual(['Energy: Chairman', 'Water: Vice Chairman'])
    expect(await found(`titled=true&personId=${ben.personId}`)).toEqual(['Energy: Ranking Member', 'Water: Vice Chairman'])
    expect(await found('q=energy&titled=true')).toEqual(['Energy: Chairman', 'Energy: Ranking Member'])
    const first = (await me.get('/data/group-memberships?title=chair&limit=2')).body as { nextCursor: string; total: number }
    expect(first.total).toBe(3)
    expect(await found(`title=chair&limit=2&cursor=${first.nextCursor}`)).toEqual(['Water: Vice Chairman'])
  })

  test('of another organisation takes none of our people', async ({ api, organisation, person }) => {
    const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
    const url = await make(me, { name: 'Ours' })
    const foreigner = await person({ org: await organisation() })
    expect(await me.post(`${url}/members`, { personId: foreigner.personId })).toMatchObject({
      status: 422,
      body: { reason: 'person_not_found' },
    })
  })
})

describe('joining', () => {
  test('is immediate in an open group, and leaving too', async ({ api, organisation, person }) => {
    const org = await organisation()
    const url = await make(api.as(await person({ org, idpRoles: ['org-admin'] })), { name: 'Choir', joinPolicy: 'open' })
    const me = api.as(await person({ org }))
    expect(await me.get(url)).toMatchObject({ body: { may: { join: 'join', leave: false } } })
    expect(await me.post(`${url}/join`)).toMatchObject({
      status: 200,
      body: { members: 1, mine: { status: 'active', startsOn: day(0) }, may: { join: null, leave: true } },
    })
    expect(await me.post(`${url}/join`)).toMatchObject({ status: 409, body: { reason: 'already_joined' } })
    expect(await me.post(`${url}/leave`)).toMatchObject({ status: 204 })
    expect(await me.post(`${url}/leave`)).toMatchObject({ status: 409, body: { reason: 'not_in_group' } })
    expect(await me.get(url)).toMatchObject({ body: { members: 0, mine: null } })
    expect(await me.post(`${url}/join`)).toMatchObject({ status: 200, body: { members: 1 } })
  })

  test('a full open group means waiting; the last place goes to one of two', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Boat', joinPolicy: 'open', capacity: 1 })
    const [a, b] = [api.as(await person({ org })), api.as(await person({ org }))]
    const both = await Promise.all([a.post(`${url}/join`), b.post(`${url}/join`)])
    expect(both.filter(({ body }) => (body as { mine?: { status: string } }).mine?.status === 'active')).toHaveLength(1)
    expect(await boss.get(url)).toMatchObject({ body: { members: 1 } })
    const third = api.as(await person({ org }))
    expect(await third.get(url)).toMatchObject({ body: { may: { join: 'wait' } } })
    expect(await third.post(`${url}/join`)).toMatchObject({ status: 200, body: { mine: { status: 'requested' } } })
    const [waiting] = await members(boss, url, '?status=requested')
    expect(await boss.post(`${url}/members/${waiting?.id}/approve`)).toMatchObject({ status: 409, body: { reason: 'group_members_full' } })
    expect(await boss.patch(url, { capacity: 5 }, match(1))).toMatchObject({ status: 200 })
    expect(await boss.post(`${url}/members/${waiting?.id}/approve`)).toMatchObject({ status: 200 })
  })

  test('on request waits for a leader, who approves or declines once', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Archive', joinPolicy: 'request' })
    const leaderPerson = await person({ org })
    await add(boss, url, leaderPerson, { role: 'leader' })
    const leader = api.as(leaderPerson)
    const [ada, ben] = [await person({ org, givenName: 'Ada' }), await person({ org, givenName: 'Ben' })]
    for (const someone of [ada, ben]) await api.as(someone).post(`${url}/join`)
    expect(await api.as(ada).post(`${url}/join`)).toMatchObject({ status: 409, body: { reason: 'already_requested' } })
    expect(await leader.get(url)).toMatchObject({ body: { requests: 2, may: { manageMembers: true } } })
    const [first, second] = await members(leader, url, '?status=requested&sort=name')
    expect(await api.as(ada).post(`${url}/members/${first?.id}/approve`)).toMatchObject({ status: 403 })
    expect(await leader.post(`${url}/members/${first?.id}/approve`)).toMatchObject({
      status: 200,
      body: { status: 'active', startsOn: day(0) },
    })
    expect(await leader.post(`${url}/members/${first?.id}/decline`)).toMatchObject({ status: 409, body: { reason: 'not_requested' } })
    expect(await leader.post(`${url}/members/${second?.id}/decline`)).toMatchObject({ status: 200, body: { status: 'declined' } })
    const declined = api.as(second?.person.id === ada.personId ? ada : ben)
    expect(await declined.post(`${url}/join`)).toMatchObject({ status: 200, body: { mine: { status: 'requested' } } })
  })

  test('by invitation is accepted by the invited alone', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Board', joinPolicy: 'invite' })
    const [ada, ben] = [await person({ org }), await person({ org })]
    expect(await api.as(ben).post(`${url}/join`)).toMatchObject({ status: 409, body: { reason: 'invite_only' } })
    await add(boss, url, ada, { status: 'invited' })
    expect(await api.as(ada).get(url)).toMatchObject({
      body: { members: 0, mine: { status: 'invited' }, may: { join: 'accept', leave: true } },
    })
    expect(await api.as(ada).post(`${url}/join`)).toMatchObject({ status: 200, body: { members: 1, mine: { status: 'active' } } })
  })

  test('an invitation that is withdrawn while it is being accepted lets nobody in', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Board', joinPolicy: 'invite' })
    const ada = await person({ org })
    await add(boss, url, ada, { status: 'invited' })
    const withdrawing = await admin.connect()
    try {
      const { rows } = await withdrawing.query<{ pid: number }>('select pg_backend_pid() as pid')
      await withdrawing.query('begin')
      await withdrawing.query(`update app.group_members set status = 'declined', ends_on = current_date where person_id = $1`, [
        ada.personId,
      ])
      const joining = api.as(ada).post(`${url}/join`)
      const isWaiting = async () =>
        (await admin.query(`select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))`, [rows[0]?.pid])).rowCount
      await expect.poll(isWaiting, { timeout: 20_000 }).toBeGreaterThan(0)
      await withdrawing.query('commit')
      expect(await joining).toMatchObject({ status: 409, body: { reason: 'not_invited' } })
    } finally {
      withdrawing.release()
    }
  })

  test('an archived group takes nobody in, and an account without a person joins nothing', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Old', joinPolicy: 'open', visibility: 'public' })
    expect(await api.as(await person({ org, chapterId: null })).post(`${url}/join`)).toMatchObject({
      status: 409,
      body: { reason: 'no_person' },
    })
    const someone = await person({ org })
    await boss.post(`${url}/archive`, {}, match(1))
    expect(await api.as(someone).post(`${url}/join`)).toMatchObject({ status: 409, body: { reason: 'group_archived' } })
    expect(await boss.post(`${url}/members`, { personId: someone.personId })).toMatchObject({
      status: 409,
      body: { reason: 'group_archived' },
    })
  })
})

describe('leading', () => {
  test('cannot be laid down by the last leader', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Crew' })
    const [ada, ben] = [await person({ org }), await person({ org })]
    await add(boss, url, ada, { role: 'leader' })
    const other = await add(boss, url, ben)
    expect(await api.as(ada).post(`${url}/leave`)).toMatchObject({
      status: 422,
      body: { reason: 'group_members_last_leader', detail: 'Name another leader first.' },
    })
    expect(await api.as(ada).patch(`${url}/members/${other.id}`, { role: 'leader' }, match(1))).toMatchObject({ status: 200 })
    expect(await api.as(ada).post(`${url}/leave`)).toMatchObject({ status: 204 })
  })

  test('is over the day after it ended, and does not reach other groups', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [url, other] = [await make(boss, { name: 'Crew' }), await make(boss, { name: 'Other' })]
    const ada = await person({ org })
    await add(boss, url, ada, { role: 'leader' })
    expect(await api.as(ada).patch(url, { about: documentOf('Ours') }, match(1))).toMatchObject({ status: 200 })
    expect(await api.as(ada).patch(other, { about: documentOf('Ours') }, match(1))).toMatchObject({ status: 403 })
    const [row] = await members(boss, url)
    await boss.patch(`${url}/members/${row?.id}`, { startsOn: '2020-01-01', endsOn: day(-1) }, match(1))
    expect(await api.as(ada).patch(url, { about: documentOf('Mine') }, match(2))).toMatchObject({ status: 403 })
  })

  test('does not open contact data of people who did not agree: they are invited, not added', async ({
    api,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const leader = await person({ org, chapterId: west })
    const stranger = await person({ org, email: 'private@example.org' })
    const url = await make(boss, { name: 'Crew' })
    await add(boss, url, leader, { role: 'leader' })
    const me = api.as(leader)
    expect(await me.post(`${url}/members`, { personId: stranger.personId })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Invite this person') },
    })
    const invited = await me.post(`${url}/members`, { personId: stranger.personId, status: 'invited' })
    expect(invited).toMatchObject({ status: 201, body: { status: 'invited' } })
    expect(await me.post(`${url}/members/${(invited.body as Made).id}/approve`)).toMatchObject({ status: 409 })
    expect(await api.as(stranger).post(`${url}/join`)).toMatchObject({ status: 200, body: { mine: { status: 'active' } } })
  })

  test('does not open contact data of people who left: they are invited again', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const leader = await person({ org, chapterId: west })
    const ada = await person({ org, email: 'ada@example.org' })
    const url = await make(boss, { name: 'Crew', joinPolicy: 'request' })
    await add(boss, url, leader, { role: 'leader' })
    const me = api.as(leader)
    const sees = async () =>
      ((await me.get(`/data/people/${ada.personId}`)).body as { emails: { address: string }[] }).emails.map(({ address }) => address)
    await api.as(ada).post(`${url}/join`)
    const { id } = (((await me.get(`${url}/members?status=requested`)).body as { items: Row[] }).items[0] ?? { id: '' }) as Row
    expect(await me.post(`${url}/members/${id}/approve`)).toMatchObject({ status: 200 })
    expect(await sees()).toEqual(['ada@example.org'])

    const refused = { status: 403, body: { reason: 'group_members_consent', detail: expect.stringContaining('Invite this person') } }
    const version = async () =>
      (await admin.query<{ version: number }>('select version from app.group_members where id = $1', [id])).rows[0]?.version ?? 0
    // Ended by a last day, which leaves the row as it was otherwise.
    await admin.query('update app.group_members set starts_on = current_date - 30, ends_on = current_date - 1 where id = $1', [id])
    expect(await sees()).toEqual([])
    for (const change of [{ endsOn: null }, { endsOn: day(9) }, { startsOn: day(0), endsOn: null, role: 'leader' }])
      expect(await me.patch(`${url}/members/${id}`, change, match(await version()))).toMatchObject(refused)
    expect(await me.post(`${url}/members`, { personId: ada.personId })).toMatchObject(refused)
    expect(await sees()).toEqual([])
    expect(await me.post(`${url}/members`, { personId: ada.personId, status: 'invited' })).toMatchObject({ status: 201 })
    expect(await sees()).toEqual([])
    expect(await api.as(ada).post(`${url}/join`)).toMatchObject({ status: 200 })
    expect(await sees()).toEqual(['ada@example.org'])
  })

  test('leaves place, code and reach of the group to those who manage groups there', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const leader = await person({ org, chapterId: west })
    const url = await make(boss, { name: 'Crew', chapterId: west, visibility: 'private' })
    const parentId = (await make(boss, { name: 'Parent', chapterId: east })).replace('/data/groups/', '')
    await add(boss, url, leader, { role: 'leader' })
    const me = api.as(leader)
    expect(await me.get(url)).toMatchObject({ body: { may: { edit: true, place: false } } })
    for (const change of [
      { chapterId: east },
      { chapterId: null },
      { parentId },
      { code: 'NEW' },
      { visibility: 'members' },
      { visibility: 'public' },
    ])
      expect(await me.patch(url, change, match(1))).toMatchObject({ status: 403, body: { reason: 'groups_reach' } })
    expect(await me.patch(url, { name: 'Our crew', about: documentOf('Ours'), visibility: 'secret' }, match(1))).toMatchObject({
      status: 200,
    })
    expect(await officer.get(url)).toMatchObject({ body: { may: { place: true } } })
    expect(await officer.patch(url, { parentId }, match(2))).toMatchObject({ status: 403, body: { reason: 'groups_reach_parent' } })
    expect(await officer.patch(url, { chapterId: east }, match(2))).toMatchObject({ status: 403 })
    expect(await officer.patch(url, { code: 'CREW', visibility: 'members' }, match(2))).toMatchObject({ status: 200 })
    expect(await boss.patch(url, { chapterId: east, parentId }, match(3))).toMatchObject({ status: 200 })
  })

  test('is not taken by editing one’s own membership', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = await make(boss, { name: 'Crew', joinPolicy: 'open' })
    const me = api.as(await person({ org }))
    await me.post(`${url}/join`)
    const [row] = await members(boss, url)
    for (const change of [{ role: 'leader' }, { role: 'leader', endsOn: '2099-01-01' }, { title: 'King' }, { endsOn: '2099-01-01' }]) {
      expect(await me.patch(`${url}/members/${row?.id}`, change, match(1))).toMatchObject({ status: 403 })
    }
  })
})
