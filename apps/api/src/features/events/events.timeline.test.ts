import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

type Event = { id: string; version: number }
const match = (version: number) => ({ 'if-match': `"${version}"` })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

test('activity tells who came, to those who see that they did, and not of an event that is hidden', async ({ api, admin, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const ann = await person({ org, chapterId: west })
  const draft = (await boss.post('/data/events', { title: 'Lecture', chapterId: west, startsAt: inDays(1), venueName: 'Hall', visibility: 'chapter' })).body as Event
  const event = (await boss.post(`/data/events/${draft.id}/publish`, {}, match(draft.version))).body as Event
  const seat = (await api.as(ann).post(`/data/events/${event.id}/registrations`, {})).body as { id: string }
  const told = async (client: Client) => {
    const { items } = (await client.get(`/data/people/${ann.personId}/timeline?category=events`)).body as { items: TimelineEntry[] }
    return items.map(({ kind, subject }) => [kind, subject?.name])
  }
  expect(await told(boss)).toEqual([])
  await admin.query(`update app.registrations set status = 'checked_in', checked_in_at = now() where id = $1`, [seat.id])
  const attended = [['event-attended', 'Lecture']]
  expect(await told(boss)).toEqual(attended)
  expect(await told(api.as(ann))).toEqual(attended)
  expect(await told(api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] })))).toEqual(attended)
  // Other members see neither the attendance, nor, elsewhere, the event.
  expect(await told(api.as(await person({ org, chapterId: west })))).toEqual([])
  expect(await told(api.as(await person({ org })))).toEqual([])
}) // prettier-ignore

test('my events say the place on the waiting list, the deadline of an offer, and later what became of them', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [first, ann] = [api.as(await person({ org })), api.as(await person({ org }))]
  const draft = (await boss.post('/data/events', { title: 'Dinner', startsAt: inDays(9), venueName: 'Hall', capacity: 1 })).body as Event
  const event = (await boss.post(`/data/events/${draft.id}/publish`, {}, match(draft.version))).body as Event
  const seat = (await first.post(`/data/events/${event.id}/registrations`, {})).body as { id: string }
  await ann.post(`/data/events/${event.id}/registrations`, {})
  const mine = async () => {
    const filter = JSON.stringify({ and: [{ or: [{ field: 'mine', op: 'is', value: true }] }] })
    const { items } = (await ann.get(`/data/events?filter=${encodeURIComponent(filter)}`)).body as { items: { mine: unknown }[] }
    return items.map((item) => item.mine)
  }
  expect(await mine()).toEqual([expect.objectContaining({ status: 'waitlisted', position: 1, offerUntil: null })])
  await first.post(`/data/registrations/${seat.id}/cancel`, { reason: 'Ill' })
  expect(await mine()).toEqual([expect.objectContaining({ status: 'offered', position: null, offerUntil: expect.any(String) })])

  await admin.query(`update app.events set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1`, [event.id])
  const past = async (client: Client) => ((await client.get('/data/registrations?past=true')).body as { items: { status: string; event: { attendanceTaken: boolean } }[] }).items
  expect(await past(first)).toEqual([expect.objectContaining({ status: 'cancelled', event: expect.objectContaining({ attendanceTaken: false }) })])
  expect(await past(ann)).toHaveLength(1)
}) // prettier-ignore
