import type { BulkResult as Result } from '@guildhall/contract/bulk'
import type { Person } from '@guildhall/contract/features/people'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

const bulk = async (client: Client, selection: object, change: object) => {
  const answer = await client.post('/actions/people/bulk', { selection, change })
  return { status: answer.status, body: answer.body as Result & { code?: string } }
}
const enter = async (client: Client, body: object) => (await client.post('/data/people', body)).body as Person
const read = async (client: Client, id: string) => (await client.get(`/data/people/${id}`)).body as Person
const everybody = { all: {}, except: [] }

test('each change of many does what it says and is taken back exactly', async ({ api, organisation, person, chapter, admin }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const tag = (await owner.post('/data/tags', { name: 'Choir' })).body as { id: string }
  const group = (await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Readers') returning id`, [org.id]))
    .rows[0]?.id
  const a = await enter(owner, { familyName: 'A', chapterId: org.rootChapterId, tagIds: [tag.id] })
  const b = await enter(owner, { familyName: 'B', lifecycle: 'alumni' })
  const state = async () =>
    (await Promise.all([a.id, b.id].map((id) => read(owner, id)))).map(
      ({ tags, groups, lifecycle, memberships, archivedAt, homeChapter }) => ({
        tags: tags.length,
        groups: groups.length,
        lifecycle,
        memberships: memberships.length,
        archived: archivedAt !== null,
        home: homeChapter?.name ?? null,
      }),
    )
  const before = await state()
  const cases: [object, object, object[]][] = [
    [{ do: 'tag', tagId: tag.id }, { matched: 2, changed: 1, unchanged: 1, refused: 0 }, [{ tags: 1 }, { tags: 1 }]],
    [{ do: 'untag', tagId: tag.id }, { matched: 2, changed: 1, unchanged: 1, refused: 0 }, [{ tags: 0 }, { tags: 0 }]],
    [{ do: 'addToGroup', groupId: group }, { matched: 2, changed: 2, unchanged: 0, refused: 0 }, [{ groups: 1 }, { groups: 1 }]],
    [
      { do: 'lifecycle', lifecycle: 'alumni' },
      { matched: 2, changed: 1, unchanged: 1, refused: 0 },
      [{ lifecycle: 'alumni' }, { lifecycle: 'alumni' }],
    ],
    [
      { do: 'affiliate', chapterId: west },
      { matched: 2, changed: 2, unchanged: 0, refused: 0 },
      [
        { memberships: 2, home: 'Root' },
        { memberships: 1, home: 'West' },
      ],
    ],
    [{ do: 'archive' }, { matched: 2, changed: 2, unchanged: 0, refused: 0 }, [{ archived: true }, { archived: true }]],
  ]
  for (const [change, counts, after] of cases) {
    const preview = await owner.post('/actions/people/bulk/preview', { selection: everybody, change })
    expect(preview.body).toMatchObject(counts)
    expect(await state()).toEqual(before)
    const done = await bulk(owner, everybody, change)
    expect([change, done.body]).toMatchObject([change, { job: { status: 'done' }, counts }])
    expect([change, await state()]).toMatchObject([change, after])
    const undo = await owner.post(`/actions/bulk/${done.body.job.id}/undo`)
    expect(undo.body).toMatchObject({ job: { status: 'done' }, counts: { changed: (counts as { changed: number }).changed } })
    expect([change, await state()]).toEqual([change, before])
    expect((await owner.post(`/actions/bulk/${done.body.job.id}/undo`)).status).toBe(409)
  }
})

test('a selection by search leaves out the exceptions, and hidden or archived people are not part of it', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const ids: string[] = []
  for (const familyName of ['Smith A', 'Smith B', 'Smith C', 'Other']) ids.push((await enter(owner, { familyName })).id)
  await owner.del(`/data/people/${ids[2]}`)
  const done = await bulk(owner, { all: { q: 'smith' }, except: [ids[1]] }, { do: 'lifecycle', lifecycle: 'former' })
  expect(done.body.counts).toEqual({ matched: 1, changed: 1, unchanged: 0, refused: 0 })
  const stranger = api.as(await person({ idpRoles: ['org-owner'] }))
  expect((await bulk(stranger, { ids }, { do: 'archive' })).body.counts).toEqual({ matched: 0, changed: 0, unchanged: 0, refused: 0 })
  expect((await stranger.get(`/actions/bulk/${done.body.job.id}`)).status).toBe(404)
  expect((await stranger.post(`/actions/bulk/${done.body.job.id}/undo`)).status).toBe(404)
  expect((await owner.get(`/actions/bulk/${done.body.job.id}`)).body).toMatchObject({
    counts: { changed: 1 },
    undoableUntil: expect.any(String) as string,
  })
})

test('what was changed again since is left alone by the undo', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const a = await enter(owner, { familyName: 'A' })
  const b = await enter(owner, { familyName: 'B' })
  const done = await bulk(owner, { ids: [a.id, b.id] }, { do: 'lifecycle', lifecycle: 'former' })
  await owner.patch(`/data/people/${a.id}`, { lifecycle: 'deceased' }, { 'if-match': '"2"' })
  const undo = (await owner.post(`/actions/bulk/${done.body.job.id}/undo`)).body as Result
  expect(undo.counts).toMatchObject({ matched: 2, changed: 1, unchanged: 1 })
  expect([(await read(owner, a.id)).lifecycle, (await read(owner, b.id)).lifecycle]).toEqual(['deceased', 'active'])
})

test('an officer changes the people of the own chapters; others are counted as refused and stay as they are', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const mine = await enter(owner, { familyName: 'Mine', chapterId: west })
  const theirs = await enter(owner, { familyName: 'Theirs', chapterId: east })
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const ids = [mine.id, theirs.id]
  expect((await bulk(officer, { ids }, { do: 'archive' })).body.counts).toEqual({ matched: 2, changed: 1, unchanged: 0, refused: 1 })
  expect((await read(owner, theirs.id)).archivedAt).toBeNull()
  expect((await bulk(officer, { ids: [theirs.id] }, { do: 'affiliate', chapterId: west })).body.counts).toMatchObject({
    refused: 1,
    changed: 0,
  })
  expect((await bulk(officer, { ids }, { do: 'affiliate', chapterId: east })).status).toBe(403)
  const member = api.as(await person({ org }))
  expect((await bulk(member, { ids }, { do: 'lifecycle', lifecycle: 'former' })).body.counts).toMatchObject({ changed: 0, refused: 1 })
})

test('a request that cannot mean anything is refused before anything happens', async ({ api, person }) => {
  const owner = api.as(await person({ idpRoles: ['org-owner'], chapterId: null }))
  const missing = '01920000-0000-7000-8000-000000000001'
  const cases: [object, object, number][] = [
    [everybody, { do: 'explode' }, 400],
    [everybody, { do: 'tag', tagId: missing }, 422],
    [everybody, { do: 'addToGroup', groupId: missing }, 422],
    [everybody, { do: 'affiliate', chapterId: missing }, 422],
    [everybody, { do: 'lifecycle', lifecycle: 'erased' }, 422],
    [{ ids: [] }, { do: 'archive' }, 422],
    [{ all: { filter: { and: [{ or: [{ field: 'secret', op: 'is', value: 'x' }] }] } }, except: [] }, { do: 'archive' }, 400],
    [{ ids: Array.from({ length: 1001 }, () => missing) }, { do: 'archive' }, 400],
  ]
  for (const [selection, change, status] of cases) expect([change, (await bulk(owner, selection, change)).status]).toEqual([change, status])
})

test(
  'more than 5,000 people are changed in the background, and taken back so',
  { timeout: 300_000 },
  async ({ api, organisation, person, admin, worker }) => {
    expect(worker).toBeUndefined()
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    await admin.query(`insert into app.people (org_id, family_name) select $1, 'P' || n from generate_series(1, 5003) n`, [org.id])
    const settled = async (id: string) => {
      for (;;) {
        const result = (await owner.get(`/actions/bulk/${id}`)).body as Result
        if (result.job.status !== 'queued' && result.job.status !== 'running') return result
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
    const asked = await bulk(owner, everybody, { do: 'lifecycle', lifecycle: 'alumni' })
    expect(asked.body).toMatchObject({ job: { status: 'queued', total: 5003 }, counts: null })
    expect((await owner.post(`/actions/bulk/${asked.body.job.id}/undo`)).status).toBe(409)
    expect(await settled(asked.body.job.id)).toMatchObject({
      job: { status: 'done', done: 5003 },
      counts: { matched: 5003, changed: 5003 },
    })
    const lifecycles = async () =>
      (
        await admin.query<{ lifecycle: string; n: number }>(
          'select lifecycle, count(*)::int as n from app.people where org_id = $1 group by 1',
          [org.id],
        )
      ).rows
    expect(await lifecycles()).toEqual([{ lifecycle: 'alumni', n: 5003 }])
    const undo = (await owner.post(`/actions/bulk/${asked.body.job.id}/undo`)).body as Result
    expect(await settled(undo.job.id)).toMatchObject({ job: { status: 'done' }, counts: { changed: 5003 } })
    expect(await lifecycles()).toEqual([{ lifecycle: 'active', n: 5003 }])
  },
)

test(
  'a change in the background is found again, and stops when it is cancelled',
  { timeout: 60_000 },
  async ({ api, organisation, person, admin }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    const other = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    await admin.query(`insert into app.people (org_id, family_name) select $1, 'P' || n from generate_series(1, 5003) n`, [org.id])
    const { job } = (await bulk(owner, everybody, { do: 'lifecycle', lifecycle: 'alumni' })).body
    const running = async (client: Client) =>
      ((await client.get('/actions/bulk')).body as { items: Result[] }).items.map((item) => item.job.id)
    expect(await running(owner)).toEqual([job.id])
    expect(await running(other)).toEqual([])
    expect((await other.post(`/actions/bulk/${job.id}/cancel`)).status).toBe(404)

    const cancelled = await owner.post(`/actions/bulk/${job.id}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { job: { status: 'cancelled' } } })
    expect(await running(owner)).toEqual([])
    // A second click changes nothing, and neither does a worker that takes the job up after all.
    expect(await owner.post(`/actions/bulk/${job.id}/cancel`)).toMatchObject({ status: 200, body: { job: { status: 'cancelled' } } })
  },
)
