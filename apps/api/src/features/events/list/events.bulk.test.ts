import type { BulkPreview, BulkResult } from '@guildhall/contract/bulk'
import type { Event, EventBulkChange } from '@guildhall/contract/features/events'
import type { Export } from '@guildhall/contract/features/lists'
import { expect } from 'vitest'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const lecture = { title: 'Lecture', startsAt: '2090-03-20T18:00:00Z', timezone: 'Europe/Berlin', venueName: 'Hall' }
type Selection = { ids: string[] } | { all: object; except: string[] }

const test = base.extend<{
  org: TestOrganisation
  office: Client
  event: (more?: Record<string, unknown>, published?: boolean) => Promise<Event>
  status: (id: string) => Promise<string>
}>({
  org: async ({ organisation }, use) => use(await organisation()),
  office: async ({ api, org, person }, use) => use(api.as(await person({ org, idpRoles: ['org-admin'] }))),
  event: async ({ office }, use) => {
    await use(async (more = {}, published = true) => {
      const draft = (await office.post('/data/events', { ...lecture, ...more })).body as Event
      return published ? (await office.post(`/data/events/${draft.id}/publish`, {}, match(draft.version))).body : draft
    })
  },
  status: async ({ office }, use) => use(async (id) => ((await office.get(`/data/events/${id}`)).body as Event).status),
})

const preview = async (who: Client, selection: Selection, change: EventBulkChange) =>
  (await who.post('/actions/events/bulk/preview', { selection, change })).body as BulkPreview
const run = async (who: Client, selection: Selection, change: EventBulkChange) =>
  (await who.post('/actions/events/bulk', { selection, change })).body as BulkResult
const undo = async (who: Client, { job }: BulkResult) => who.post(`/actions/bulk/${job.id}/undo`)

test('drafts that are ready are published; of the others it is said why they stay', async ({ office, event, status }) => {
  const ready = await event({}, false)
  const nowhere = await event({ title: 'Nowhere', venueName: '' }, false)
  const offline = await event({ title: 'Offline', mode: 'online' }, false)
  const there = await event({ title: 'There' })
  const selection = { ids: [ready, nowhere, offline, there].map(({ id }) => id) }
  const before = await preview(office, selection, { do: 'publish' })
  expect(before).toMatchObject({
    matched: 4,
    changed: 1,
    unchanged: 3,
    refused: 0,
    sample: [{ id: ready.id, name: 'Lecture (2090-03-20)' }],
  })
  expect(before.unchangedWhy?.map(({ reason, first }) => [reason, first[0]?.id]).toSorted()).toEqual(
    [
      ['link', offline.id],
      ['place', nowhere.id],
      ['published', there.id],
    ].toSorted(),
  )
  const done = await run(office, selection, { do: 'publish' })
  expect(done).toMatchObject({ job: { status: 'done' }, counts: { changed: 1, unchanged: 3 }, undoableUntil: null })
  expect([await status(ready.id), await status(nowhere.id)]).toEqual(['published', 'draft'])
  expect((await undo(office, done)).status).toBe(409)
})

test('published events are cancelled with the reason, and people are told', async ({ api, org, person, office, event }) => {
  const guest = api.as(await person({ org }))
  const [one, other] = [await event(), await event({ title: 'Other' }, false)]
  await guest.post(`/data/events/${one.id}/registrations`, {})
  expect((await office.post('/actions/events/bulk', { selection: { ids: [one.id] }, change: { do: 'cancel', reason: ' ' } })).status).toBe(
    422,
  )
  const done = await run(office, { all: {}, except: [] }, { do: 'cancel', reason: 'The hall is closed' })
  expect(done).toMatchObject({ counts: { matched: 2, changed: 1, unchanged: 1 }, undoableUntil: null })
  expect((await office.get(`/data/events/${one.id}`)).body).toMatchObject({ status: 'cancelled', cancelReason: 'The hall is closed' })
  expect((await office.get(`/data/events/${one.id}/messages`)).body).toMatchObject({ items: [{ kind: 'event_cancelled' }] })
  expect((await office.get(`/data/events/${other.id}`)).body).toMatchObject({ status: 'draft' })
})

test('archiving, restoring and another visibility are undone, save what was changed again since', async ({ office, event, status }) => {
  const [draft, open] = [await event({}, false), await event({ title: 'Open' })]
  const ids = { ids: [draft.id, open.id] }
  const archived = await run(office, ids, { do: 'archive' })
  expect([await status(draft.id), await status(open.id)]).toEqual(['archived', 'archived'])
  const restored = await run(office, ids, { do: 'restore' })
  expect([await status(draft.id), await status(open.id)]).toEqual(['draft', 'published'])
  expect((await undo(office, restored)).body).toMatchObject({ counts: { changed: 2 } })
  expect((await undo(office, archived)).body).toMatchObject({ counts: { changed: 2 } })
  expect([await status(draft.id), await status(open.id)]).toEqual(['draft', 'published'])

  expect(await preview(office, ids, { do: 'visibility', visibility: 'chapter' })).toMatchObject({
    changed: 0,
    unchangedWhy: [{ reason: 'no_chapter', total: 2 }],
  })
  const shown = await run(office, ids, { do: 'visibility', visibility: 'public' })
  const { version } = (await office.get(`/data/events/${open.id}`)).body as Event
  await office.patch(`/data/events/${open.id}`, { visibility: 'unlisted' }, match(version))
  expect((await undo(office, shown)).body).toMatchObject({ counts: { changed: 1 } })
  expect((await office.get(`/data/events/${draft.id}`)).body).toMatchObject({ visibility: 'members' })
  expect((await office.get(`/data/events/${open.id}`)).body).toMatchObject({ visibility: 'unlisted' })
})

test('copies stand at the same time by the clocks of the place, and undo archives those that nobody touched', async ({ office, event }) => {
  const one = await event({ questions: [{ text: 'Diet' }] })
  const other = await event({ title: 'Other' })
  const done = await run(office, { ids: [one.id, other.id] }, { do: 'copy', weeks: 2 })
  expect(done.counts).toMatchObject({ changed: 2 })
  const drafts = async () => {
    const filter = encodeURIComponent(JSON.stringify({ and: [{ or: [{ field: 'drafts', op: 'is', value: true }] }] }))
    return ((await office.get(`/data/events?filter=${filter}`)).body as { items: Event[] }).items
  }
  const copies = await drafts()
  // Summer time begins in between.
  expect(copies.map(({ title, startsLocal }) => [title, startsLocal]).toSorted()).toEqual([
    ['Lecture', '2090-04-03T19:00:00'],
    ['Other', '2090-04-03T19:00:00'],
  ])
  const [copied] = copies.filter(({ title }) => title === 'Lecture')
  expect((await office.get(`/data/events/${copied?.id}`)).body).toMatchObject({ questions: [{ text: 'Diet' }] })
  const kept = copies.find(({ title }) => title === 'Other')
  await office.patch(`/data/events/${kept?.id}`, { summary: 'Better' }, match(kept?.version ?? 0))
  expect((await undo(office, done)).body).toMatchObject({ counts: { changed: 1 } })
  expect((await drafts()).map(({ id }) => id)).toEqual([kept?.id])
})

test('nobody changes more than they run', async ({ api, org, chapter, person, office, event, status }) => {
  const west = await chapter(org, 'West')
  const [here, elsewhere] = [await event({ chapterId: west }), await event()]
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const member = api.as(await person({ org, grants: [{ role: 'member', chapterId: west }] }))
  const ids = { ids: [here.id, elsewhere.id] }
  const changes: EventBulkChange[] = [
    { do: 'cancel', reason: 'Storm' },
    { do: 'archive' },
    { do: 'visibility', visibility: 'public' },
    { do: 'copy', weeks: 1 },
  ]
  for (const change of changes) {
    expect(await preview(officer, ids, change)).toMatchObject({ changed: 1, refused: 1, refusedSample: [{ id: elsewhere.id }] })
    expect(await run(member, ids, change)).toMatchObject({ counts: { changed: 0 } })
  }
  expect((await run(officer, ids, { do: 'cancel', reason: 'Storm' })).counts).toMatchObject({ changed: 1, refused: 1 })
  expect([await status(here.id), await status(elsewhere.id)]).toEqual(['cancelled', 'published'])
  const many = Array.from({ length: 3 }, () => here.id)
  expect((await office.post('/actions/events/bulk', { selection: { ids: many }, change: { do: 'copy', weeks: 0 } })).status).toBe(422)
})

test('a file has what the list shows, and figures of events that its reader runs', async ({
  api,
  org,
  chapter,
  person,
  office,
  event,
  worker,
}) => {
  expect(worker).toBeUndefined()
  const west = await chapter(org, 'West')
  const [here, elsewhere] = [await event({ title: 'Here', chapterId: west }), await event({ title: 'Elsewhere' })]
  const guest = api.as(await person({ org }))
  for (const { id } of [here, elsewhere]) await guest.post(`/data/events/${id}/registrations`, {})
  const wanted = {
    list: 'events',
    format: 'csv',
    columns: ['title', 'status', 'taken', 'confirmed', 'attended', 'paid'],
    selection: { all: {}, except: [] },
    sort: 'title',
  }
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  expect((await guest.post('/actions/exports', wanted)).status).toBe(403)
  expect(await lines(officer, wanted)).toEqual([
    'Title,Status,Seats taken,Confirmed,Attended,Paid',
    'Elsewhere,published,1,,,',
    'Here,published,1,1,0,',
  ])
  expect(await lines(office, wanted)).toEqual([
    'Title,Status,Seats taken,Confirmed,Attended,Paid',
    'Elsewhere,published,1,1,0,',
    'Here,published,1,1,0,',
  ])
})

/** The lines of a file, once the worker has written it. */
async function lines(who: Client, wanted: object): Promise<string[]> {
  const { id } = (await who.post('/actions/exports', wanted)).body as Export
  await expect.poll(async () => ((await who.get(`/data/exports/${id}`)).body as Export).job.status, { timeout: 60_000 }).toBe('done')
  const { text } = await who.get(`/actions/exports/${id}/file`)
  return text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
}
