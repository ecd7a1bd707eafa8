import { describe, expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'
import { follow } from '../../../platform/records/changes-testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Event = { id: string; version: number; ticketTypes: { id: string }[] }
type Registration = { id: string; name: string; status: string; ticketCode: string }
const reg = ({ body }: { body: unknown }) => body as Registration

async function published(boss: Client, more: Record<string, unknown> = {}): Promise<Event> {
  const facts = { title: 'Picnic', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public' }
  const event = (await boss.post('/data/events', { ...facts, ...more })).body as Event
  return (await boss.post(`/data/events/${event.id}/publish`, {}, match(event.version))).body
}
const register = (client: Client, event: { id: string }, more: Record<string, unknown> = {}) =>
  client.post(`/data/events/${event.id}/registrations`, more)
const act = (client: Client, { id }: { id: string }, what: string, body: Record<string, unknown> = {}) =>
  client.post(`/data/registrations/${id}/${what}`, body)
const list = async (client: Client, event: { id: string }, query = '') => {
  const { body } = await client.get(`/data/events/${event.id}/registrations?limit=100${query}`)
  return (body as { items: Registration[] }).items.map(({ name }) => name)
}
const filter = (field: string, op: string, value: unknown) =>
  `&filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op, value }] }] }))}`
const within = (event: { id: string }, ...more: object[]) => ({
  all: { filter: { and: [{ or: [{ field: 'event', op: 'is', value: event.id }] }, ...more.map((one) => ({ or: [one] }))] } },
  except: [],
})
const bulk = (client: Client, selection: object, change: object) => client.post('/actions/registrations/bulk', { selection, change })

describe('paid registrations', () => {
  const ticketTypes = [{ name: 'Seat', price: { amount: 1500, currency: 'EUR' } }]

  test('are approved by the leader of the group and by a manager of the event, who have no right in the chapter', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const { rows } = await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Choir') returning id`, [
      boss.orgId,
    ])
    const groupId = rows[0]?.id ?? ''
    const leader = api.as(await person({ org, grants: [{ role: 'group-leader', groupId }] }))
    const ofGroup = await published(api.as(boss), { groupId, needsApproval: true, ticketTypes })
    const manager = await person({ org })
    const staffed = await published(api.as(boss), {
      needsApproval: true,
      ticketTypes,
      staff: [{ personId: manager.personId, role: 'manager' }],
    })
    for (const [event, runs] of [
      [ofGroup, leader],
      [staffed, api.as(manager)],
    ] as const) {
      const [asked, stranger] = [await person({ org }), await person({ org })]
      const mine = reg(await register(api.as(asked), event))
      expect(mine.status).toBe('pending_approval')
      expect(await act(runs, mine, 'approve')).toMatchObject({ status: 200, body: { status: 'pending_payment' } })
      expect(await api.as(asked).get(`/data/registrations/${mine.id}`)).toMatchObject({ body: { invoice: { state: 'issued' } } })
      // On behalf of somebody the same.
      expect(await register(runs, event, { personId: stranger.personId })).toMatchObject({
        status: 201,
        body: { status: 'pending_payment' },
      })
    }
    // The manager of one event orders nothing for another.
    const other = reg(await register(api.as(await person({ org })), ofGroup))
    expect((await act(api.as(manager), other, 'approve')).status).toBe(404)
  })
})

describe('the waiting list', () => {
  test('has a seat offered by those who run the event, where one is free though nobody is offered any more', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const event = await published(boss, { capacity: 1 })
    const seat = reg(await register(boss, event, { name: 'Ada' }))
    const waiting = reg(await register(me, event))
    expect(await act(boss, waiting, 'offer')).toMatchObject({ status: 409, body: { reason: 'event_full' } })
    // Registration closes: the seat that comes free stays free.
    await admin.query(`update app.events set registration_closes_at = now() - interval '1 minute' where id = $1`, [event.id])
    await act(boss, seat, 'cancel')
    expect(await boss.get(`/data/registrations/${waiting.id}`)).toMatchObject({ body: { status: 'waitlisted', may: { offer: true } } })
    expect(await act(me, waiting, 'offer')).toMatchObject({ status: 403, body: { reason: 'registration_decided' } })
    expect(await act(boss, waiting, 'offer')).toMatchObject({ status: 200, body: { status: 'offered', may: { answerOffer: true } } })
    expect(await act(boss, waiting, 'offer')).toMatchObject({ status: 409, body: { reason: 'registration_move' } })
    expect(await act(me, waiting, 'accept')).toMatchObject({ body: { status: 'confirmed' } })
    // Why this seat is taken: the lines of this registration alone, the newest first.
    expect(await boss.get(`/data/events/${event.id}/capacity?registrationId=${waiting.id}`)).toMatchObject({
      body: { differences: 0, items: [{ cause: 'accepted' }, { cause: 'offered' }, { cause: 'waiting' }] },
    })
  })
})

describe('the list', () => {
  test('is searched, filtered, sorted and turned page after page', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss, { capacity: 3 })
    const made: Registration[] = []
    for (const name of ['Ines Costa', 'Bo Berg', 'Ana Lima', 'Zoe Moss', 'Carl Moss']) made.push(reg(await register(boss, event, { name })))
    await boss.post(`/data/events/${event.id}/check-ins`, { code: made[0]?.ticketCode, clientId: 'door-0001', device: 'Door 1' })
    expect(await list(boss, event)).toEqual(['Ana Lima', 'Bo Berg', 'Carl Moss', 'Ines Costa', 'Zoe Moss'])
    expect(await list(boss, event, '&sort=-createdAt')).toEqual(['Carl Moss', 'Zoe Moss', 'Ana Lima', 'Bo Berg', 'Ines Costa'])
    expect(await list(boss, event, '&q=moss')).toEqual(['Carl Moss', 'Zoe Moss'])
    // Words in any order.
    expect(await list(boss, event, '&q=costa%20ines')).toEqual(['Ines Costa'])
    expect(await list(boss, event, filter('status', 'in', ['waitlisted']) + '&sort=waiting')).toEqual(['Zoe Moss', 'Carl Moss'])
    expect(await list(boss, event, filter('status', 'in', ['checked_in']))).toEqual(['Ines Costa'])
    expect(await list(boss, event, filter('noShow', 'is', true))).toEqual([])
    expect(await boss.get(`/data/registrations/${made[0]?.id}`)).toMatchObject({
      body: { checkIn: { id: expect.any(String), device: 'Door 1', by: expect.any(String) } },
    })
    const first = (await boss.get(`/data/events/${event.id}/registrations?limit=3`)).body as { nextCursor: string }
    expect(await list(boss, event, `&cursor=${encodeURIComponent(first.nextCursor)}`)).toEqual(['Ines Costa', 'Zoe Moss'])
    expect(await boss.get(`/data/events/${event.id}/registrations?sort=price`)).toMatchObject({ status: 400, body: { reason: 'sort' } })
  })

  test('is changed together: who may is, and the rest is counted', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss, { needsApproval: true, capacity: 2 })
    const people = await Promise.all(Array.from({ length: 4 }, () => person({ org })))
    const made: Registration[] = []
    for (const one of people) made.push(reg(await register(api.as(one), event)))
    const request = { selection: within(event), change: { do: 'approve' } }
    expect(await boss.post('/actions/registrations/bulk/preview', request)).toMatchObject({ body: { matched: 4, changed: 4, refused: 0 } })
    // Members see their own, and decide nothing about it.
    const [one] = people
    if (!one) throw new Error('four people')
    expect(await bulk(api.as(one), within(event), { do: 'approve' })).toMatchObject({
      body: { counts: { matched: 1, refused: 1, changed: 0 } },
    })
    const ids = { ids: made.slice(0, 3).map(({ id }) => id) }
    expect(await bulk(boss, ids, { do: 'approve' })).toMatchObject({ body: { counts: { matched: 3, changed: 3 }, undoableUntil: null } })
    // Seats go to whoever registered first.
    const states = await Promise.all(made.map(async ({ id }) => reg(await boss.get(`/data/registrations/${id}`)).status))
    expect(states).toEqual(['confirmed', 'confirmed', 'waitlisted', 'pending_approval'])
    expect(
      await bulk(boss, within(event, { field: 'status', op: 'in', value: ['pending_approval'] }), { do: 'reject', reason: 'Full' }),
    ).toMatchObject({
      body: { counts: { matched: 1, changed: 1 } },
    })
    expect(await bulk(boss, within(event), { do: 'check_in' })).toMatchObject({ body: { counts: { matched: 4, changed: 2, refused: 2 } } })
    expect(await bulk(boss, within(event), { do: 'check_in' })).toMatchObject({ body: { counts: { changed: 0, unchanged: 2 } } })
    expect(await bulk(boss, within(event), { do: 'cancel', reason: 'Storm' })).toMatchObject({
      body: { counts: { changed: 1, refused: 2, unchanged: 1 } },
    })
    expect(await bulk(boss, within(event), { do: 'undo_check_in' })).toMatchObject({ body: { counts: { changed: 2 } } })
    expect(await boss.get(`/data/events/${event.id}/capacity`)).toMatchObject({
      body: { differences: 0, counts: { confirmed: 2, checkedIn: 0 } },
    })
  })

  test('of an event that was entered afterwards says who came', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const past = { startsAt: '2020-07-01T16:00:00Z', recordsAttendance: true }
    const event = await published(boss, past)
    await register(boss, event, { name: 'Ada' })
    await register(boss, event, { name: 'Bo' })
    expect(await list(boss, event, filter('noShow', 'is', true))).toEqual(['Ada', 'Bo'])
    const [ada] = (await boss.get(`/data/events/${event.id}/registrations`)).body['items'] as Registration[]
    expect(await bulk(boss, { ids: [ada?.id] }, { do: 'check_in' })).toMatchObject({ body: { counts: { changed: 1 } } })
    expect(await list(boss, event, filter('noShow', 'is', true))).toEqual(['Bo'])
  })
})

describe('devices at the door', () => {
  test('ask for what changed since, and are told of who lost their seat', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss)
    const ada = reg(await register(boss, event, { name: 'Ada' }))
    await register(boss, event, { name: 'Bo' })
    const roster = async (query = '') =>
      (await boss.get(`/data/events/${event.id}/check-in/roster${query}`)).body as {
        asOf: string
        items: { name: string; status: string }[]
      }
    const { asOf, items } = await roster()
    expect(items.map(({ name }) => name)).toEqual(['Ada', 'Bo'])
    // An hour ago, as far as the table knows.
    await admin.query(`set session_replication_role = replica; update app.registrations set updated_at = now() - interval '1 hour' where event_id = '${event.id}';
      set session_replication_role = default`)
    const since = `?since=${encodeURIComponent(asOf)}`
    expect((await roster(since)).items).toEqual([])
    await act(boss, ada, 'cancel')
    expect((await roster(since)).items).toMatchObject([{ name: 'Ada', status: 'cancelled' }])
  })

  test('hear at once that somebody came, and nothing of events that they do not see', async ({ api, organisation, person, variant }) => {
    const org = await organisation()
    const admin = await person({ org, idpRoles: ['org-admin'] })
    const boss = api.as(admin)
    const member = await person({ org })
    const event = await published(boss, { visibility: 'invite' })
    const { app } = await variant({})
    const address = await app.listen({ port: 0 })
    const streams = await Promise.all(
      [admin, member, admin].map(({ token }, nth) => follow(address, token, nth < 2 ? { eventId: event.id } : {})),
    )
    const [seeing, blind, elsewhere] = streams
    for (const stream of streams) await stream.until(({ type }) => type === 'ready')
    await register(boss, event, { name: 'Ada' })
    expect(await seeing?.until(({ type }) => type === 'event')).toEqual({ type: 'event', eventId: event.id })
    await new Promise((resolve) => setTimeout(resolve, 700))
    for (const stream of [blind, elsewhere]) expect(stream?.events.filter(({ type }) => type === 'event')).toEqual([])
    for (const stream of streams) stream.leave()
    await app.close()
  })
})

test('who checks people in finds them by name and not by an address they are not shown, and dates no scan before the event', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const scanner = await person({ org })
  const event = await published(boss, { staff: [{ personId: scanner.personId, role: 'checkin' }] })
  await register(boss, event, { name: 'Kim Larsen', email: 'hidden@club.example' })
  expect(await list(boss, event, '&q=hidden')).toEqual(['Kim Larsen'])
  expect(await list(api.as(scanner), event, '&q=hidden')).toEqual([])
  expect(await list(api.as(scanner), event, '&q=larsen')).toEqual(['Kim Larsen'])
  const { body: roster }: { body: { items: { code: string }[] } } = await boss.get(`/data/events/${event.id}/check-in/roster`)
  const scan = { code: roster.items[0]?.code, clientId: 'device-0001', device: 'Door', at: '1990-01-01T00:00:00Z' }
  const { body, text }: { body: { registration?: { checkedInAt: string } }; text: string } = await api
    .as(scanner)
    .post(`/data/events/${event.id}/check-ins`, scan)
  const dated = /"(?:checkedInAt|scannedAt|at)":"([^"]+)"/.exec(text)?.[1] ?? ''
  expect(Date.now() - Date.parse(dated), JSON.stringify(body)).toBeLessThan(25 * 3_600_000)
})
