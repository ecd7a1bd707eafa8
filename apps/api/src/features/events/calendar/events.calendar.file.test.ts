import nodeIcal from 'node-ical'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Event = { id: string; version: number }

test('an event is downloaded as a calendar file: the same entry after every change, and only for who sees it', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const me = api.as(await person({ org }))
  const facts = {
    ...{
      title: 'Picnic, with cake',
      startsAt: '2090-07-01T16:00:00Z',
      timezone: 'Europe/Berlin',
      venueName: 'Park',
      venueAddress: 'Lake Road 1\nBerlin',
    },
    ...{ mode: 'hybrid', link: { url: 'https://meet.example.org/1' }, visibility: 'members' },
  }
  const draft = (await boss.post('/data/events', facts)).body as Event
  expect(await me.get(`/data/events/${draft.id}/ics`)).toMatchObject({ status: 404 })
  const event = (await boss.post(`/data/events/${draft.id}/publish`, {}, match(draft.version))).body as Event

  const fetched = await me.get(`/data/events/${event.id}/ics`)
  expect(fetched.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment/),
  })
  const entryIn = (text: unknown) => Object.values(nodeIcal.sync.parseICS(String(text))).find((one) => one?.type === 'VEVENT')
  const before = entryIn(fetched.text)
  expect(before).toMatchObject({
    ...{ uid: expect.stringContaining(event.id), summary: 'Picnic, with cake', location: 'Park, Lake Road 1, Berlin', status: 'CONFIRMED' },
    start: expect.objectContaining({ tz: 'Europe/Berlin' }),
  })
  // The link is for people with a seat.
  expect(fetched.text).not.toContain('meet.example.org')
  await me.post(`/data/events/${event.id}/registrations`, {})
  expect((await me.get(`/data/events/${event.id}/ics`)).text).toContain('meet.example.org')

  const { version } = (await boss.get(`/data/events/${event.id}`)).body as Event
  await boss.post(`/data/events/${event.id}/cancel`, { reason: 'Flooded' }, match(version))
  const after = entryIn((await me.get(`/data/events/${event.id}/ics`)).text)
  expect(after).toMatchObject({ uid: before?.type === 'VEVENT' ? before.uid : '', status: 'CANCELLED' })
  expect(Number(after?.type === 'VEVENT' && after.sequence)).toBeGreaterThan(Number(before?.type === 'VEVENT' && before.sequence))
})
