import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Event = { id: string; version: number; ticketTypes: { id: string }[]; questions: { id: string }[] }
type Registration = { id: string; status: string; ticketCode: string; invoice: { id: string } | null }
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
const look = (client: Client, { id }: { id: string }) => client.get(`/data/registrations/${id}`)
/** Counts of the event; the ledger and the registrations agree with them. */
async function standing(boss: Client, event: { id: string }) {
  const { body } = await boss.get(`/data/events/${event.id}/capacity?limit=200`)
  expect(body).toMatchObject({ differences: 0 })
  return body as { counts: Record<string, number>; items: { cause: string; seats: number; taken: number }[] }
}

describe('a free event', () => {
  test('one click registers, once; the ticket is there, and the link is shown', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const event = await published(boss, { mode: 'online', link: { url: 'https://meet.example.org/1' } })
    expect(await me.get(`/data/events/${event.id}`)).toMatchObject({ body: { link: null, mine: null, may: { register: true } } })
    const mine = await register(me, event)
    expect(mine).toMatchObject({ status: 201, body: { status: 'confirmed', ticketCode: expect.any(String), may: { cancel: true } } })
    expect(await me.get(`/data/events/${event.id}`)).toMatchObject({
      body: { link: { url: 'https://meet.example.org/1' }, taken: 1, mine: { registrationId: reg(mine).id }, may: { register: false } },
    })
    expect(await register(me, event)).toMatchObject({
      status: 409,
      body: { reason: 'registration_exists', current: { id: reg(mine).id, ticketCode: reg(mine).ticketCode } },
    })
    expect(await me.get('/data/registrations')).toMatchObject({ body: { items: [{ id: reg(mine).id }] } })
    // Who comes is seen by those who run the event, and by nobody else.
    expect(await boss.get(`/data/events/${event.id}/registrations`)).toMatchObject({ body: { items: [{ id: reg(mine).id }] } })
    const other = api.as(await person({ org }))
    expect(await other.get(`/data/events/${event.id}/registrations`)).toMatchObject({ body: { items: [] } })
    expect(await look(other, reg(mine))).toMatchObject({ status: 404 })
    expect(await act(other, reg(mine), 'cancel')).toMatchObject({ status: 404 })
    expect(await other.get(`/data/events/${event.id}/capacity`)).toMatchObject({ status: 403 })
  })

  test('guests come along as far as they may, and leave with their host', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const event = await published(boss, { guestsPerPerson: 2, capacity: 4 })
    const guest = (name: string) => ({ name })
    expect(await register(me, event, { guests: ['A', 'B', 'C'].map(guest) })).toMatchObject({
      status: 422,
      body: { reason: 'registration_guests' },
    })
    const mine = await register(me, event, { guests: ['A', 'B'].map(guest) })
    expect(mine).toMatchObject({ status: 201, body: { guests: [{ name: 'A', status: 'confirmed' }, { name: 'B' }] } })
    const other = api.as(await person({ org }))
    expect(await register(other, event, { guests: [guest('D')] })).toMatchObject({
      status: 409,
      body: { reason: 'event_seats_left', params: { left: 1 } },
    })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 3 })
    await act(me, reg(mine), 'cancel', { reason: 'Ill' })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 0, cancelled: 3 })
    // Registering once more is possible.
    expect(await register(me, event)).toMatchObject({ status: 201 })
  })

  test('questions are answered, and what does not fit is refused', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const event = await published(boss, { questions: [{ text: 'Diet?', kind: 'choice', options: ['None', 'Vegan'], required: true }] })
    const answer = (value: unknown) => ({ answers: [{ questionId: event.questions[0]?.id, value }] })
    expect(await register(me, event)).toMatchObject({ status: 422, body: { reason: 'answer_needed', params: { question: 'Diet?' } } })
    expect(await register(me, event, answer('Meat'))).toMatchObject({ status: 422, body: { reason: 'answer_wrong' } })
    expect(await register(me, event, answer('Vegan'))).toMatchObject({
      status: 201,
      body: { answers: [{ text: 'Diet?', value: 'Vegan' }] },
    })
  })

  test('registering is possible within its window, and cancelling until the deadline', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const later = await published(boss, { registrationOpensAt: '2090-01-01T00:00:00Z' })
    expect(await register(me, later)).toMatchObject({ status: 409, body: { reason: 'registration_not_open' } })
    const event = await published(boss)
    const mine = reg(await register(me, event))
    await admin.query(
      `update app.events set cancel_until = now() - interval '1 hour', registration_closes_at = now() - interval '1 hour' where id = $1`,
      [event.id],
    )
    expect(await act(me, mine, 'cancel')).toMatchObject({ status: 409, body: { reason: 'registration_cancel_late' } })
    const other = await person({ org })
    expect(await register(api.as(other), event)).toMatchObject({ status: 409, body: { reason: 'registration_closed' } })
    // Those who run it still may, for anybody.
    expect(await register(api.as(other), event, { name: 'Somebody' })).toMatchObject({ status: 409 })
    expect(await register(boss, event, { personId: other.personId })).toMatchObject({ status: 201, body: { source: 'organiser' } })
    expect(await register(boss, event, { name: 'Kim', email: 'kim@example.org' })).toMatchObject({
      status: 201,
      body: { person: null, name: 'Kim' },
    })
    expect(await act(boss, mine, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  })

  test('nobody registers others but those who run the event', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss)
    const [me, other] = [await person({ org }), await person({ org })]
    expect(await register(api.as(me), event, { personId: other.personId })).toMatchObject({
      status: 403,
      body: { reason: 'registration_for_others' },
    })
    expect(await register(api.as(me), event, { name: 'Kim' })).toMatchObject({ status: 403 })
  })

  test('with approval nobody has a seat before it is given; rejected ones never', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [one, two] = [api.as(await person({ org })), api.as(await person({ org }))]
    const event = await published(boss, { needsApproval: true, capacity: 1 })
    const [first, second] = [reg(await register(one, event)), reg(await register(two, event))]
    expect(first).toMatchObject({ status: 'pending_approval', ticketCode: null })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 0, pendingApproval: 2 })
    expect(await act(one, first, 'approve')).toMatchObject({ status: 403, body: { reason: 'registration_decided' } })
    expect(await act(boss, first, 'approve')).toMatchObject({ body: { status: 'confirmed' } })
    // No seat is left for the second, who waits for one.
    expect(await act(boss, second, 'approve')).toMatchObject({ body: { status: 'waitlisted', waiting: { position: 1, of: 1 } } })
    expect(await act(boss, second, 'reject')).toMatchObject({ status: 409, body: { reason: 'registration_move' } })
  })
})

describe('the waiting list', () => {
  test('a free seat goes to whoever waits longest, once, and to the next when the offer ends', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const people = await Promise.all(Array.from({ length: 4 }, () => person({ org })))
    const [first, second, third, fourth] = people.map((one) => api.as(one))
    if (!first || !second || !third || !fourth) throw new Error('four people')
    const event = await published(boss, { capacity: 1 })
    const seat = reg(await register(first, event))
    const waiting = [reg(await register(second, event)), reg(await register(third, event)), reg(await register(fourth, event))]
    expect(await look(third, waiting[1] ?? seat)).toMatchObject({
      body: { status: 'waitlisted', ticketCode: null, waiting: { position: 2, of: 3 } },
    })
    await act(first, seat, 'cancel')
    expect(await look(second, waiting[0] ?? seat)).toMatchObject({ body: { status: 'offered', may: { answerOffer: true } } })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 1, offered: 1, waiting: 2 })
    // Somebody else has to wait, although the seat is not confirmed yet.
    expect(await register(first, event)).toMatchObject({ body: { status: 'waitlisted', waiting: { position: 3 } } })
    await admin.query(`update app.registrations set offer_until = now() - interval '1 second' where event_id = $1 and status = 'offered'`, [
      event.id,
    ])
    expect(await act(second, waiting[0] ?? seat, 'accept')).toMatchObject({ status: 409, body: { reason: 'registration_offer_over' } })
    await admin.query('select app.run_registrations($1, 20)', [org.id])
    expect(await look(second, waiting[0] ?? seat)).toMatchObject({ body: { status: 'cancelled', cause: 'offer_expired' } })
    expect(await act(third, waiting[1] ?? seat, 'accept')).toMatchObject({ body: { status: 'confirmed', ticketCode: expect.any(String) } })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 1, confirmed: 1, offered: 0, waiting: 2 })
  })

  test('more seats are offered at once, fewer than are taken are refused, and nothing is offered once registration has closed', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss, { capacity: 1 })
    for (let nth = 0; nth < 4; nth++) await register(api.as(await person({ org })), event)
    expect((await standing(boss, event)).counts).toMatchObject({ confirmed: 1, waiting: 3 })
    const raised = (await boss.patch(`/data/events/${event.id}`, { capacity: 3 }, match(event.version))).body as Event
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 3, offered: 2, waiting: 1 })
    expect(await boss.patch(`/data/events/${event.id}`, { capacity: 2 }, match(raised.version))).toMatchObject({
      status: 409,
      body: { reason: 'event_capacity_taken', params: { taken: 3 } },
    })
    await admin.query(`update app.events set registration_closes_at = now() - interval '1 hour' where id = $1`, [event.id])
    const { items } = (await boss.get(`/data/events/${event.id}/registrations?sort=createdAt`)).body as { items: Registration[] }
    await act(boss, items[0] ?? { id: '' }, 'cancel')
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 2, waiting: 1 })
  })

  test('cancelling the event ends what waits, with its reason in the ledger', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss, { capacity: 1 })
    await register(api.as(await person({ org })), event)
    await register(api.as(await person({ org })), event)
    await boss.post(`/data/events/${event.id}/cancel`, { reason: 'Flooded' }, match(event.version))
    const { counts, items } = await standing(boss, event)
    expect(counts).toMatchObject({ confirmed: 1, waiting: 0, cancelled: 1 })
    expect(items[0]).toMatchObject({ cause: 'event_cancelled', seats: 0, taken: 1 })
  })
})

describe('tickets', () => {
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  test('a seat is held until it is paid; the member price is for members, and codes lower it', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const finance = api.as(await person({ org, grants: [{ role: 'org-owner' }] }))
    const [member, guest] = [await person({ org }), await person({ org })]
    const type = { name: 'Full', period: 'rolling', months: 12, price: eur(0), needsApproval: false }
    const { id: typeId } = (await boss.post('/data/membership-types', type)).body as { id: string }
    await api.as(member).post('/data/memberships/applications', { typeId, chapterId: null })
    const event = await published(boss, {
      capacity: 3,
      ticketTypes: [{ name: 'Seat', price: eur(2000), memberPrice: 1500 }],
      promoCodes: [{ code: 'HALF', percent: 50, usesLimit: 1 }],
    })
    expect(await api.as(member).get(`/data/events/${event.id}`)).toMatchObject({
      body: { ticketTypes: [{ myPrice: 1500 }], promoCodes: null },
    })
    const paying = await register(api.as(member), event)
    expect(paying).toMatchObject({
      status: 201,
      body: { status: 'pending_payment', price: eur(1500), invoice: { state: 'issued' }, ticketCode: null },
    })
    expect(await register(api.as(guest), event, { promoCode: 'none' })).toMatchObject({
      status: 422,
      body: { reason: 'promo_code_invalid' },
    })
    expect(await register(api.as(guest), event, { promoCode: 'half' })).toMatchObject({
      body: { status: 'pending_payment', price: eur(1000) },
    })
    expect(await register(api.as(await person({ org })), event, { promoCode: 'HALF' })).toMatchObject({
      status: 409,
      body: { reason: 'promo_code_used_up' },
    })
    const invoiceId = reg(paying).invoice?.id
    const recorded = await finance.post('/data/payments', {
      method: 'bank_transfer',
      money: eur(1500),
      receivedOn: '2026-11-20',
      allocations: [{ invoiceId, amount: 1500 }],
    })
    expect(recorded).toMatchObject({ status: 201 })
    expect(await look(api.as(member), reg(paying))).toMatchObject({
      body: { status: 'confirmed', cause: 'paid', invoice: { state: 'paid' } },
    })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 2, confirmed: 1, pendingPayment: 1 })
    // The other hold ends, and its seat is free.
    await admin.query(
      `update app.registrations set hold_until = now() - interval '1 second' where event_id = $1 and status = 'pending_payment'`,
      [event.id],
    )
    await admin.query('select app.run_registrations($1, 20)', [org.id])
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 1, cancelled: 1 })
    // Cancelled by the one who paid, it says what goes back.
    expect(await act(api.as(member), reg(paying), 'cancel')).toMatchObject({ body: { status: 'cancelled', refund: 1500 } })
  })

  test('a quota is as far as a ticket goes, whatever the capacity', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss, {
      capacity: 10,
      ticketTypes: [
        { name: 'Seat', quota: 1 },
        { name: 'Staff', audience: 'staff' },
        { name: 'Members', audience: 'members' },
      ],
    })
    const [seat, staff, members] = event.ticketTypes
    const me = api.as(await person({ org }))
    expect(await register(me, event)).toMatchObject({ status: 422, body: { reason: 'ticket_needed' } })
    expect(await register(me, event, { ticketTypeId: staff?.id })).toMatchObject({ status: 403, body: { reason: 'ticket_audience' } })
    expect(await register(me, event, { ticketTypeId: members?.id })).toMatchObject({ status: 403 })
    expect(await register(me, event, { ticketTypeId: seat?.id })).toMatchObject({ status: 201, body: { status: 'confirmed' } })
    expect(await register(api.as(await person({ org })), event, { ticketTypeId: seat?.id })).toMatchObject({
      body: { status: 'waitlisted' },
    })
    const types = [
      { id: seat?.id, name: 'Seat', quota: 5 },
      { id: staff?.id, name: 'Staff', audience: 'staff' },
    ]
    expect(await boss.patch(`/data/events/${event.id}`, { ticketTypes: types }, match(event.version))).toMatchObject({ status: 200 })
    expect((await standing(boss, event)).counts).toMatchObject({ taken: 2, offered: 1, waiting: 0 })
  })

  test('a ticket goes to somebody else, and the former code is not valid any more', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [me, other] = [await person({ org }), await person({ org })]
    const event = await published(boss)
    const mine = reg(await register(api.as(me), event))
    const given = await act(api.as(me), mine, 'transfer', { name: 'Kim Larsen', email: 'kim@example.org' })
    expect(given).toMatchObject({ status: 200, body: { name: 'Kim Larsen', person: null } })
    const scan = (code: string) => boss.post(`/data/events/${event.id}/check-ins`, { code, clientId: `scan-${code.slice(-10)}` })
    expect(await scan(mine.ticketCode)).toMatchObject({ body: { result: 'transferred' } })
    expect(await scan(reg(given).ticketCode)).toMatchObject({ body: { result: 'checked_in', registration: { name: 'Kim Larsen' } } })
    const seat = reg(await register(api.as(me), event))
    await register(api.as(other), event)
    expect(await act(api.as(me), seat, 'transfer', { personId: other.personId })).toMatchObject({
      status: 409,
      body: { reason: 'registration_exists' },
    })
  })

  test('a ticket that was given goes on to a third, and is out of sight then', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [me, other, third] = [await person({ org }), await person({ org }), await person({ org })]
    const mine = reg(await register(api.as(me), await published(boss)))
    expect(await act(api.as(me), mine, 'transfer', { personId: other.personId })).toMatchObject({ status: 200 })
    const given = await act(api.as(other), mine, 'transfer', { personId: third.personId })
    expect(given).toMatchObject({ status: 200, body: { ticketCode: null, may: { cancel: false, transfer: false } } })
    expect(await api.as(other).get(`/data/registrations/${mine.id}`)).toMatchObject({ status: 404 })
    const { name } = given.body as { name: string }
    expect(await api.as(third).get(`/data/registrations/${mine.id}`)).toMatchObject({ status: 200, body: { name } })
  })

  test('a ticket goes to whom one sees only, and tells the giver neither their address nor the new code', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const entered = async (givenName: string, more: Record<string, unknown> = {}) => {
      const emails = [{ address: `${givenName.toLowerCase()}@example.org` }]
      return (await boss.post('/data/people', { givenName, familyName: 'Young', chapterId: org.rootChapterId, emails, ...more })).body as {
        id: string
      }
    }
    const child = await entered('Tim', { private: { birthDate: new Date(Date.now() - 10 * 365 * 86_400_000).toISOString().slice(0, 10) } })
    const friend = await entered('Eva')
    const mine = reg(await register(me, await published(boss)))
    expect(await act(me, mine, 'transfer', { personId: child.id })).toMatchObject({ status: 422, body: { reason: 'person_not_found' } })
    expect(await act(me, mine, 'transfer', { personId: friend.id })).toMatchObject({
      body: { name: 'Eva Young', email: '', ticketCode: null },
    })
    expect(await look(me, mine)).toMatchObject({ body: { email: '', ticketCode: null, may: { cancel: false } } })
    expect(await act(me, mine, 'answers', { answers: [] })).toMatchObject({ status: 403 })
    expect(await look(boss, mine)).toMatchObject({ body: { email: 'eva@example.org', ticketCode: expect.stringMatching(/./) } })
  })
})

describe('the door', () => {
  test('a scan counts once, however often it is sent; a ticket scanned again says when, where and by whom', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const event = await published(boss)
    const mine = reg(await register(me, event))
    const scan = (more: Record<string, unknown>) =>
      boss.post(`/data/events/${event.id}/check-ins`, { code: mine.ticketCode, device: 'Door 1', ...more })
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 120_000).toISOString().replace('.000Z', '+00:00')
    const first = await scan({ clientId: 'door-1-0001', at: at.replace('+00:00', 'Z') })
    expect(first).toMatchObject({ body: { result: 'checked_in', registration: { status: 'checked_in' } } })
    expect(await scan({ clientId: 'door-1-0001' })).toMatchObject({ body: { result: 'checked_in' } })
    expect(await scan({ clientId: 'door-2-0001', device: 'Door 2' })).toMatchObject({
      body: { result: 'already', first: { at, device: 'Door 1' } },
    })
    // Another list, such as lunch, is its own.
    expect(await scan({ clientId: 'lunch-0001', list: 'Lunch' })).toMatchObject({ body: { result: 'checked_in' } })
    expect((await standing(boss, event)).counts).toMatchObject({ checkedIn: 1, taken: 1 })
    const { checkInId } = first.body as { checkInId: string }
    expect(await boss.post(`/data/check-ins/${checkInId}/undo`, {})).toMatchObject({
      status: 200,
      body: { counts: { checkedIn: 0, confirmed: 1 } },
    })
    expect(await boss.post(`/data/check-ins/${checkInId}/undo`, {})).toMatchObject({ status: 200 })
    expect(await scan({ clientId: 'door-1-0002' })).toMatchObject({ body: { result: 'checked_in' } })
    // Forged codes, other events and people without a seat.
    expect(await scan({ clientId: 'door-1-0003', code: `${mine.ticketCode.slice(0, -2)}AA` })).toMatchObject({
      body: { result: 'invalid' },
    })
    const other = await published(boss)
    expect(await boss.post(`/data/events/${other.id}/check-ins`, { code: mine.ticketCode, clientId: 'door-1-0004' })).toMatchObject({
      body: { result: 'unknown' },
    })
    expect(await me.post(`/data/events/${event.id}/check-ins`, { code: mine.ticketCode, clientId: 'door-1-0005' })).toMatchObject({
      status: 403,
    })
  })

  test('devices without network send what they scanned later; each person is in once, and the earlier scan counts', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss)
    for (const name of ['A', 'B', 'C']) await register(boss, event, { name })
    const roster = (await boss.get(`/data/events/${event.id}/check-in/roster`)).body as { items: { id: string; code: string }[] }
    expect(roster.items).toHaveLength(3)
    const batch = (device: string, minute: number) => ({
      scans: roster.items.map(({ code }, nth) => ({
        code,
        device,
        clientId: `${device}-offline-${nth}`,
        at: new Date(Date.now() + (minute - 60) * 60_000).toISOString(),
      })),
    })
    const sync = (body: unknown) => boss.post(`/data/events/${event.id}/check-ins/batch`, body)
    await sync(batch('door-1', 5))
    const late = await sync(batch('door-2', 3))
    expect(late).toMatchObject({ body: { items: [{ result: 'already', first: { device: 'door-2' } }, {}, {}], counts: { checkedIn: 3 } } })
    expect(await sync(batch('door-1', 5))).toMatchObject({ body: { counts: { checkedIn: 3 } } })
    expect((await standing(boss, event)).items.filter(({ cause }) => cause === 'checked_in')).toHaveLength(3)
  })
})
