import type { BulkResult } from '@guildhall/contract/bulk'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

type Made = { id: string; name: string; version: number }
const made = async (client: Client, path: string, body: object) => (await client.post(path, body)).body as Made
const bulk = async (client: Client, list: string, selection: object, change: object) => {
  const { status, body } = await client.post(`/actions/${list}/bulk`, { selection, change })
  return { status, body: body as BulkResult }
}
const undo = async (client: Client, { job }: BulkResult) => (await client.post(`/actions/bulk/${job.id}/undo`)).body as BulkResult
const missing = '01920000-0000-7000-8000-000000000001'

test('each change of many groups does what it says and is undone exactly', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const tag = await made(owner, '/data/tags', { name: 'Pilot' })
  const a = await made(owner, '/data/groups', { name: 'A' })
  const b = await made(owner, '/data/groups', { name: 'B', visibility: 'private', chapterId: org.rootChapterId })
  const ids = [a.id, b.id]
  const state = () =>
    Promise.all(
      ids.map(async (id) => {
        const {
          tags,
          archivedAt,
          chapter: at,
          visibility,
        } = (await owner.get(`/data/groups/${id}`)).body as {
          tags: unknown[]
          archivedAt: string | null
          chapter: { name: string } | null
          visibility: string
        }
        return { tags: tags.length, archived: archivedAt !== null, at: at?.name ?? null, visibility }
      }),
    )
  await owner.put(`/data/tagged/${a.id}`, { recordType: 'group', tagIds: [tag.id] })
  const before = await state()
  const cases: [object, { changed: number; unchanged: number }, object[]][] = [
    [{ do: 'tag', tagId: tag.id }, { changed: 1, unchanged: 1 }, [{ tags: 1 }, { tags: 1 }]],
    [{ do: 'untag', tagId: tag.id }, { changed: 1, unchanged: 1 }, [{ tags: 0 }, { tags: 0 }]],
    [{ do: 'archive' }, { changed: 2, unchanged: 0 }, [{ archived: true }, { archived: true }]],
    [{ do: 'restore' }, { changed: 0, unchanged: 2 }, [{ archived: false }, { archived: false }]],
    [{ do: 'chapter', chapterId: west }, { changed: 2, unchanged: 0 }, [{ at: 'West' }, { at: 'West' }]],
    [{ do: 'chapter', chapterId: null }, { changed: 1, unchanged: 1 }, [{ at: null }, { at: null }]],
    [{ do: 'visibility', visibility: 'private' }, { changed: 1, unchanged: 1 }, [{ visibility: 'private' }, { visibility: 'private' }]],
  ]
  for (const [change, counts, after] of cases) {
    const preview = await owner.post('/actions/groups/bulk/preview', { selection: { ids }, change })
    expect([change, preview.body]).toMatchObject([change, { matched: 2, refused: 0, ...counts }])
    expect(await state()).toEqual(before)
    const done = await bulk(owner, 'groups', { ids }, change)
    expect([change, done.body]).toMatchObject([change, { job: { status: 'done' }, counts }])
    expect([change, await state()]).toMatchObject([change, after])
    if (counts.changed === 0) continue
    expect(await undo(owner, done.body)).toMatchObject({ counts: { changed: counts.changed } })
    expect([change, await state()]).toEqual([change, before])
    expect((await owner.post(`/actions/bulk/${done.body.job.id}/undo`)).status).toBe(409)
  }
})

test('all groups that match a filter are changed, less the exceptions; what was changed since stays', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [a, b, c] = [
    await made(owner, '/data/groups', { name: 'Choir A', kind: 'cohort' }),
    await made(owner, '/data/groups', { name: 'Choir B', kind: 'cohort' }),
    await made(owner, '/data/groups', { name: 'Choir C', kind: 'cohort' }),
  ]
  await made(owner, '/data/groups', { name: 'Choir D' })
  const filter = { and: [{ or: [{ field: 'kind', op: 'is', value: 'cohort' }] }] }
  const done = await bulk(owner, 'groups', { all: { q: 'choir', filter }, except: [c.id] }, { do: 'visibility', visibility: 'public' })
  expect(done.body.counts).toEqual({ matched: 2, changed: 2, unchanged: 0, refused: 0 })
  await owner.patch(`/data/groups/${a.id}`, { visibility: 'secret' }, { 'if-match': '"2"' })
  expect(await undo(owner, done.body)).toMatchObject({ counts: { matched: 2, changed: 1, unchanged: 1 } })
  const visibility = async (id: string) => ((await owner.get(`/data/groups/${id}`)).body as { visibility: string }).visibility
  expect([await visibility(a.id), await visibility(b.id)]).toEqual(['secret', 'members'])
})

test('an officer changes the groups of the own chapters; others are counted and named, and leaders do not move groups', async ({
  api,
  organisation,
  person,
  chapter,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const mine = await made(owner, '/data/groups', { name: 'Mine', chapterId: west })
  const theirs = await made(owner, '/data/groups', { name: 'Theirs', chapterId: east })
  const ids = [mine.id, theirs.id]
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  expect((await officer.post('/actions/groups/bulk/preview', { selection: { ids }, change: { do: 'archive' } })).body).toMatchObject({
    changed: 1,
    refused: 1,
    sample: [{ name: 'Mine' }],
    refusedSample: [{ name: 'Theirs' }],
  })
  const done = await bulk(officer, 'groups', { ids }, { do: 'archive' })
  expect(done.body.counts).toEqual({ matched: 2, changed: 1, unchanged: 0, refused: 1 })
  expect((await owner.get(`/data/groups/${theirs.id}`)).body).toMatchObject({ archivedAt: null })
  expect((await bulk(officer, 'groups', { ids }, { do: 'chapter', chapterId: east })).status).toBe(403)
  expect((await owner.post(`/actions/bulk/${done.body.job.id}/undo`)).status).toBe(404)

  const leads = await person({ org, chapterId: east })
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id, role, status, starts_on) values ($1, $2, $3, 'leader', 'active', app.today())`,
    [org.id, theirs.id, leads.personId],
  )
  const leader = api.as(leads)
  expect((await bulk(leader, 'groups', { ids: [theirs.id] }, { do: 'visibility', visibility: 'public' })).body.counts).toMatchObject({
    refused: 1,
  })
  expect((await bulk(leader, 'groups', { ids: [theirs.id] }, { do: 'archive' })).body.counts).toMatchObject({ changed: 1 })
  const member = api.as(await person({ org }))
  expect((await bulk(member, 'groups', { ids }, { do: 'restore' })).body.counts).toMatchObject({ changed: 0 })
})

test('many chapters are tagged by their officers, and given a status by administrators; a closed one stays closed', async ({
  api,
  organisation,
  person,
  chapter,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east, old] = [await chapter(org, 'West'), await chapter(org, 'East'), await chapter(org, 'Old')]
  await admin.query(`update app.chapters set status = 'closed' where id = $1`, [old])
  const tag = await made(owner, '/data/tags', { name: 'Pilot', audience: 'members' })
  const read = async (id: string) => (await owner.get(`/data/chapters/${id}`)).body as { status: string; tags: unknown[] }
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const tagged = await bulk(officer, 'chapters', { ids: [west, east] }, { do: 'tag', tagId: tag.id })
  expect(tagged.body.counts).toEqual({ matched: 2, changed: 1, unchanged: 0, refused: 1 })
  expect([(await read(west)).tags.length, (await read(east)).tags.length]).toEqual([1, 0])
  expect(await undo(officer, tagged.body)).toMatchObject({ counts: { changed: 1 } })
  expect((await read(west)).tags).toEqual([])
  expect((await bulk(officer, 'chapters', { ids: [west] }, { do: 'status', status: 'dormant' })).body.counts).toMatchObject({ refused: 1 })

  const done = await bulk(owner, 'chapters', { ids: [west, east, old] }, { do: 'status', status: 'dormant' })
  expect(done.body.counts).toEqual({ matched: 3, changed: 2, unchanged: 0, refused: 1 })
  expect([(await read(west)).status, (await read(old)).status]).toEqual(['dormant', 'closed'])
  expect(await undo(owner, done.body)).toMatchObject({ counts: { changed: 2 } })
  expect([(await read(west)).status, (await read(east)).status]).toEqual(['active', 'active'])
  const below = { and: [{ or: [{ field: 'below', op: 'is', value: org.rootChapterId }] }] }
  expect(
    (await bulk(owner, 'chapters', { all: { filter: below }, except: [east] }, { do: 'tag', tagId: tag.id })).body.counts,
  ).toMatchObject({
    matched: 1,
    changed: 1,
  })
})

test('a request that cannot mean anything is refused before anything happens', async ({ api, person }) => {
  const owner = api.as(await person({ idpRoles: ['org-owner'], chapterId: null }))
  const everything = { all: {}, except: [] }
  const nonsense = { all: { filter: { and: [{ or: [{ field: 'secret', op: 'is', value: 'x' }] }] } }, except: [] }
  const cases: [string, object, object, number][] = [
    ['groups', everything, { do: 'explode' }, 400],
    ['groups', everything, { do: 'tag', tagId: missing }, 422],
    ['groups', everything, { do: 'chapter', chapterId: missing }, 422],
    ['groups', nonsense, { do: 'archive' }, 400],
    ['chapters', everything, { do: 'status', status: 'closed' }, 422],
    ['chapters', everything, { do: 'archive' }, 400],
    ['chapters', nonsense, { do: 'tag', tagId: missing }, 400],
  ]
  for (const [list, selection, change, status] of cases)
    expect([list, change, (await bulk(owner, list, selection, change)).status]).toEqual([list, change, status])
})
