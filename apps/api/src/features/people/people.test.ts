import type { HistoryEntry, Person } from '@guildhall/contract/features/people'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const enter = async (client: Client, person: Record<string, unknown>) => {
  const answer = await client.post('/data/people', person)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Person
}
const read = async (client: Client, personId: string) => (await client.get(`/data/people/${personId}`)).body as Person
const history = async (client: Client, personId: string, query = '') =>
  (await client.get(`/data/people/${personId}/history${query}`)).body as { items: HistoryEntry[]; nextCursor: string | null }
const code = (answer: { body: unknown }) => answer.body as { code: string; reason?: string; errors: { path: string }[] }

test('a person is entered with chapter, e-mails, telephones, address, private data and tags in one request', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const tag = (await owner.post('/data/tags', { name: 'Choir', color: 'green' })).body as { id: string }
  const answer = await owner.post('/data/people', {
    givenName: ' Ada ',
    familyName: 'Lovelace',
    formerNames: ['Byron'],
    memberNo: 'A-1',
    gradYear: 1990,
    chapterId: org.rootChapterId,
    startsOn: '2020-01-01',
    emails: [{ address: 'ada@work.org' }, { address: 'ada@home.org', isPrimary: true, visibleTo: 'members' }],
    phones: [{ number: '+49 30 901820' }],
    contact: { city: 'London', links: { mastodon: '@ada' } },
    private: { birthDate: '1970-12-10' },
    officeNote: 'Likes tea',
    tagIds: [tag.id],
  })
  expect(answer.status).toBe(201)
  expect(answer.headers['etag']).toBe('"1"')
  expect(answer.body).toMatchObject({
    displayName: 'Ada Lovelace',
    formerNames: ['Byron'],
    memberNo: 'A-1',
    homeChapter: { id: org.rootChapterId },
    isMinor: false,
    emails: [
      { address: 'ada@home.org', isPrimary: true, visibleTo: 'members' },
      { address: 'ada@work.org', isPrimary: false },
    ],
    phones: [{ number: '+4930901820', isPrimary: true }],
    contact: { city: 'London', country: '', links: { mastodon: '@ada' } },
    private: { birthDate: '1970-12-10', deceasedOn: null },
    officeNote: 'Likes tea',
    tags: [{ name: 'Choir', color: 'green' }],
    memberships: [{ kind: 'member', startsOn: '2020-01-01', endsOn: null, isPrimary: true, when: 'current', mayEdit: true }],
    may: { edit: true, editSelf: false, seeContact: true, editSensitive: true, archive: true, seeHistory: true },
  })
})

test('nothing of a person stays when a part of the request is wrong', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  await enter(owner, { familyName: 'First', memberNo: 'X1' })
  const cases: [Record<string, unknown>, number, string][] = [
    [{}, 422, 'familyName'],
    [{ givenName: '  ' }, 422, 'familyName'],
    [{ familyName: 'A', nonsense: 1 }, 400, ''],
    [{ familyName: 'A', memberNo: 'X1' }, 409, 'memberNo'],
    [{ familyName: 'A', gradYear: 1800 }, 422, 'gradYear'],
    [{ familyName: 'A', gradYear: '2000' }, 400, 'gradYear'],
    [{ familyName: 'A', emails: [{ address: 'nonsense' }] }, 422, 'emails.0.address'],
    [{ familyName: 'A', emails: [{ address: 'a@b.org' }, { address: 'A@B.org' }] }, 409, 'address'],
    [{ familyName: 'A', phones: [{ number: 'call me' }] }, 422, 'phones.0.number'],
    [{ familyName: 'A', private: { birthDate: '2999-01-01' } }, 422, 'birthDate'],
    [{ familyName: 'A', private: { birthDate: '1990-01-01', deceasedOn: '1980-01-01' } }, 422, 'deceasedOn'],
    [{ familyName: 'A', private: { birthDate: '1990-02-30' } }, 422, 'private.birthDate'],
    [{ familyName: 'A', chapterId: '01920000-0000-7000-8000-000000000001' }, 422, 'chapterId'],
    [{ familyName: 'A', chapterId: 'x' }, 422, 'chapterId'],
    [{ familyName: 'A', tagIds: ['01920000-0000-7000-8000-000000000001'] }, 422, 'tagIds'],
    [{ familyName: 'x'.repeat(101) }, 422, 'familyName'],
    [{ familyName: 'a\0b' }, 422, 'familyName'],
    [{ familyName: '\u200b\u200d' }, 422, 'familyName'],
    [{ familyName: '\0' }, 422, 'familyName'],
    [{ familyName: 'a\u202Eb' }, 422, 'familyName'],
    [{ familyName: 'a\nb' }, 422, 'familyName'],
    [{ familyName: 'A', contact: { links: { 'chat\u2066': 'x' } } }, 400, 'contact.links.chat\u2066'],
    [{ familyName: 'A', emails: [{ address: 'a@b.example?bcc=x%40y.example' }] }, 422, 'emails.0.address'],
    [{ familyName: 'a\ud800b' }, 422, 'familyName'],
    [{ familyName: 'A', lifecycle: 'erased' }, 422, 'lifecycle'],
    [{ familyName: 'A', contact: { website: 'javascript:alert(1)' } }, 422, 'contact.website'],
  ]
  for (const [body, status, path] of cases) {
    const answer = await owner.post('/data/people', body)
    expect([body, answer.status, code(answer).errors[0]?.path ?? '']).toEqual([body, status, path])
  }
  expect(((await owner.get('/data/people')).body as { total: number }).total).toBe(1)
})

test('names of every kind are kept as they were written', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const familyName of [
    "O'Brien",
    'Null',
    '<script>alert(1)</script>',
    '=1+1',
    'َأحمد',
    '山田',
    '👩‍👩‍👧',
    'می‌خواهم',
    'x'.repeat(100),
    '"; --',
    'ﬀ',
    'Ǆ',
  ]) {
    const made = await enter(owner, { familyName })
    expect((await read(owner, made.id)).familyName).toBe(familyName.normalize('NFC'))
  }
})

test('only the version that was read can be changed; a stale change gets the present state', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const made = await enter(owner, { familyName: 'Before' })
  const url = `/data/people/${made.id}`
  expect((await owner.patch(url, { familyName: 'X' })).status).toBe(428)
  expect((await owner.patch(url, { familyName: 'X' }, { 'if-match': 'abc' })).status).toBe(400)
  const changed = await owner.patch(url, { familyName: 'After', memberNo: '', gradYear: null }, { 'if-match': '"1"' })
  expect(changed.body).toMatchObject({ familyName: 'After', displayName: 'After', version: 2, memberNo: null })
  expect(changed.headers['etag']).toBe('"2"')
  const stale = await owner.patch(url, { familyName: 'Late' }, { 'if-match': '"1"' })
  expect(stale.status).toBe(412)
  expect(stale.body).toMatchObject({ code: 'PRECONDITION_FAILED', current: { familyName: 'After', version: 2 } })
  expect((await owner.patch(url, {}, { 'if-match': '"2"' })).body).toMatchObject({ version: 2 })
  expect((await owner.patch(url, { familyName: '', givenName: '' }, { 'if-match': '"2"' })).status).toBe(422)
  const both = await Promise.all([1, 2, 3].map((n) => owner.patch(url, { employer: `E${n}` }, { 'if-match': '"2"' })))
  expect(both.map((answer) => answer.status).sort()).toEqual([200, 412, 412])
})

test('repeating a creation with its key makes one person', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const key = { 'idempotency-key': 'create-one-person' }
  const answers = await Promise.all([1, 2, 3].map(() => owner.post('/data/people', { familyName: 'Once' }, key)))
  expect(new Set(answers.map((answer) => (answer.body as Person).id)).size).toBe(1)
  expect(((await owner.get('/data/people')).body as { total: number }).total).toBe(1)
  expect((await owner.post('/data/people', { familyName: 'Other' }, key)).status).toBe(422)
})

test('repeating a creation is answered as before while the right stands, and to nobody whose right is gone', async ({
  api,
  admin,
  organisation,
  chapter,
  person,
}) => {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const officer = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
  const me = api.as(officer)
  const body = { familyName: 'Once', emails: [{ address: 'once@x.org' }], chapterId: west }
  const repeat = (key: string) => me.post('/data/people', body, { 'idempotency-key': key })
  const first = await repeat('first-of-them')
  expect(first).toMatchObject({ status: 201, body: { emails: [{ address: 'once@x.org' }] } })
  const again = await repeat('first-of-them')
  expect([again.status, again.body]).toEqual([201, first.body])
  const { id } = first.body as Person
  const count = async () => (await admin.query('select from app.people where org_id = $1 and family_name = $2', [org.id, 'Once'])).rowCount
  expect(await count()).toBe(1)

  // The person moved out of reach: what the directory shows is still told, what only officers see is not.
  await admin.query('update app.affiliations set starts_on = current_date - 9, ends_on = current_date - 1 where person_id = $1', [id])
  await admin.query('insert into app.affiliations (org_id, person_id, chapter_id, starts_on) values ($1, $2, $3, current_date - 9)', [
    org.id,
    id,
    east,
  ])
  expect(await repeat('first-of-them')).toMatchObject({ status: 201, body: { id, emails: [], may: { edit: false, seeContact: false } } })
  await admin.query(`update app.organisations set directory_reach = 'chapter' where org_id = $1`, [org.id])
  expect(await repeat('first-of-them')).toMatchObject({ status: 404 })

  const second = await repeat('second-of-them')
  expect(second).toMatchObject({ status: 201 })
  await admin.query('update app.grants set ends_on = current_date - 1 where account_id = $1', [officer.accountId])
  const refused = await repeat('second-of-them')
  expect(refused.status).toBe(403)
  expect(refused.text).not.toContain('once@x.org')
  expect(await count()).toBe(2)
})

test('without a valid sign-in nothing answers', async ({ api }) => {
  const nobody = api.as(null)
  const id = '01920000-0000-7000-8000-000000000001'
  for (const url of ['/data/people', `/data/people/${id}`, `/data/people/${id}/history`, '/data/tags'])
    expect((await nobody.get(url)).status).toBe(401)
  expect((await nobody.post('/data/people', { familyName: 'A' })).status).toBe(401)
  expect((await nobody.post('/actions/people/bulk', {})).status).toBe(401)
})

test('people of another organisation do not exist', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const made = await enter(owner, { familyName: 'Ours', memberNo: '1', emails: [{ address: 'a@b.org' }] })
  const stranger = api.as(await person({ idpRoles: ['org-owner'] }))
  const url = `/data/people/${made.id}`
  const missing = await stranger.get('/data/people/01920000-0000-7000-8000-00000000ffff')
  const answers = [
    await stranger.get(url),
    await stranger.get(`${url}/overview`),
    await stranger.get(`${url}/history`),
    await stranger.get(`${url}/memberships`),
    await stranger.get(`${url}/positions`),
    await stranger.get(`${url}/neighbours`),
    await stranger.patch(url, { familyName: 'X' }, { 'if-match': '"1"' }),
    await stranger.del(url),
    await stranger.post(`${url}/restore`),
    await stranger.post(`${url}/emails`, { address: 'x@y.org' }),
    await stranger.del(`${url}/emails/${made.emails[0]?.id}`),
    await stranger.put(`${url}/tags`, { tagIds: [] }),
    await stranger.patch(`${url}/contact`, { city: 'X' }),
    await stranger.patch(`${url}/private`, { gender: 'x' }),
    await stranger.put(`${url}/office-note`, { note: 'x' }),
    await stranger.post(`${url}/memberships`, { chapterId: org.rootChapterId }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404))
  const { requestId: _a, ...theirs } = answers[0]?.body as unknown as Record<string, unknown>
  const { requestId: _b, ...nobodys } = missing.body as Record<string, unknown>
  expect(theirs).toEqual(nobodys)
  expect(((await stranger.get('/data/people?q=ours')).body as { total: number }).total).toBe(0)
  // The number is free in another organisation.
  expect((await stranger.post('/data/people', { familyName: 'Theirs', memberNo: '1' })).status).toBe(201)
  expect((await stranger.post('/data/people', { familyName: 'Theirs', chapterId: org.rootChapterId })).status).toBe(422)
})

test('archiving takes a person off the lists; officers can bring them back within 30 days', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const member = api.as(await person({ org }))
  const { id } = await enter(owner, { familyName: 'Gone', chapterId: org.rootChapterId })
  expect((await member.del(`/data/people/${id}`)).status).toBe(403)
  expect((await owner.del(`/data/people/${id}`)).status).toBe(204)
  expect((await owner.del(`/data/people/${id}`)).status).toBe(204)
  expect(((await owner.get('/data/people?q=gone')).body as { total: number }).total).toBe(0)
  expect((await member.get(`/data/people/${id}`)).status).toBe(404)
  const archived = await read(owner, id)
  expect(archived.archivedAt).not.toBeNull()
  expect(archived.restorableUntil).not.toBeNull()
  const filter = encodeURIComponent(JSON.stringify({ and: [{ or: [{ field: 'archived', op: 'is', value: true }] }] }))
  expect(((await owner.get(`/data/people?filter=${filter}`)).body as { total: number }).total).toBe(1)
  expect(((await member.get(`/data/people?filter=${filter}`)).body as { total: number }).total).toBe(0)
  expect(code(await owner.patch(`/data/people/${id}`, { familyName: 'X' }, { 'if-match': `"${archived.version}"` }))).toMatchObject({
    code: 'CONFLICT',
    reason: 'person_archived',
  })
  expect((await owner.post(`/data/people/${id}/emails`, { address: 'a@b.org' })).status).toBe(409)
  expect((await owner.post(`/data/people/${id}/restore`)).body).toMatchObject({ archivedAt: null })
  await owner.del(`/data/people/${id}`)
  await admin.query(`update app.people set deleted_at = now() - interval '31 days' where id = $1`, [id])
  expect(code(await owner.post(`/data/people/${id}/restore`))).toMatchObject({ code: 'CONFLICT', reason: 'restore_too_late' })
})

test('there is always one primary e-mail address while there is any', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const { id } = await enter(owner, { familyName: 'Mail' })
  const url = `/data/people/${id}/emails`
  const add = async (body: object) => (await owner.post(url, body)).body as { id: string; isPrimary: boolean }
  const first = await add({ address: 'one@x.org' })
  const second = await add({ address: 'two@x.org', label: 'work' })
  const third = await add({ address: 'three@x.org', isPrimary: true })
  expect([first.isPrimary, second.isPrimary, third.isPrimary]).toEqual([true, false, true])
  expect((await read(owner, id)).emails.map((email) => [email.address, email.isPrimary])).toEqual([
    ['three@x.org', true],
    ['one@x.org', false],
    ['two@x.org', false],
  ])
  expect((await owner.patch(`${url}/${second.id}`, { isPrimary: true, address: 'zwei@x.org' })).body).toMatchObject({
    address: 'zwei@x.org',
    isPrimary: true,
    label: 'work',
  })
  expect((await owner.del(`${url}/${second.id}`)).status).toBe(204)
  expect((await read(owner, id)).emails.map((email) => [email.address, email.isPrimary])).toEqual([
    ['one@x.org', true],
    ['three@x.org', false],
  ])
  expect(code(await owner.post(url, { address: 'ONE@x.org' }))).toMatchObject({ code: 'CONFLICT', errors: [{ path: 'address' }] })
  expect((await owner.del(`${url}/${second.id}`)).status).toBe(404)
  expect((await owner.patch(`${url}/${second.id}`, { label: 'x' })).status).toBe(404)
  const phones = `/data/people/${id}/phones`
  const phone = (await owner.post(phones, { number: '0041 44 668 18 00' })).body as { id: string; number: string }
  expect(phone.number).toBe('+41446681800')
  expect((await owner.patch(`${phones}/${phone.id}`, { number: '044 / 668 18 00', visibleTo: 'members' })).body).toMatchObject({
    number: '044 / 668 18 00',
    visibleTo: 'members',
    isPrimary: true,
  })
  expect((await owner.del(`${phones}/${phone.id}`)).status).toBe(204)
})

test('memberships are added, moved to another primary chapter, ended and removed', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const { id } = await enter(owner, { familyName: 'Mover', chapterId: org.rootChapterId, startsOn: '2020-01-01' })
  const url = `/data/people/${id}/memberships`
  const added = await owner.post(url, { chapterId: west, startsOn: '2021-01-01', isPrimary: true })
  expect(added.body).toMatchObject({ chapter: { name: 'West' }, isPrimary: true, when: 'current', version: 1 })
  expect(await read(owner, id)).toMatchObject({ homeChapter: { name: 'West' } })
  const one = added.body as { id: string }
  expect((await owner.patch(`${url}/${one.id}`, { endsOn: '2020-01-01' }, { 'if-match': '"1"' })).status).toBe(422)
  const ended = await owner.patch(`${url}/${one.id}`, { endsOn: '2022-01-01' }, { 'if-match': '"1"' })
  expect(ended.body).toMatchObject({ endsOn: '2022-01-01', when: 'past', version: 2 })
  expect((await owner.patch(`${url}/${one.id}`, { endsOn: null }, { 'if-match': '"1"' })).status).toBe(412)
  expect(await read(owner, id)).toMatchObject({ homeChapter: { name: 'Root' } })
  expect(code(await owner.post(url, { chapterId: west, startsOn: '2021-01-01' }))).toMatchObject({
    code: 'CONFLICT',
    errors: [{ path: 'chapterId' }],
  })
  expect((await owner.post(url, { chapterId: west, startsOn: '2999-01-01' })).body).toMatchObject({ when: 'future' })
  expect((await owner.del(`${url}/${one.id}`)).status).toBe(204)
  expect((await owner.del(`${url}/${one.id}`)).status).toBe(404)
  expect(((await owner.get(url)).body as { items: unknown[] }).items).toHaveLength(2)
})

test('tags are made, renamed, counted, set on people and deleted', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const tag = (await owner.post('/data/tags', { name: 'Choir' })).body as { id: string }
  const open = (await owner.post('/data/tags', { name: 'Open', audience: 'members' })).body as { id: string }
  const other = (await owner.post('/data/tags', { name: 'Board', color: 'red' })).body as { id: string }
  expect(code(await owner.post('/data/tags', { name: 'cHOIR' }))).toMatchObject({ code: 'CONFLICT', errors: [{ path: 'name' }] })
  expect((await owner.post('/data/tags', { name: '' })).status).toBe(422)
  const { id } = await enter(owner, { familyName: 'Tagged', tagIds: [tag.id] })
  expect((await owner.put(`/data/people/${id}/tags`, { tagIds: [tag.id, other.id] })).body).toEqual({
    tags: [
      { id: other.id, name: 'Board', color: 'red', audience: 'officers' },
      { id: tag.id, name: 'Choir', color: 'gray', audience: 'officers' },
    ],
  })
  expect((await owner.put(`/data/people/${id}/tags`, { tagIds: [other.id] })).body).toMatchObject({ tags: [{ name: 'Board' }] })
  expect((await owner.patch(`/data/tags/${other.id}`, { name: 'Committee' })).body).toMatchObject({
    name: 'Committee',
    color: 'red',
    uses: { person: 1 },
  })
  expect((await owner.get('/data/tags')).body).toMatchObject({
    items: [
      { name: 'Choir', uses: { person: 0 } },
      { name: 'Committee', uses: { person: 1 } },
      { name: 'Open', uses: { person: 0 } },
    ],
  })
  expect((await owner.del(`/data/tags/${other.id}`)).status).toBe(204)
  expect((await owner.del(`/data/tags/${other.id}`)).status).toBe(404)
  expect((await read(owner, id)).tags).toEqual([])
  const member = api.as(await person({ org }))
  expect((await member.post('/data/tags', { name: 'Mine' })).status).toBe(403)
  for (const [{ id: tagId }, status] of [
    [open, 403],
    [tag, 404],
  ] as const) {
    expect((await member.patch(`/data/tags/${tagId}`, { name: 'Mine' })).status).toBe(status)
    expect((await member.del(`/data/tags/${tagId}`)).status).toBe(status)
  }
  expect((await member.put(`/data/people/${id}/tags`, { tagIds: [tag.id] })).status).toBe(403)
})

test('the history tells what was changed by whom, newest first, page by page', async ({ api, organisation, person }) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], givenName: 'Olga', familyName: 'Owner' })
  const owner = api.as(me)
  const { id } = await enter(owner, {
    familyName: 'Before',
    chapterId: org.rootChapterId,
    emails: [{ address: 'a@b.org' }],
    officeNote: 'secret',
  })
  await owner.patch(`/data/people/${id}`, { familyName: 'After' }, { 'if-match': '"1"' })
  const all = await history(owner, id)
  expect(all.items[0]).toMatchObject({
    action: 'update',
    entity: 'people',
    actor: { accountId: me.accountId, name: 'Olga Owner', personId: me.personId },
    changes: [{ field: 'family_name', before: 'Before', after: 'After' }],
  })
  expect(all.items.map((entry) => entry.entity).sort()).toEqual([
    'affiliations',
    'people',
    'people',
    'person_emails',
    'person_office_notes',
  ])
  expect(all.items.find((entry) => entry.entity === 'affiliations')?.subject).toBe('Root')
  const first = await history(owner, id, '?limit=2')
  const second = await history(owner, id, `?limit=2&cursor=${first.nextCursor}`)
  const third = await history(owner, id, `?limit=2&cursor=${second.nextCursor}`)
  expect([...first.items, ...second.items, ...third.items].map(({ seq }) => seq)).toEqual(all.items.map(({ seq }) => seq))
  expect(third.nextCursor).toBeNull()
  expect((await history(owner, id, '?entity=person_emails')).items).toHaveLength(1)
  expect((await owner.get(`/data/people/${id}/history?cursor=forged`)).status).toBe(400)
  const overview = (await owner.get(`/data/people/${id}/overview`)).body as { person: Person; recentChanges: HistoryEntry[] }
  expect(overview.person.familyName).toBe('After')
  expect(overview.recentChanges.map(({ seq }) => seq)).toEqual(all.items.map(({ seq }) => seq))
  const member = api.as(await person({ org }))
  expect((await history(member, id)).items).toEqual([])
  const officer = api.as(await person({ org, chapterId: null, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  expect((await history(officer, id)).items.map((entry) => entry.entity).sort()).toEqual([
    'affiliations',
    'people',
    'people',
    'person_emails',
  ])
})

test('likely duplicates are found by e-mail, telephone, member number and similar names', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const made = await enter(owner, {
    givenName: 'Katharina',
    familyName: 'Müller',
    memberNo: 'K1',
    emails: [{ address: 'kat@x.org' }],
    phones: [{ number: '+4930901820' }],
  })
  await enter(owner, { givenName: 'Someone', familyName: 'Else' })
  const ask = async (body: object) =>
    ((await owner.post('/data/people/duplicates', body)).body as { items: { person: { id: string }; reasons: string[] }[] }).items.map(
      (item) => [item.person.id, item.reasons],
    )
  expect(await ask({ email: 'KAT@x.org' })).toEqual([[made.id, ['email']]])
  expect(await ask({ phone: '+49 30 901820' })).toEqual([[made.id, ['phone']]])
  expect(await ask({ memberNo: 'K1' })).toEqual([[made.id, ['memberNo']]])
  expect(await ask({ givenName: 'Katarina', familyName: 'Muller' })).toEqual([[made.id, ['name']]])
  expect(await ask({ givenName: 'Katharina', familyName: 'Müller', email: 'kat@x.org' })).toEqual([[made.id, ['email', 'name']]])
  expect(await ask({ givenName: 'Zoltan', familyName: 'Quark' })).toEqual([])
  expect(await ask({ email: 'kat@x.org', exceptId: made.id })).toEqual([])
  expect(await ask({})).toEqual([])
})

test('neighbours are those before and after a person in the list as it is sorted and filtered', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const ids: Record<string, string> = {}
  for (const [familyName, joinedOn] of [
    ['A', '2020-01-01'],
    ['B', null],
    ['C', '2021-01-01'],
    ['D', null],
  ] as const)
    ids[familyName] = (await enter(owner, { familyName, joinedOn })).id
  const around = async (name: string, query = '') => {
    const body = (await owner.get(`/data/people/${ids[name]}/neighbours${query}`)).body as {
      previous: { displayName: string } | null
      next: { displayName: string } | null
    }
    return [body.previous?.displayName ?? null, body.next?.displayName ?? null]
  }
  expect(await around('A')).toEqual([null, 'B'])
  expect(await around('C')).toEqual(['B', 'D'])
  expect(await around('C', '?sort=-name')).toEqual(['D', 'B'])
  expect(await around('C', '?sort=joinedOn')).toEqual(['A', 'B'])
  expect(await around('B', '?sort=joinedOn')).toEqual(['C', 'D'])
  expect(await around('D', '?sort=-joinedOn')).toEqual(['A', 'B'])
  expect(await around('C', '?q=a')).toEqual(['A', null])
})
