import type { Person, PersonRow } from '@guildhall/contract/features/people'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

const enter = async (client: Client, body: object) => {
  const answer = await client.post('/data/people', body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Person
}
const read = async (client: Client, id: string) => (await client.get(`/data/people/${id}`)).body as Person
const rows = async (client: Client, query = '') => ((await client.get(`/data/people${query}`)).body as { items: PersonRow[] }).items
const names = async (client: Client, query = '') => (await rows(client, query)).map((row) => row.displayName)
const full = {
  emails: [{ address: 'hidden@x.org' }, { address: 'open@x.org', visibleTo: 'members' }],
  phones: [{ number: '+4930901820' }],
  contact: { city: 'Bern', street: 'Gasse 1' },
  private: { birthDate: '1980-01-01' },
  officeNote: 'secret',
}

test('owner and administrator see and change everything', async ({ api, organisation, person }) => {
  const org = await organisation()
  for (const role of ['org-owner', 'org-admin']) {
    const boss = api.as(await person({ org, idpRoles: [role], chapterId: null }))
    const made = await enter(boss, { familyName: role, ...full, chapterId: org.rootChapterId })
    expect(await read(boss, made.id)).toMatchObject({
      officeNote: 'secret',
      contact: { street: 'Gasse 1' },
      may: { edit: true, seeSensitive: true, editSensitive: true, appoint: true },
    })
    expect((await boss.patch(`/data/people/${made.id}/private`, { gender: 'x' })).body).toMatchObject({
      gender: 'x',
      birthDate: '1980-01-01',
    })
    expect((await boss.put(`/data/people/${made.id}/office-note`, { note: '' })).body).toEqual({ note: '' })
  }
})

test('a member sees the directory, of contact data what is open to members, and nothing private; and changes nobody', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const made = await enter(boss, { familyName: 'Seen', ...full, chapterId: org.rootChapterId })
  const member = api.as(await person({ org }))
  const seen = await read(member, made.id)
  expect(seen.emails.map((email) => email.address)).toEqual(['open@x.org'])
  expect(seen).toMatchObject({
    phones: [],
    contact: null,
    private: null,
    officeNote: null,
    may: { edit: false, editSelf: false, seeContact: false, editContact: false, seeSensitive: false, archive: false, appoint: false },
  })
  expect(await rows(member, '?q=seen&columns=primaryEmail,primaryPhone,city')).toMatchObject([
    { primaryEmail: 'open@x.org', primaryPhone: null, city: '' },
  ])
  // What is hidden is not found by searching or filtering for it either.
  expect(await names(member, '?q=hidden@x')).toEqual([])
  expect(await names(member, '?q=open@x')).toEqual(['Seen'])
  expect(await names(member, '?q=90182')).toEqual([])
  const byEmail = encodeURIComponent(
    JSON.stringify({
      and: [
        {
          or: [
            { field: 'email', op: 'contains', value: 'hidden' },
            { field: 'city', op: 'is', value: 'bern' },
            { field: 'hasPhone', op: 'is', value: true },
          ],
        },
      ],
    }),
  )
  expect(await names(member, `?filter=${byEmail}`)).toEqual([])
  const url = `/data/people/${made.id}`
  const tries = [
    await member.patch(url, { familyName: 'X' }, { 'if-match': '"1"' }),
    await member.del(url),
    await member.post(`${url}/emails`, { address: 'a@b.org' }),
    await member.patch(`${url}/emails/${seen.emails[0]?.id}`, { label: 'x' }),
    await member.del(`${url}/emails/${seen.emails[0]?.id}`),
    await member.patch(`${url}/contact`, { city: 'X' }),
    await member.patch(`${url}/private`, { gender: 'x' }),
    await member.put(`${url}/office-note`, { note: 'x' }),
    await member.put(`${url}/tags`, { tagIds: [] }),
    await member.post(`${url}/memberships`, { chapterId: org.rootChapterId, startsOn: '1999-01-01' }),
    await member.del(`${url}/memberships/${seen.memberships[0]?.id}`),
    await member.post('/data/people', { familyName: 'X', chapterId: org.rootChapterId }),
  ]
  expect(tries.map((answer) => answer.status)).toEqual(tries.map(() => 403))
  expect(await read(boss, made.id)).toMatchObject({ familyName: 'Seen', version: 1 })
})

test('people keep their own page up to date, but not what the office keeps', async ({ api, organisation, person }) => {
  const org = await organisation()
  const me = await person({ org, familyName: 'Self' })
  const self = api.as(me)
  const url = `/data/people/${me.personId}`
  expect(await read(self, me.personId ?? '')).toMatchObject({
    may: { edit: false, editSelf: true, seeContact: true, editContact: true, editSensitive: true },
  })
  expect(await self.patch(url, { preferredName: 'Sam', pronouns: 'they', employer: 'Acme' }, { 'if-match': '"1"' })).toMatchObject({
    status: 200,
    body: { displayName: 'Sam Self' },
  })
  for (const change of [{ familyName: 'X' }, { memberNo: '1' }, { lifecycle: 'former' }, { joinedOn: '2000-01-01' }, { gradYear: 2000 }])
    expect([change, (await self.patch(url, change, { 'if-match': '"2"' })).status]).toEqual([change, 403])
  expect((await self.post(`${url}/emails`, { address: 'me@x.org' })).status).toBe(201)
  expect((await self.patch(`${url}/contact`, { city: 'Basel' })).body).toMatchObject({ city: 'Basel', street: '' })
  expect((await self.patch(`${url}/private`, { birthDate: '1990-01-01' })).body).toMatchObject({ birthDate: '1990-01-01' })
  expect((await self.del(url)).status).toBe(403)
  expect(((await self.get(`${url}/history`)).body as { items: unknown[] }).items.length).toBeGreaterThan(2)
})

test('an officer sees contact data and edits in the own chapter and below, not beside or above', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const below = await chapter(org, 'Below', west)
  const east = await chapter(org, 'East')
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const made: Record<string, Person> = {}
  for (const [name, chapterId] of [
    ['West', west],
    ['Below', below],
    ['East', east],
    ['Root', org.rootChapterId],
  ] as const)
    made[name] = await enter(boss, { familyName: name, chapterId, ...full, emails: [{ address: `${name}@x.org` }] })
  for (const [name, within] of [
    ['West', true],
    ['Below', true],
    ['East', false],
    ['Root', false],
  ] as const) {
    const id = made[name]?.id ?? ''
    const seen = await read(officer, id)
    expect([name, seen.may.edit, seen.emails.length, seen.contact !== null, seen.private]).toEqual([
      name,
      within,
      within ? 1 : 0,
      within,
      null,
    ])
    expect((await officer.patch(`/data/people/${id}`, { employer: 'E' }, { 'if-match': '"1"' })).status).toBe(within ? 200 : 403)
    expect((await officer.post(`/data/people/${id}/phones`, { number: '+41446681800' })).status).toBe(within ? 201 : 403)
    expect((await officer.patch(`/data/people/${id}/private`, { gender: 'x' })).status).toBe(403)
    expect((await officer.put(`/data/people/${id}/office-note`, { note: 'x' })).status).toBe(403)
    expect(
      (await officer.post(`/data/people/${id}/memberships`, { chapterId: below, kind: 'friend', startsOn: '2001-01-01' })).status,
    ).toBe(within ? 201 : 403)
    expect(await names(officer, `?q=${name}@x`)).toEqual(within ? [name] : [])
  }
  expect((await officer.post('/data/people', { familyName: 'New', chapterId: below, emails: [{ address: 'n@x.org' }] })).status).toBe(201)
  expect((await officer.post('/data/people', { familyName: 'New', chapterId: east })).status).toBe(403)
  expect(await officer.post('/data/people', { familyName: 'New' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'chapterId' }] },
  })
  expect((await officer.post(`/data/people/${made['West']?.id}/memberships`, { chapterId: east })).status).toBe(403)
  expect((await officer.del(`/data/people/${made['Below']?.id}`)).status).toBe(204)
  expect((await officer.del(`/data/people/${made['East']?.id}`)).status).toBe(403)
})

test('an office that ended yesterday, or begins tomorrow, gives nothing today; one that ends today still counts', async ({
  api,
  organisation,
  person,
  chapter,
  admin,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const made = await enter(boss, { familyName: 'Subject', chapterId: west, ...full })
  for (const [starts, ends, counts] of [
    ['current_date - 100', 'current_date - 1', false],
    ['current_date + 1', 'null', false],
    ['current_date - 100', 'current_date', true],
    ['current_date', 'null', true],
  ] as const) {
    const holder = await person({ org })
    const position = await admin.query<{ id: string }>(
      `insert into app.positions (org_id, chapter_id, title, role_id) select $1, $2, $3, r.id from app.roles r where r.org_id = $1 and r.key = 'chapter-admin' returning id`,
      [org.id, west, `Chair ${starts} ${ends}`],
    )
    await admin.query(
      `insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) values ($1, $2, $3, ${starts}, ${ends})`,
      [org.id, position.rows[0]?.id, holder.personId],
    )
    const client = api.as(holder)
    const seen = await read(client, made.id)
    expect([starts, ends, seen.may.edit, seen.phones.length]).toEqual([starts, ends, counts, counts ? 1 : 0])
    expect((await client.patch(`/data/people/${made.id}/contact`, { city: 'X' })).status).toBe(counts ? 200 : 403)
  }
  const former = api.as(
    await person({ org, chapterId: null, grants: [{ role: 'org-admin', startsOn: '2020-01-01', endsOn: '2020-12-31' }] }),
  )
  expect(await names(former)).toEqual([])
})

test('who leads a group sees how to reach its members, and nobody else', async ({ api, organisation, person, admin }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const inside = await enter(boss, { familyName: 'Inside', chapterId: org.rootChapterId, ...full })
  const outside = await enter(boss, { familyName: 'Outside', chapterId: org.rootChapterId, ...full })
  const me = await person({ org })
  const group = (await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Choir') returning id`, [org.id]))
    .rows[0]?.id
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id, role) values ($1, $2, $3, 'leader'), ($1, $2, $4, 'member')`,
    [org.id, group, me.personId, inside.id],
  )
  const leader = api.as(me)
  expect(await read(leader, inside.id)).toMatchObject({
    emails: [{ address: 'hidden@x.org' }, { address: 'open@x.org' }],
    phones: [{}],
    private: null,
    may: { seeContact: true, edit: false, editContact: false },
  })
  expect((await read(leader, outside.id)).phones).toEqual([])
  expect(await names(leader, '?q=hidden@x')).toEqual(['Inside'])
  expect((await leader.patch(`/data/people/${inside.id}/contact`, { city: 'X' })).status).toBe(403)
})

test('guests see themselves at most; suspended people get nothing', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const made = await enter(boss, { familyName: 'Seen', chapterId: org.rootChapterId })
  const guest = api.as(await person({ org, chapterId: null }))
  expect(await names(guest)).toEqual([])
  expect(await names(guest, '?q=seen')).toEqual([])
  for (const url of ['', '/overview', '/history', '/memberships', '/positions'])
    expect((await guest.get(`/data/people/${made.id}${url}`)).status).toBe(404)
  expect((await guest.post('/data/people', { familyName: 'X', chapterId: org.rootChapterId })).status).toBe(403)
  await boss.post('/data/tags', { name: 'Choir' })
  expect((await guest.get('/data/tags')).body).toEqual({ items: [] })
  const suspended = api.as(await person({ org, status: 'suspended', idpRoles: ['org-owner'] }))
  expect((await suspended.get('/data/people')).status).toBe(403)
  expect((await suspended.get(`/data/people/${made.id}`)).status).toBe(403)
})

test('minors are hidden from everybody but themselves and those entrusted with them', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const minor = await enter(boss, {
    familyName: 'Minor',
    chapterId: west,
    private: { birthDate: `${new Date().getUTCFullYear() - 10}-01-01` },
  })
  expect(minor.isMinor).toBe(true)
  const clients = {
    member: api.as(await person({ org })),
    officer: api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })),
    guardianElsewhere: api.as(await person({ org, grants: [{ role: 'safeguarding', chapterId: await chapter(org, 'East') }] })),
  }
  for (const [who, client] of Object.entries(clients)) {
    expect([who, (await client.get(`/data/people/${minor.id}`)).status]).toEqual([who, 404])
    expect([who, await names(client, '?q=minor')]).toEqual([who, []])
    expect([who, (await names(client)).includes('Minor')]).toEqual([who, false])
  }
  const guardian = api.as(await person({ org, grants: [{ role: 'safeguarding', chapterId: west }] }))
  expect(await read(guardian, minor.id)).toMatchObject({ isMinor: true, officeNote: '', may: { seeSensitive: true } })
  expect(await names(guardian, '?q=minor')).toEqual(['Minor'])
  expect(await names(boss, '?q=minor')).toEqual(['Minor'])
})

test('where the directory reaches the own chapters only, a member finds nobody beyond them', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation({ directoryReach: 'chapter' })
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const east = await chapter(org, 'East')
  await enter(boss, { familyName: 'Westie', chapterId: west, ...full })
  const beyond = await enter(boss, { familyName: 'Eastie', chapterId: east, ...full })
  const member = api.as(await person({ org, chapterId: west, familyName: 'Me' }))
  expect((await names(member)).toSorted()).toEqual(['Test Me', 'Westie'])
  expect(await names(member, '?q=stie')).toEqual(['Westie'])
  expect((await member.get(`/data/people/${beyond.id}`)).status).toBe(404)
  expect(await names(member, '?q=open@x')).toEqual([])
})

test('likely duplicates are told to those who enter people', async ({ api, organisation, person }) => {
  const org = await organisation()
  const officer = api.as(await person({ org, chapterId: null, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const asked = { familyName: 'Person' }
  expect((await officer.post('/data/people/duplicates', asked)).status).toBe(200)
  expect((await api.as(await person({ org })).post('/data/people/duplicates', asked)).status).toBe(403)
})

const match = (version: number) => ({ 'if-match': `"${version}"` })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
type Membership = { id: string; version: number }

test('an officer does not bring back who left, nor take in who never belonged there', async ({ api, organisation, chapter, person }) => {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const boss = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const left = await enter(boss, { familyName: 'Left', emails: [{ address: 'left@x.org' }], chapterId: west })
  const [membership] = left.memberships
  const url = `/data/people/${left.id}/memberships`
  expect(await boss.patch(`${url}/${membership?.id}`, { startsOn: '2020-01-01', endsOn: day(-1) }, match(1))).toMatchObject({ status: 200 })

  const refused = { status: 403, body: { reason: 'affiliations_reach', detail: expect.stringContaining('Ask an administrator') } }
  for (const change of [{ endsOn: null }, { endsOn: day(0) }, { kind: 'friend', endsOn: day(30) }, { startsOn: day(-1), endsOn: null }])
    expect(await officer.patch(`${url}/${membership?.id}`, change, match(2))).toMatchObject(refused)
  for (const kind of ['member', 'friend', 'applicant']) expect(await officer.post(url, { chapterId: west, kind })).toMatchObject(refused)
  const stranger = await enter(boss, { familyName: 'Stranger', emails: [{ address: 'far@x.org' }], chapterId: east })
  expect(await officer.post(`/data/people/${stranger.id}/memberships`, { chapterId: west, kind: 'friend' })).toMatchObject(refused)
  for (const { id } of [left, stranger])
    expect(await read(officer, id)).toMatchObject({ emails: [], may: { edit: false, seeContact: false, editContact: false } })
  const bulk = { selection: { ids: [left.id, stranger.id] }, change: { do: 'affiliate', chapterId: west, kind: 'friend' } }
  expect(await officer.post('/actions/people/bulk', bulk)).toMatchObject({ body: { counts: { changed: 0, refused: 2 } } })

  // What opens nothing stays theirs to correct; and an administrator brings the person back.
  expect(await officer.patch(`${url}/${membership?.id}`, { startsOn: '2019-01-01' }, match(2))).toMatchObject({ status: 200 })
  expect(await boss.patch(`${url}/${membership?.id}`, { endsOn: null }, match(3))).toMatchObject({ status: 200 })
  expect(await read(officer, left.id)).toMatchObject({ emails: [{ address: 'left@x.org' }], may: { edit: true } })
})

test('an officer enters people, adds theirs to other chapters of theirs, and prolongs what runs', async ({
  api,
  organisation,
  chapter,
  person,
}) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const leaf = await chapter(org, 'Leaf', west)
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const made = await enter(officer, { familyName: 'New', chapterId: west })
  const url = `/data/people/${made.id}/memberships`
  const second = await officer.post(url, { chapterId: leaf, kind: 'friend', endsOn: day(5) })
  expect(second).toMatchObject({ status: 201 })
  const { id } = second.body as Membership
  expect(await officer.patch(`${url}/${id}`, { endsOn: null, kind: 'advisor' }, match(1))).toMatchObject({ status: 200 })
  expect(await officer.patch(`${url}/${id}`, { endsOn: day(0) }, match(2))).toMatchObject({ status: 200 })
  expect(await officer.patch(`${url}/${id}`, { endsOn: null }, match(3))).toMatchObject({ status: 200 })
})
