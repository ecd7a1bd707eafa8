import { documentOf } from '@guildhall/contract/formatted-document'
import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

type Answer = { items: TimelineEntry[]; nextCursor: string | null }

const timelineOf = async (client: Client, personId: string | null, more = '') => {
  const answer = await client.get(`/data/people/${personId}/timeline${more}`)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as Answer
}
const told = async (client: Client, personId: string | null, more = '') =>
  (await timelineOf(client, personId, more)).items.map(({ kind, on, subject }) => [kind, on, subject?.name ?? ''].join(' ').trim())
const idOf = (answer: { body: never }) => (answer.body as { id: string }).id

test('every feature tells what happened, newest first, and a correction changes what is told', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const berlin = await chapter(org, 'Berlin')
  const boss = api.as(await person({ org, idpRoles: ['org-admin'], familyName: 'Boss' }))
  const ann = idOf(await boss.post('/data/people', { givenName: 'Ann', familyName: 'Able' }))
  const day = (await boss.get(`/data/people/${ann}`)).body as { createdAt: string }
  const today = day.createdAt.slice(0, 10)
  const joined = await boss.post(`/data/people/${ann}/memberships`, { chapterId: berlin, kind: 'member', startsOn: '2019-03-01' })
  expect(joined).toMatchObject({ status: 201 })
  const membershipId = idOf(joined)
  const positionId = idOf(await boss.post(`/data/chapters/${berlin}/positions`, { title: 'Treasurer' }))
  await boss.post(`/data/chapters/${berlin}/positions/${positionId}/holders`, {
    personId: ann,
    startsOn: '2020-01-01',
    endsOn: '2021-12-31',
  })
  const group = idOf(await boss.post('/data/groups', { name: 'Choir', visibility: 'members' }))
  const memberId = idOf(await boss.post(`/data/groups/${group}/members`, { personId: ann, startsOn: '2022-05-05' }))

  expect(await told(boss, ann)).toEqual([
    `person-entered ${today}`,
    'group-joined 2022-05-05 Choir',
    'office-ended 2021-12-31 Berlin',
    'office-began 2020-01-01 Berlin',
    'chapter-joined 2019-03-01 Berlin',
  ])
  expect(await told(boss, ann, '?category=offices')).toEqual(['office-ended 2021-12-31 Berlin', 'office-began 2020-01-01 Berlin'])
  expect((await timelineOf(boss, ann, '?category=offices')).items[0]).toMatchObject({
    at: null,
    actor: null,
    params: { title: 'Treasurer' },
  })
  expect((await timelineOf(boss, ann, '?category=record')).items).toMatchObject([
    { at: expect.any(String), actor: { displayName: 'Test Boss' }, params: { via: '' } },
  ])

  // The rows themselves tell: days that were wrong, a group that is renamed and a membership that is removed leave nothing behind.
  await boss.patch(
    `/data/people/${ann}/memberships/${membershipId}`,
    { startsOn: '2018-03-01', endsOn: '2023-01-31' },
    { 'if-match': '"1"' },
  )
  await boss.patch(`/data/groups/${group}`, { name: 'Chorus' }, { 'if-match': '"1"' })
  expect((await told(boss, ann)).slice(1)).toEqual([
    'chapter-left 2023-01-31 Berlin',
    'group-joined 2022-05-05 Chorus',
    'office-ended 2021-12-31 Berlin',
    'office-began 2020-01-01 Berlin',
    'chapter-joined 2018-03-01 Berlin',
  ])
  await admin.query('delete from app.group_members where id = $1', [memberId])
  await admin.query('delete from app.positions where id = $1', [positionId])
  expect((await told(boss, ann)).slice(1)).toEqual(['chapter-left 2023-01-31 Berlin', 'chapter-joined 2018-03-01 Berlin'])

  // What has not happened yet is not told.
  await boss.post(`/data/people/${ann}/memberships`, { chapterId: org.rootChapterId, kind: 'friend', startsOn: '2999-01-01' })
  expect(await told(boss, ann, '?category=chapters')).toHaveLength(2)

  await boss.patch(
    `/data/people/${ann}`,
    { lifecycle: 'alumni' },
    { 'if-match': `"${((await boss.get(`/data/people/${ann}`)).body as { version: number }).version}"` },
  )
  const [changed] = (await timelineOf(boss, ann, '?category=record')).items
  expect(changed).toMatchObject({ kind: 'status-changed', params: { to: 'alumni' }, actor: { displayName: 'Test Boss' } })
})

test('an entry is for those who see what it tells of', async ({ api, admin, organisation, person, chapter }) => {
  const org = await organisation()
  const berlin = await chapter(org, 'Berlin')
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const ann = await person({ org, chapterId: berlin })
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: berlin }] }))
  const [self, member] = [api.as(ann), api.as(await person({ org }))]
  const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))

  const secret = idOf(await boss.post('/data/groups', { name: 'Inquiry', visibility: 'secret' }))
  const hidden = idOf(await boss.post('/data/groups', { name: 'Support', visibility: 'private' }))
  for (const id of [secret, hidden]) await boss.post(`/data/groups/${id}/members`, { personId: ann.personId, startsOn: '2024-01-01' })
  expect(await self.post('/data/comments', { recordType: 'group', recordId: hidden, body: documentOf('Between us') })).toMatchObject({
    status: 201,
  })
  for (const [name, audience] of [
    ['Watch', 'officers'],
    ['Choir', 'members'],
  ]) {
    const { rows } = await admin.query<{ id: string }>('insert into app.tags (org_id, name, audience) values ($1, $2, $3) returning id', [
      org.id,
      name,
      audience,
    ])
    await admin.query('insert into app.person_tags (org_id, person_id, tag_id) values ($1, $2, $3)', [org.id, ann.personId, rows[0]?.id])
  }

  const names = async (client: Client) =>
    (await timelineOf(client, ann.personId)).items.map(({ kind, subject }) => `${kind} ${subject?.name ?? ''}`.trim()).toSorted()
  const open = ['chapter-joined Berlin', 'tag-added Choir']
  const groups = ['comment-written Support', 'group-joined Inquiry', 'group-joined Support']
  expect(await names(boss)).toEqual([...open, ...groups, 'person-entered', 'tag-added Watch'].toSorted())
  expect(await names(member)).toEqual(open)
  expect(await names(officer)).toEqual([...open, 'person-entered', 'tag-added Watch'].toSorted())
  // One's own groups are one's own to see; how the office tags one is not.
  expect(await names(self)).toEqual([...open, ...groups, 'person-entered'].toSorted())
  expect((await member.get(`/data/people/${ann.personId}/timeline?category=groups`)).body).toMatchObject({ items: [] })
  expect(await stranger.get(`/data/people/${ann.personId}/timeline`)).toMatchObject({ status: 404 })

  await admin.query(`update app.people set minor_until = '2999-01-01' where id = $1`, [ann.personId])
  expect(await member.get(`/data/people/${ann.personId}/timeline`)).toMatchObject({ status: 404 })
  await admin.query(`update app.people set minor_until = null, deleted_at = now() where id = $1`, [ann.personId])
  expect(await member.get(`/data/people/${ann.personId}/timeline`)).toMatchObject({ status: 404 })
  expect(await officer.get(`/data/people/${ann.personId}/timeline`)).toMatchObject({ status: 200 })
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [ann.personId])
  expect(await boss.get(`/data/people/${ann.personId}/timeline`)).toMatchObject({ status: 410 })
})

test('days are those of the organisation, and what is known to the minute stands above what is known to the day', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation({ timezone: 'Pacific/Auckland' })
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const ann = await person({ org })
  const group = idOf(await boss.post('/data/groups', { name: 'Choir', visibility: 'members' }))
  const { id } = (await api.as(ann).post('/data/comments', { recordType: 'group', recordId: group, body: documentOf('Hello') })).body as {
    id: string
  }
  const said = (at: string) => admin.query('update app.comments set created_at = $2 where id = $1', [id, at])
  await boss.post(`/data/groups/${group}/members`, { personId: ann.personId, startsOn: '2024-07-02' })
  // In Auckland it is the second of July already.
  await said('2024-07-01T12:30:00Z')
  const entries = ['comment-written 2024-07-02 Choir', 'group-joined 2024-07-02 Choir']
  expect((await told(boss, ann.personId)).slice(-3, -1)).toEqual(entries)
  await said('2024-07-01T11:30:00Z')
  expect((await told(boss, ann.personId)).slice(-3, -1)).toEqual([entries[1], 'comment-written 2024-07-01 Choir'])
})

test('5,000 entries are read page by page, each once, in 50 ms a page', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const { personId, accountId } = await person({ org })
  // Several on each day, so that pages end in the middle of one.
  await admin.query(
    `with g as (insert into app.groups (org_id, name, visibility) select $1, 'Group ' || n, 'members' from generate_series(1, 250) n returning id)
     insert into app.group_members (org_id, group_id, person_id, starts_on, ends_on)
       select $1, g.id, $2, current_date - 400 - (row_number() over ())::int % 90, current_date - (row_number() over ())::int % 90 from g`,
    [org.id, personId],
  )
  await admin.query(
    `insert into app.comments (org_id, record_type, record_id, body, author_id, created_by, created_at)
     select $1, 'group', (select id from app.groups where org_id = $1 limit 1), '{"type": "doc", "content": []}', $2, $3, now() - make_interval(hours => n % 900)
     from generate_series(1, 4500) n`,
    [org.id, personId, accountId],
  )
  await admin.query('analyze app.group_members; analyze app.comments; analyze app.groups')
  const seen: TimelineEntry[] = []
  const times: number[] = []
  for (let cursor = ''; ;) {
    const start = performance.now()
    const page = await timelineOf(boss, personId, `?limit=100${cursor}`)
    times.push(performance.now() - start)
    seen.push(...page.items)
    if (page.nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  expect(new Set(seen.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(5002)
  expect(seen).toHaveLength(5002)
  expect(seen.map(({ on }) => on)).toEqual(
    seen
      .map(({ on }) => on)
      .toSorted()
      .toReversed(),
  )
  // Of other work on the same machine the quicker pages know least.
  const quick = times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)]
  expect(quick).toBeLessThan(50)
})

test('a cursor of another person or category is refused', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [ann, bea] = [await person({ org }), await person({ org })]
  const group = idOf(await boss.post('/data/groups', { name: 'Choir', visibility: 'members' }))
  for (const { personId } of [ann, bea]) await boss.post(`/data/groups/${group}/members`, { personId, startsOn: '2024-01-01' })
  const { nextCursor } = await timelineOf(boss, ann.personId, '?limit=1')
  expect(nextCursor).toEqual(expect.any(String))
  for (const other of [`${bea.personId}/timeline?`, `${ann.personId}/timeline?category=groups&`])
    expect(await boss.get(`/data/people/${other}cursor=${encodeURIComponent(nextCursor ?? '')}`)).toMatchObject({ status: 400 })
})
