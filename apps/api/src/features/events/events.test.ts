import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const filtered = (field: string, value: unknown) =>
  `filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op: 'is', value }] }] }))}`
const titles = ({ body }: { body: unknown }) => (body as { items: { title: string }[] }).items.map(({ title }) => title)
type Made = { id: string; version: number; ticketTypes: { id: string; name: string }[]; questions: { id: string }[] }
const made = ({ body }: { body: unknown }) => body as Made
const url = '/data/events'
const picnic = { title: 'Picnic', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park' }
const draft = async (client: Client, more: Record<string, unknown> = {}) => made(await client.post(url, { ...picnic, ...more }))
const act = (client: Client, { id, version }: Made, what: string, body: Record<string, unknown> = {}) =>
  client.post(`${url}/${id}/${what}`, body, match(version))

test('a title and a start make a draft; times are those of the chapter, and the end two hours later', async ({
  api,
  organisation,
  chapter,
  person,
}) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  await api.as(await person({ org, idpRoles: ['org-admin'] })).patch(`/data/chapters/${west}`, { timezone: 'Europe/Lisbon' }, match(1))
  const me = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  expect(await me.post(url, { title: 'Picnic', startsAt: '2090-07-01T16:00:00Z', chapterId: west })).toMatchObject({
    status: 201,
    body: {
      status: 'draft',
      timezone: 'Europe/Lisbon',
      startsLocal: '2090-07-01T17:00:00',
      endsLocal: '2090-07-01T19:00:00',
      visibility: 'members',
      registration: 'none',
      missing: ['place'],
      may: { edit: true, publish: true },
    },
  })
})

test('what makes no sense is refused by its field', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const refused = async (more: Record<string, unknown>) => {
    const { status, body } = await me.post(url, { ...picnic, ...more })
    const { reason, errors } = body as { reason: string; errors: { path: string }[] }
    return [status, reason, errors[0]?.path]
  }
  expect(await refused({ endsAt: '2090-07-01T16:00:00Z' })).toEqual([422, 'event_ends', 'endsAt'])
  expect(await refused({ endsAt: '2090-09-01T16:00:00Z' })).toEqual([422, 'event_length', 'endsAt'])
  expect(await refused({ registrationClosesAt: '2090-07-02T16:00:00Z' })).toEqual([
    422,
    'event_registration_closes',
    'registrationClosesAt',
  ])
  expect(await refused({ visibility: 'group' })).toEqual([422, 'event_visibility_group', 'visibility'])
  expect(await refused({ startsAt: '2020-07-01T16:00:00Z' })).toEqual([422, 'event_past', 'startsAt'])
  expect(await refused({ timezone: 'Europe/Atlantis' })).toEqual([422, undefined, 'timezone'])
  const ticket = { name: 'Seat', quota: 60 }
  expect(await refused({ capacity: 100, ticketTypes: [ticket, { ...ticket, name: 'Balcony' }] })).toEqual([
    422,
    'event_tickets_over_capacity',
    'ticketTypes',
  ])
  expect(await me.post(url, { ...picnic, startsAt: '2020-07-01T16:00:00Z', recordsAttendance: true })).toMatchObject({ status: 201 })
})

test('an event is published once it has a place, cancelled with a reason, archived and restored as it was', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const member = api.as(await person({ org }))
  const event = await draft(me, { venueName: '', visibility: 'public' })
  expect(await member.get(`${url}/${event.id}`)).toMatchObject({ status: 404 })
  expect(await act(me, event, 'publish')).toMatchObject({ status: 422, body: { reason: 'event_needs_place' } })
  const placed = made(await me.patch(`${url}/${event.id}`, { mode: 'online', link: { url: 'https://meet.example.org/1' } }, match(1)))
  const published = await act(me, placed, 'publish')
  expect(published).toMatchObject({ status: 200, body: { status: 'published', registration: 'open', missing: [] } })
  // Where it takes place online is for people who are registered.
  expect(await member.get(`${url}/${event.id}`)).toMatchObject({ body: { link: null, hasLink: true, may: { edit: false } } })
  expect(await me.get(`${url}/${event.id}`)).toMatchObject({ body: { link: { url: 'https://meet.example.org/1' } } })
  expect(await act(member, made(published), 'cancel', { reason: 'No' })).toMatchObject({ status: 403 })
  const cancelled = await act(me, made(published), 'cancel', { reason: 'Flooded' })
  expect(cancelled).toMatchObject({ body: { status: 'cancelled', cancelReason: 'Flooded', registration: 'closed' } })
  expect(await act(me, made(cancelled), 'publish')).toMatchObject({ status: 409, body: { reason: 'event_move' } })
  const archived = await act(me, made(cancelled), 'archive')
  expect(await member.get(`${url}/${event.id}`)).toMatchObject({ status: 404 })
  expect(titles(await me.get(url))).toEqual([])
  expect(titles(await me.get(`${url}?${filtered('archived', true)}`))).toEqual(['Picnic'])
  expect(await act(me, made(archived), 'restore')).toMatchObject({ body: { status: 'cancelled' } })
})

test('a group leader drafts events of the group, which others publish', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const group = (await boss.post('/data/groups', { name: 'Choir', kind: 'interest', chapterId: org.rootChapterId })).body as { id: string }
  const leader = await person({ org })
  await boss.post(`/data/groups/${group.id}/members`, { personId: leader.personId, role: 'leader' })
  const event = await draft(api.as(leader), { groupId: group.id, visibility: 'group' })
  expect(event).toMatchObject({ chapter: { id: org.rootChapterId }, may: { edit: true, publish: false } })
  expect(await act(api.as(leader), event, 'publish')).toMatchObject({ status: 403, body: { reason: 'event_publish' } })
  expect(await act(boss, event, 'publish')).toMatchObject({ status: 200 })
  expect(await api.as(await person({ org })).get(`${url}/${event.id}`)).toMatchObject({ status: 404 })
  expect(await api.as(leader).post(url, picnic)).toMatchObject({ status: 403 })
})

test('staff manage their one event, and check-in staff only see it', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [manager, door] = [await person({ org }), await person({ org })]
  const event = await draft(boss, {
    visibility: 'invite',
    staff: [
      { personId: manager.personId, role: 'manager' },
      { personId: door.personId, role: 'checkin' },
    ],
  })
  expect(await api.as(manager).patch(`${url}/${event.id}`, { capacity: 20 }, match(event.version))).toMatchObject({
    status: 200,
    body: { capacity: 20 },
  })
  expect(await api.as(door).get(`${url}/${event.id}`)).toMatchObject({
    status: 200,
    body: { may: { edit: false, seeRegistrations: true } },
  })
  expect(await api.as(door).patch(`${url}/${event.id}`, { capacity: 1 }, match(event.version + 1))).toMatchObject({ status: 403 })
  const other = await draft(boss)
  expect(await api.as(manager).get(`${url}/${other.id}`)).toMatchObject({ status: 404 })
})

test('parts are replaced as lists: what stays keeps its id, and what goes is gone', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const event = await draft(me, {
    ticketTypes: [{ name: 'Full', price: { amount: 2000, currency: 'EUR' }, memberPrice: 1000 }, { name: 'Student' }],
    questions: [{ text: 'Diet?', kind: 'choice', options: ['None', 'Vegan'], required: true }],
    programme: [{ title: 'Welcome', startsAt: '2090-07-01T16:00:00Z' }],
    promoCodes: [{ code: 'early', percent: 20 }],
  })
  expect(event).toMatchObject({
    ticketTypes: [
      { name: 'Full', myPrice: 2000, taken: 0, onSale: true },
      { name: 'Student', price: { amount: 0, currency: 'EUR' } },
    ],
    promoCodes: [{ code: 'EARLY', used: 0 }],
  })
  const [full] = event.ticketTypes
  const after = await me.patch(`${url}/${event.id}`, { ticketTypes: [{ name: 'Late' }, { id: full?.id, name: 'Full price' }] }, match(1))
  expect(after).toMatchObject({
    status: 200,
    body: { version: 2, ticketTypes: [{ name: 'Late' }, { id: full?.id, name: 'Full price' }], questions: [{ text: 'Diet?' }] },
  })
  expect(
    await me.patch(`${url}/${event.id}`, { ticketTypes: [{ id: event.ticketTypes[1]?.id, name: 'Student' }] }, match(2)),
  ).toMatchObject({
    status: 422,
    body: { reason: 'event_part_unknown' },
  })
  expect(await me.patch(`${url}/${event.id}`, { ticketTypes: [], programme: [] }, match(2))).toMatchObject({
    body: { ticketTypes: [], programme: [] },
  })
})

test('a change to a version that is past is refused with the present one', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const { id } = await draft(me)
  expect(await me.patch(`${url}/${id}`, { questions: [{ text: 'Diet?' }] }, match(1))).toMatchObject({ body: { version: 2 } })
  expect(await me.patch(`${url}/${id}`, { title: 'Mine' }, match(1))).toMatchObject({ status: 412, body: { current: { version: 2 } } })
})

test('events are found, filtered, sorted and read a page at a time', async ({ api, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  await draft(me, { title: 'Énergie', startsAt: '2090-08-01T16:00:00Z' })
  await draft(me, { title: 'Water', chapterId: west })
  expect(titles(await me.get(`${url}?q=energ`))).toEqual(['Énergie'])
  expect(titles(await me.get(url))).toEqual(['Water', 'Énergie'])
  expect(titles(await me.get(`${url}?sort=-title`))).toEqual(['Water', 'Énergie'])
  expect(titles(await me.get(`${url}?${filtered('chapter', org.rootChapterId)}`))).toEqual(['Water'])
  expect(titles(await me.get(`${url}?${filtered('past', true)}`))).toEqual([])
  const first = await me.get(`${url}?limit=1`)
  const { nextCursor } = first.body as { nextCursor: string }
  expect(titles(await me.get(`${url}?limit=1&cursor=${nextCursor}`))).toEqual(['Énergie'])
})

test('a calendar has the events of its days by their own clocks, and how many there are', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  // The first of July in Auckland, still June elsewhere; and one that began the day before.
  await draft(me, { title: 'Far', startsAt: '2090-06-30T20:00:00Z', timezone: 'Pacific/Auckland' })
  await draft(me, { title: 'Long', startsAt: '2090-06-30T20:00:00Z', endsAt: '2090-07-02T20:00:00Z', timezone: 'UTC' })
  await draft(me, { title: 'Before', startsAt: '2090-06-30T20:00:00Z', timezone: 'UTC' })
  const july = await me.get(`${url}/calendar?from=2090-07-01&to=2090-07-31`)
  expect(titles(july)).toEqual(['Long', 'Far'])
  expect(july).toMatchObject({
    body: {
      days: [
        { date: '2090-06-30', events: 1 },
        { date: '2090-07-01', events: 1 },
      ],
    },
  })
  expect(await me.get(`${url}/calendar?from=2090-07-01&to=2091-07-31`)).toMatchObject({ status: 422 })
})

test('a copy has everything but the registrations, at times as much later; a template is copied and never published', async ({
  api,
  organisation,
  person,
}) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const event = await draft(me, {
    registrationClosesAt: '2090-06-30T16:00:00Z',
    ticketTypes: [{ name: 'Seat' }],
    questions: [{ text: 'Diet?' }],
  })
  const copy = await me.post(`${url}/${event.id}/copy`, { startsAt: '2090-07-08T16:00:00Z' })
  expect(copy).toMatchObject({
    status: 201,
    body: {
      title: 'Picnic',
      endsLocal: '2090-07-08T18:00:00',
      registrationClosesAt: '2090-07-07T16:00:00+00:00',
      ticketTypes: [{ name: 'Seat' }],
      questions: [{ text: 'Diet?' }],
    },
  })
  expect(made(copy).ticketTypes[0]?.id).not.toBe(event.ticketTypes[0]?.id)
  const template = made(await me.post(`${url}/${event.id}/copy`, { templateName: 'Yearly picnic' }))
  expect(await me.get('/data/event-templates')).toMatchObject({ body: { items: [{ templateName: 'Yearly picnic' }] } })
  expect(await act(me, template, 'publish')).toMatchObject({ status: 409, body: { reason: 'event_template_not_published' } })
  expect(titles(await me.get(url))).not.toContain('Yearly picnic')
})
