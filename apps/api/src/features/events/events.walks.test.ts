import { expect } from 'vitest'
import type { RegistrationStatus } from '@guildhall/contract/features/events'
import { PaymentProviderError } from '../../platform/payments/payment-provider.ts'
import { createServices } from '../../platform/services.ts'
import type { Services } from '../../platform/services.ts'
import { settlements } from '../../settlements.ts'
import { test } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'
import { paymentJobs } from '../payments/payments.jobs.ts'
import { beginCheckout, noteCheckout } from '../payments/payments.queries.ts'
import { memoryProvider } from '../payments/payments.testing.ts'
import { mayBecome, takesSeat } from './events.registrations.rules.ts'
import { beginRefunds, releaseRegistrations } from './refunds/events.refunds.queries.ts'

// Walks through what may happen to registrations, waiting list, payments, refunds, invoices, prices and capacity of events, in any order. A model of a few lines
// says who has a seat and who waits; after each step the registrations are what it says, nothing moved in a way that the rules forbid, counts, ledger and
// registrations agree, and the books add up.

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
  /** As it was when they registered; tickets may cost something else by now. */
  price: number
  /** Whom the invoice is for: stays who registered. */
  payer: number
  invoice: string | null
  /** Confirmed by an organiser before it was paid. */
  waived: boolean
  /** Their payment was reversed once they had come: they owe it, and keep the seat when the scan is undone. */
  cameUnpaid: boolean
}
/** How the money of a seat stands in the database. */
type Money = {
  id: string
  status: RegistrationStatus
  price: number
  refundState: string | null
  isReleased: boolean
  invoice: string | null
  invoiceVersion: number
  payer: string | null
  state: string | null
  paid: number
  credited: number
  /** Of its invoice, newest first. */
  payments: { id: string; kind: string; state: string; amount: number; refunded: number; left: number; version: number }[]
}
type Ticket = { id: string; quota: number; price: number }
type Event = { id: string; version: number; capacity: number; approval: boolean; tickets: Ticket[]; seats: Seat[]; waited: number }

const live = ({ status }: Seat) => status !== 'cancelled' && status !== 'rejected'
const taken = (event: Event, ticket?: number) =>
  event.seats.filter((seat) => takesSeat(seat.status) && (ticket === undefined || seat.ticket === ticket)).length
const left = (event: Event, ticket: number) =>
  Math.min(event.capacity - taken(event), (event.tickets[ticket]?.quota ?? 0) - taken(event, ticket))

/** Each free seat goes to whoever waits longest and can have it. */
function offer(event: Event): void {
  for (const seat of event.seats.filter(({ status }) => status === 'waitlisted').toSorted((a, b) => a.place - b.place))
    if (left(event, seat.ticket) > 0) seat.status = 'offered'
}
/** What somebody gets who asks for a seat now. */
const wanted = (event: Event, seat: Seat): RegistrationStatus =>
  left(event, seat.ticket) > 0 ? (seat.price > 0 ? 'pending_payment' : 'confirmed') : 'waitlisted'

const moneyOf = `select r.id, r.status, r.price_amount::int as price, r.refund_state as "refundState", r.released_at is not null as "isReleased", i.id as invoice, i.version as "invoiceVersion", i.person_id as payer,
    i.state, coalesce(i.paid_amount, 0)::int as paid, coalesce(i.credited_amount, 0)::int as credited,
    (select coalesce(json_agg(json_build_object('id', p.id, 'kind', p.kind, 'state', p.state, 'version', p.version, 'amount', p.amount, 'refunded', p.refunded_amount, 'left', p.amount - (select coalesce(sum(f.amount), 0)
        from app.refunds f where f.org_id = p.org_id and f.payment_id = p.id and f.state <> 'failed')) order by p.id desc), '[]')
      from app.payments p where p.org_id = r.org_id and (p.invoice_id = i.id or exists (select from app.payment_allocations a
        where a.org_id = p.org_id and a.payment_id = p.id and a.invoice_id = i.id))) as payments
  from app.registrations r left join lateral (select x.* from app.invoice_lines l join app.invoices x on x.org_id = l.org_id and x.id = l.invoice_id and x.kind = 'invoice'
    where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id order by x.id desc limit 1) i on true
  where r.event_id = $1 order by r.id`

/** What must be true of the books whatever happened. */
const booksAmiss = `
  with pays as (select a.org_id, a.invoice_id, a.payment_id, a.amount - a.refunded_amount as pays from app.payment_allocations a where a.org_id = $1),
  seats as (select r.*, i.id as invoice, i.state, i.total_amount, i.paid_amount, i.credited_amount, i.person_id as billed from app.registrations r
    left join app.invoice_lines l on l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id
    left join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.kind = 'invoice' where r.org_id = $1)
  select 'an invoice says otherwise than its payments and credit notes' as what, i.id from app.invoices i
    cross join lateral (select coalesce(sum(p.pays), 0) as paid from pays p where p.invoice_id = i.id) s
    cross join lateral (select coalesce(-sum(c.total_amount), 0) as credited from app.invoices c where c.org_id = i.org_id and c.credits_id = i.id and c.state <> 'void') n
    where i.org_id = $1 and i.kind = 'invoice' and ((i.paid_amount, i.credited_amount) <> (s.paid, n.credited) or s.paid > i.total_amount or n.credited > i.total_amount
      or i.state <> case when i.state = 'void' and s.paid = 0 and n.credited = 0 then 'void' when i.total_amount - n.credited - s.paid <= 0
        then case when s.paid > 0 then 'paid' else 'credited' end when s.paid > 0 then 'partly_paid' else 'issued' end)
  union all select 'a payment pays more than is left of it', p.id from app.payments p where p.org_id = $1
    and (select sum(x.pays) from pays x where x.payment_id = p.id) > case when p.state in ('settled', 'partly_refunded') then p.amount - p.refunded_amount else 0 end
  union all select 'refunds do not add up', p.id from app.payments p where p.org_id = $1 and (p.refunded_amount <> (select coalesce(sum(f.amount) filter (where f.state = 'settled'), 0)
      from app.refunds f where f.org_id = $1 and f.payment_id = p.id) or p.amount < (select sum(f.amount) from app.refunds f where f.org_id = $1 and f.payment_id = p.id and f.state <> 'failed'))
  union all select 'a seat is charged otherwise than it cost', s.id from seats s where s.invoice is not null and s.total_amount <> s.price_amount
  union all select 'a seat has several invoices', s.id from seats s group by s.id having count(s.invoice) > 1
  union all select 'more goes back of a seat than it cost', s.id from seats s
    where s.price_amount < (select sum(f.amount) from app.refunds f where f.org_id = $1 and f.registration_id = s.id and f.state <> 'failed')
  union all select 'refunded, but not all of it', s.id from seats s where s.refund_state = 'refunded' and (s.paid_amount > 0 or exists (select from pays p where p.invoice_id = s.invoice and p.pays > 0))
  union all select 'the seat is gone, the money stays, and nobody is told', s.id from seats s
    where s.status in ('cancelled', 'rejected') and s.paid_amount > 0 and s.refund_state is null and s.release_at is null
  union all select 'owed for a seat that is gone', s.id from seats s
    where s.status in ('cancelled', 'rejected') and s.state in ('issued', 'partly_paid') and s.refund_state is null and s.release_at is null
  union all select 'a refund is on its way, and nobody was asked for it', s.id from seats s where s.refund_state = 'in_progress'
    and not exists (select from app.refunds f where f.org_id = $1 and f.registration_id = s.id and f.state = 'pending')
  union all select 'to be given back by hand, and nothing is left', s.id from seats s where s.refund_state = 'by_hand' and not exists (select from pays x
    join app.payments p on p.org_id = $1 and p.id = x.payment_id and p.state in ('settled', 'partly_refunded') and p.refunded_amount < p.amount where x.invoice_id = s.invoice)
  union all select 'refunded while it is held', s.id from seats s where s.refund_state is not null and s.status in ('confirmed', 'checked_in') and s.state = 'paid' and s.credited_amount < s.total_amount`

test(
  `${steps} steps over registrations, waiting list, money and capacity (seed ${seed})`,
  { timeout: 60_000 + steps * 1_500 },
  async ({ api, admin, issuer, organisation, person, token }) => {
    const random = randomFrom(seed)
    const below = (most: number) => Math.floor(random() * most)
    const any = <One>(list: readonly One[]): One | undefined => list[below(list.length)]
    const org = await organisation()
    // Long walks outlast what a token and the proof of a sign-in are good for.
    const exp = Math.ceil(Date.now() / 1_000) + 60 + Math.ceil(steps * 1.5)
    const lasting = async (one: TestPerson): Promise<TestPerson> => ({ ...one, token: await token(one, { exp }) })
    const organiser = await lasting(await person({ org, grants: [{ role: 'org-owner' }] }))
    const boss = api.as(organiser)
    const signedInNow = () => issuer.proof(organiser.subject)
    const persons: TestPerson[] = []
    for (let nth = 0; nth < 9; nth++) persons.push(await lasting(await person({ org })))
    const people: Client[] = persons.map((one) => api.as(one))
    const memory = memoryProvider()
    const base = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const worker: Services = { ...base, payments: memory.provider }
    const { refund: give } = memory.provider
    memory.provider.refund = (wanted) => {
      const refused = random() < 0.2
      return refused ? Promise.reject(new PaymentProviderError('refused', 'not today', { refundFailure: 'balance' })) : give(wanted)
    }
    const job = (data: Record<string, string>) =>
      paymentJobs(worker, settlements)({ org: org.id, ...data }, { id: 'walk', signal: new AbortController().signal })
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
    const money = new Map<string, Money>()
    const moneyFor = ({ id }: Seat) => money.get(id)
    const pendingCard = (seat: Seat) => moneyFor(seat)?.payments.find(({ kind, state }) => kind !== 'manual' && state === 'pending')?.id
    const refundable = ({ state, left }: Money['payments'][number]) => left > 0 && (state === 'settled' || state === 'partly_refunded')
    const refundsAsked = async () => {
      const { rows } = await admin.query<{ id: string }>(`select id from app.refunds where org_id = $1 and state = 'pending'`, [org.id])
      for (const { id } of rows) await job({ does: 'refund', refund: id })
    }
    /** The seat, if it waited for that, or is free again and nobody waits for one. */
    const nowPaid = (event: Event, seat: Seat) => {
      const isFree = left(event, seat.ticket) > 0 && !event.seats.some(({ status }) => status === 'waitlisted')
      const again = event.seats.some((other) => other !== seat && other.person === seat.person && live(other))
      seat.cameUnpaid = false
      if (seat.status === 'pending_payment') seat.status = 'confirmed'
      else if (seat.status === 'cancelled' && isFree && !again && !moneyFor(seat)?.isReleased) seat.status = 'confirmed'
    }

    for (let nth = 0; nth < steps; nth++) {
      const event = any(events)
      if (!event) throw new Error('no event')
      // A minute of the worker moves what belongs to other events as well.
      for (const row of (await admin.query<Money>(moneyOf, [event.id])).rows) money.set(row.id, row)
      const one = (...statuses: RegistrationStatus[]) => any(event.seats.filter(({ status }) => statuses.includes(status)))
      const act = (client: Client, seat: Seat, what: string) => client.post(`/data/registrations/${seat.id}/${what}`, {})
      const owner = (seat: Seat) => people[seat.person] ?? boss
      const before = new Map(event.seats.map(({ id, status }) => [id, status]))
      const note = (what: string) => (did[what] = (did[what] ?? 0) + 1)
      const dice = random()
      if (dice < 0.3) {
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
            price: event.tickets[ticket]?.price ?? 0,
            payer: who,
            invoice: body.invoice?.id ?? null,
            waived: false,
            cameUnpaid: false,
          }
          seat.status = event.approval ? 'pending_approval' : wanted(event, seat)
          if (seat.status === 'waitlisted') seat.place = ++event.waited
          event.seats.push(seat)
          expect(body.status, 'registered').toBe(seat.status)
          note(`registered ${seat.status}`)
        }
      } else if (dice < 0.38) {
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
      } else if (dice < 0.44) {
        const seat = one('offered')
        if (!seat) continue
        const answer = (await act(owner(seat), seat, 'accept')).body as { invoice: { id: string } | null }
        seat.status = seat.price > 0 ? 'pending_payment' : 'confirmed'
        seat.invoice = answer.invoice?.id ?? null
        note('accepted')
      } else if (dice < 0.48) {
        const seat = one('offered', 'pending_payment')
        if (!seat) continue
        const column = seat.status === 'offered' ? 'offer_until' : 'hold_until'
        await admin.query(`update app.registrations set ${column} = now() - interval '1 second' where id = $1`, [seat.id])
        await admin.query('select app.run_registrations($1, 20)', [org.id])
        seat.status = 'cancelled'
        offer(event)
        note('expired')
      } else if (dice < 0.6) {
        // Also late, when the hold is over.
        const seat = any(event.seats.filter((known) => moneyFor(known)?.state === 'issued' && !pendingCard(known)))
        if (!seat?.invoice) continue
        if (random() < 0.5) {
          const actor = { orgId: org.id, accountId: persons[seat.payer]?.accountId ?? '', idpRoles: [] }
          const begun = await base.database.asActor(actor, (tx) =>
            beginCheckout(tx, seat.invoice ?? '', false, { isLive: false, counts: true }),
          )
          const { sessionId } = await memory.provider.startCheckout({
            ...{ paymentId: begun.paymentId, orgId: org.id, money: { amount: begun.amount, currency: begun.currency }, text: '' },
            ...{ successUrl: '', cancelUrl: '', expiresAt: new Date() },
          })
          await base.database.withoutActor((db) => noteCheckout(db, org.id, begun.paymentId, sessionId, null))
          note('card begun')
        } else {
          const answer = await boss.post('/data/payments', {
            method: 'cash',
            money: { amount: seat.price, currency: 'EUR' },
            receivedOn: '2026-11-20',
            allocations: [{ invoiceId: seat.invoice, amount: seat.price }],
          })
          expect(answer, answer.text).toMatchObject({ status: 201 })
          nowPaid(event, seat)
          note(seat.status === 'confirmed' ? 'paid' : 'paid in vain')
        }
      } else if (dice < 0.67) {
        const seat = any(event.seats.filter(pendingCard))
        const payment = seat && pendingCard(seat)
        if (!seat || !payment) continue
        const fate = random()
        if (fate < 0.75) memory.pay(payment)
        else memory.expire(payment)
        await job({ does: 'read', payment })
        if (fate >= 0.75) note('card expired')
        else if (moneyFor(seat)?.state === 'issued') {
          nowPaid(event, seat)
          note(seat.status === 'confirmed' ? 'paid by card' : 'paid by card in vain')
        } else note('paid by card once void')
      } else if (dice < 0.71) {
        const seat = any(
          event.seats.filter((known) => moneyFor(known)?.payments.some(({ kind, state }) => kind === 'manual' && state === 'settled')),
        )
        const known = seat && moneyFor(seat)
        const payment = known?.payments.find(({ kind, state }) => kind === 'manual' && state === 'settled')
        if (!seat || !known || !payment) continue
        const answer = await boss.post(
          `/data/payments/${payment.id}/reverse`,
          { reason: 'Bounced' },
          { 'if-match': `"${payment.version}"` },
        )
        expect(answer, answer.text).toMatchObject({ status: 200 })
        // What was given back is owed by nobody.
        const givenBack = known.payments.reduce((sum, { refunded }) => sum + refunded, 0)
        const isOwed = known.price - known.credited - Math.max(0, known.paid - payment.amount) > givenBack
        if (seat.status === 'confirmed' && known.refundState === null && known.state === 'paid' && isOwed) {
          seat.status = 'cancelled'
          offer(event)
        } else if (seat.status === 'checked_in') seat.cameUnpaid = true
        note('reversed')
      } else if (dice < 0.75) {
        // Given back without the seat: for a price that was too high, say. Nobody loses a seat by that.
        const seat = any(event.seats.filter((known) => moneyFor(known)?.payments.some(refundable)))
        const payment = seat && moneyFor(seat)?.payments.find(refundable)
        if (!payment) continue
        const amount = random() < 0.5 ? payment.left : 1 + below(payment.left)
        const answer = await boss.post(
          `/actions/payments/${payment.id}/refund`,
          { amount, reason: 'Goodwill' },
          { 'if-match': `"${payment.version}"`, ...(await signedInNow()) },
        )
        expect(answer, answer.text).toMatchObject({ status: 200 })
        if (payment.kind !== 'manual') await refundsAsked()
        note('refunded in part')
      } else if (dice < 0.79) {
        // What the worker does every minute; the five minutes for which it lets somebody pay are over.
        await admin.query(
          `update app.registrations set release_at = now() - interval '1 second' where org_id = $1 and release_at is not null`,
          [org.id],
        )
        await base.database.withoutActor((db) => releaseRegistrations(db, org.id, 20))
        for (const refund of (await base.database.withoutActor((db) => beginRefunds(db, org.id, 20))).refunds)
          await job({ does: 'refund', refund })
        note('a minute')
      } else if (dice < 0.82) {
        const seat = any(event.seats.filter((known) => ['by_hand', 'failed'].includes(moneyFor(known)?.refundState ?? '')))
        if (!seat) continue
        expect(await boss.post(`/data/registrations/${seat.id}/refund`, {}, await signedInNow())).toMatchObject({ status: 200 })
        note(`refund ${moneyFor(seat)?.refundState}`)
      } else if (dice < 0.84) {
        const seat = any(event.seats.filter((known) => moneyFor(known)?.invoice))
        const money = seat && moneyFor(seat)
        if (!seat || !money) continue
        const answer = await boss.post(
          `/data/invoices/${money.invoice}/void`,
          { reason: 'By mistake' },
          { 'if-match': `"${money.invoiceVersion}"` },
        )
        const isOpen = money.state === 'issued' || money.state === 'void'
        expect(answer, answer.text).toMatchObject(isOpen ? { status: 200 } : { body: { reason: 'invoice_has_payments' } })
        if (isOpen) note('void')
      } else if (dice < 0.87) {
        const seat = one('confirmed')
        if (!seat) continue
        const person = below(people.length)
        const answer = await owner(seat).post(`/data/registrations/${seat.id}/transfer`, { personId: persons[person]?.personId })
        if (event.seats.some((other) => other.person === person && live(other)))
          expect(answer, answer.text).toMatchObject({ body: { reason: 'registration_exists' } })
        else {
          expect(answer, answer.text).toMatchObject({ status: 200 })
          seat.person = person
          note('transferred')
        }
      } else if (dice < 0.9) {
        const prices = event.tickets.map(({ price }) => (random() < 0.5 ? price : (any([0, 500, 1000, 2500]) ?? 0)))
        const ticketTypes = event.tickets.map(({ id, quota }, place) => ({
          ...{ id, name: `Ticket ${place}`, quota: quota === 1_000 ? null : quota },
          price: { amount: prices[place], currency: 'EUR' },
        }))
        const answer = await boss.patch(`/data/events/${event.id}`, { ticketTypes }, { 'if-match': `"${event.version}"` })
        expect(answer, answer.text).toMatchObject({ status: 200 })
        event.version += 1
        for (const [place, ticket] of event.tickets.entries()) ticket.price = prices[place] ?? 0
        note('prices')
      } else if (dice < 0.93) {
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
      } else if (dice < 0.97) {
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
          if (accepts) Object.assign(seat, { status: 'confirmed', waived: true })
        } else {
          seat.status = accepts ? wanted(event, seat) : 'rejected'
          if (seat.status === 'waitlisted') seat.place = ++event.waited
          seat.invoice = answer.body.invoice?.id ?? null
        }
        note('decided')
      }

      const at = `after step ${nth} of seed ${seed}`
      const { rows } = await admin.query<Money>(moneyOf, [event.id])
      expect(
        rows.map(({ id, status, price }) => ({ id, status, price })),
        at,
      ).toEqual(event.seats.map(({ id, status, price }) => ({ id, status, price })).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      for (const row of rows) {
        const seat = event.seats.find(({ id }) => id === row.id)
        money.set(row.id, row)
        if (seat) seat.invoice = row.invoice
        // An invoice is for who registered, whoever has the ticket by now.
        if (row.invoice) expect(row.payer, at).toBe(persons[seat?.payer ?? -1]?.personId)
        // Nobody has a seat for nothing unless somebody decided so, or money was given back.
        const isOwed =
          seat?.waived || seat?.cameUnpaid || row.refundState !== null || row.payments.some(({ state }) => /refunded/.test(state))
        if (row.status === 'confirmed' && row.price > 0 && !isOwed) expect([row.id, row.state], at).toEqual([row.id, 'paid'])
      }
      for (const { id, status } of rows) expect(mayBecome(before.get(id) ?? status, status), at).toBe(true)
      expect(taken(event), at).toBeLessThanOrEqual(event.capacity)
      expect(await boss.get(`/data/events/${event.id}/capacity?limit=1`), at).toMatchObject({
        body: { differences: 0, counts: { taken: taken(event) } },
      })
      expect((await admin.query(booksAmiss, [org.id])).rows, at).toEqual([])
      const { rows: given } = await admin.query<{ id: string; refunded: number }>(
        `select p.id, p.refunded_amount::int as refunded from app.payments p where p.org_id = $1 and p.kind <> 'manual'`,
        [org.id],
      )
      for (const { id, refunded } of given) expect([id, memory.rows.get(id)?.refundedAmount ?? 0], at).toEqual([id, refunded])
    }
    await base.close()
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
