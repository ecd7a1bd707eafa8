import { expect } from 'vitest'
import type { RegistrationStatus } from '@guildhall/contract/features/events'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'
import { mayBecome, takesSeat } from './events.registrations.rules.ts'

// Walks through what may happen to registrations, waiting list, payments and capacity of events, in any order. A model of a few lines says who has a seat and who
// waits; after each step the registrations are what it says, nothing moved in a way that the rules forbid, and counts, ledger and registrations agree.

const steps = Number(process.env['EVENT_STEPS'] ?? 240)
const seed = Number(process.env['EVENT_SEED'] ?? Date.now() % 1_000_000)

/** mulberry32: repeats with its seed. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Seat = {
  id: string
  status: RegistrationStatus
  ticket: number
  person: number
  place: number
  invoice: string | null
  payment: { id: string; version: number } | null
}
type Ticket = { id: string; quota: number; price: number }
type Event = { id: string; version: number; capacity: number; approval: boolean; tickets: Ticket[]; seats: Seat[]; waited: number }

const live = ({ status }: Seat) => status !== 'cancelled' && status !== 'rejected'
const taken = (event: Event, ticket?: number) =>
  event.seats.filter((seat) => takesSeat(seat.status) && (ticket === undefined || seat.ticket === ticket)).length
const left = (event: Event, ticket: number) =>
  Math.min(event.capacity - taken(event), (event.tickets[ticket]?.quota ?? 0) - taken(event, ticket))
const priceOf = (event: Event, seat: Seat) => event.tickets[seat.ticket]?.price ?? 0

/** Each free seat goes to whoever waits longest and can have it. */
function offer(event: Event): void {
  for (const seat of event.seats.filter(({ status }) => status === 'waitlisted').toSorted((a, b) => a.place - b.place))
    if (left(event, seat.ticket) > 0) seat.status = 'offered'
}
/** What somebody gets who asks for a seat now. */
const wanted = (event: Event, seat: Seat): RegistrationStatus =>
  left(event, seat.ticket) > 0 ? (priceOf(event, seat) > 0 ? 'pending_payment' : 'confirmed') : 'waitlisted'

test(
  `${steps} steps over registrations, waiting list, payments and capacity (seed ${seed})`,
  { timeout: 60_000 + steps * 1_500 },
  async ({ api, admin, organisation, person }) => {
    const random = randomFrom(seed)
    const below = (most: number) => Math.floor(random() * most)
    const any = <One>(list: readonly One[]): One | undefined => list[below(list.length)]
    const org = await organisation()
    const boss = api.as(await person({ org, grants: [{ role: 'org-owner' }] }))
    const people: Client[] = []
    for (let nth = 0; nth < 9; nth++) people.push(api.as(await person({ org })))
    const events: Event[] = []
    for (const approval of [false, false, true]) {
      const capacity = 3 + below(3)
      const ticketTypes = [
        { name: 'Free', quota: 1 + below(3) },
        { name: 'Paid', price: { amount: 1000, currency: 'EUR' } },
      ]
      const facts = { title: 'Walk', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public', needsApproval: approval }
      const made = (
        await boss.post('/data/events', {
          ...facts,
          capacity,
          ticketTypes: ticketTypes.map((type) => ({ ...type, quota: type.quota ?? null })),
        })
      ).body as { id: string; version: number; ticketTypes: { id: string; quota: number | null }[] }
      await boss.post(`/data/events/${made.id}/publish`, {}, { 'if-match': `"${made.version}"` })
      const tickets = made.ticketTypes.map(({ id, quota }, nth) => ({ id, quota: quota ?? 1_000, price: nth === 0 ? 0 : 1000 }))
      events.push({ id: made.id, version: 2, capacity, approval, tickets, seats: [], waited: 0 })
    }
    const did: Record<string, number> = {}

    for (let nth = 0; nth < steps; nth++) {
      const event = any(events)
      if (!event) throw new Error('no event')
      const one = (...statuses: RegistrationStatus[]) => any(event.seats.filter(({ status }) => statuses.includes(status)))
      const act = (client: Client, seat: Seat, what: string) => client.post(`/data/registrations/${seat.id}/${what}`, {})
      const owner = (seat: Seat) => people[seat.person] ?? boss
      const before = new Map(event.seats.map(({ id, status }) => [id, status]))
      const note = (what: string) => (did[what] = (did[what] ?? 0) + 1)
      const dice = random()
      if (dice < 0.36) {
        const who = below(people.length)
        const ticket = below(2)
        const answer = await (people[who] ?? boss).post(`/data/events/${event.id}/registrations`, {
          ticketTypeId: event.tickets[ticket]?.id,
        })
        const body = answer.body as { id: string; status: RegistrationStatus; reason?: string; invoice: { id: string } | null }
        if (event.seats.some((seat) => seat.person === who && live(seat)))
          expect(body.reason, 'registered twice').toBe('registration_exists')
        else {
          const seat: Seat = {
            id: body.id,
            status: 'confirmed',
            ticket,
            person: who,
            place: 0,
            invoice: body.invoice?.id ?? null,
            payment: null,
          }
          seat.status = event.approval ? 'pending_approval' : wanted(event, seat)
          if (seat.status === 'waitlisted') seat.place = ++event.waited
          event.seats.push(seat)
          expect(body.status, 'registered').toBe(seat.status)
          note(`registered ${seat.status}`)
        }
      } else if (dice < 0.5) {
        const seat = one('confirmed', 'waitlisted', 'offered', 'pending_payment', 'pending_approval', 'checked_in')
        if (!seat) continue
        const answer = await act(owner(seat), seat, 'cancel')
        if (seat.status === 'checked_in') expect(answer).toMatchObject({ status: 409, body: { reason: 'registration_checked_in' } })
        else {
          expect(answer).toMatchObject({ status: 200 })
          seat.status = 'cancelled'
          offer(event)
          note('cancelled')
        }
      } else if (dice < 0.6) {
        const seat = one('offered')
        if (!seat) continue
        const answer = (await act(owner(seat), seat, 'accept')).body as { invoice: { id: string } | null }
        seat.status = priceOf(event, seat) > 0 ? 'pending_payment' : 'confirmed'
        seat.invoice = answer.invoice?.id ?? null
        note('accepted')
      } else if (dice < 0.66) {
        const seat = one('offered', 'pending_payment')
        if (!seat) continue
        const column = seat.status === 'offered' ? 'offer_until' : 'hold_until'
        await admin.query(`update app.registrations set ${column} = now() - interval '1 second' where id = $1`, [seat.id])
        await admin.query('select app.run_registrations($1, 20)', [org.id])
        seat.status = 'cancelled'
        offer(event)
        note('expired')
      } else if (dice < 0.76) {
        // Also late, when the hold is over.
        const seat = any(
          event.seats.filter(
            ({ status, invoice, payment }) => invoice && !payment && (status === 'pending_payment' || status === 'cancelled'),
          ),
        )
        if (!seat) continue
        const answer = await boss.post('/data/payments', {
          method: 'cash',
          money: { amount: 1000, currency: 'EUR' },
          receivedOn: '2026-11-20',
          allocations: [{ invoiceId: seat.invoice, amount: 1000 }],
        })
        expect(answer).toMatchObject({ status: 201 })
        seat.payment = answer.body
        const isFree = left(event, seat.ticket) > 0 && !event.seats.some(({ status }) => status === 'waitlisted')
        const again = event.seats.some((other) => other !== seat && other.person === seat.person && live(other))
        if (seat.status === 'pending_payment') seat.status = 'confirmed'
        else if (isFree && !again) seat.status = 'confirmed'
        note(seat.status === 'confirmed' ? 'paid' : 'paid in vain')
      } else if (dice < 0.8) {
        const seat = any(event.seats.filter(({ payment }) => payment))
        if (!seat?.payment) continue
        const { body } = await boss.get(`/data/payments/${seat.payment.id}`)
        const { version } = body as { version: number }
        const answer = await boss.post(`/data/payments/${seat.payment.id}/reverse`, { reason: 'Bounced' }, { 'if-match': `"${version}"` })
        expect(answer).toMatchObject({ status: 200 })
        seat.payment = null
        if (seat.status === 'confirmed') {
          seat.status = 'cancelled'
          offer(event)
        }
        note('reversed')
      } else if (dice < 0.86) {
        const capacity = 1 + below(6)
        const answer = await boss.patch(
          `/data/events/${event.id}`,
          { capacity, ticketTypes: undefined },
          { 'if-match': `"${event.version}"` },
        )
        if (answer.status === 200) {
          event.capacity = capacity
          event.version += 1
          offer(event)
          note('capacity')
        } else {
          const quotas = event.tickets[0]?.quota ?? 0
          expect((answer.body as { reason: string }).reason).toBe(
            quotas > capacity ? 'event_tickets_over_capacity' : 'event_capacity_taken',
          )
          expect(quotas > capacity || taken(event) > capacity).toBe(true)
        }
      } else if (dice < 0.92) {
        const seat = one('confirmed', 'checked_in')
        if (!seat) continue
        const { ticketCode } = (await boss.get(`/data/registrations/${seat.id}`)).body as { ticketCode: string }
        const scan = await boss.post(`/data/events/${event.id}/check-ins`, { code: ticketCode, clientId: `walk-${seed}-${nth}` })
        if (seat.status === 'checked_in' && random() < 0.5) {
          await boss.post(`/data/check-ins/${(scan.body as { checkInId: string }).checkInId}/undo`, {})
          seat.status = 'confirmed'
        } else seat.status = 'checked_in'
        note('scanned')
      } else {
        const seat = one('pending_approval', 'pending_payment')
        if (!seat) continue
        const accepts = random() < 0.7
        const answer = (await act(boss, seat, accepts ? 'approve' : 'reject')) as {
          status: number
          body: { invoice: { id: string } | null }
        }
        if (seat.status === 'pending_payment') {
          expect(answer.status).toBe(accepts ? 200 : 409)
          if (accepts) seat.status = 'confirmed'
        } else {
          seat.status = accepts ? wanted(event, seat) : 'rejected'
          if (seat.status === 'waitlisted') seat.place = ++event.waited
          seat.invoice = answer.body.invoice?.id ?? null
        }
        note('decided')
      }

      const at = `after step ${nth} of seed ${seed}`
      const { rows } = await admin.query<{ id: string; status: RegistrationStatus }>(
        'select id, status from app.registrations where event_id = $1 order by id',
        [event.id],
      )
      expect(rows, at).toEqual(event.seats.map(({ id, status }) => ({ id, status })).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      for (const { id, status } of rows) expect(mayBecome(before.get(id) ?? status, status), at).toBe(true)
      expect(taken(event), at).toBeLessThanOrEqual(event.capacity)
      expect(await boss.get(`/data/events/${event.id}/capacity?limit=1`), at).toMatchObject({
        body: { differences: 0, counts: { taken: taken(event) } },
      })
    }
    // eslint-disable-next-line no-console -- with which seed it can be repeated
    console.log(`events: ${steps} steps with seed ${seed}: ${JSON.stringify(did)}`)
  },
)

test('the rules of the database and of the api say the same', async ({ admin }) => {
  const statuses: RegistrationStatus[] = [
    'pending_approval',
    'pending_payment',
    'confirmed',
    'waitlisted',
    'offered',
    'cancelled',
    'rejected',
    'checked_in',
  ]
  const { rows } = await admin.query<{ before: RegistrationStatus; after: RegistrationStatus; may: boolean; seat: boolean }>(
    `select b as before, a as after, app.registration_may_become(b, a) as may, app.takes_seat(a) as seat from unnest($1::text[]) b, unnest($1::text[]) a`,
    [statuses],
  )
  for (const { before, after, may, seat } of rows)
    expect([may, seat], `${before} to ${after}`).toEqual([mayBecome(before, after), takesSeat(after)])
})
