import { expect } from 'vitest'
import { settlements } from '../../../settlements.ts'
import { createServices } from '../../../platform/services.ts'
import { PaymentProviderError } from '../../../platform/payments/payment-provider.ts'
import type { Services } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { paymentJobs } from '../../payments/payments.jobs.ts'
import { beginCheckout, noteCheckout } from '../../payments/payments.queries.ts'
import { memoryProvider } from '../../payments/payments.testing.ts'
import type { MemoryProvider } from '../../payments/payments.testing.ts'
import { eventJobs } from '../events.jobs.ts'

type Event = { id: string; version: number }
type Seat = { id: string; status: string; refund: number; refundState: string | null; invoice: { id: string; state: string } | null }
type Till = {
  org: TestOrganisation
  boss: Client
  ann: TestPerson
  memory: MemoryProvider
  event: Event
  register(client: Client, guests?: string[]): Promise<Seat & { guests: { id: string }[] }>
  look(id: string): Promise<Seat>
  /** Opens the page to pay of an invoice at the provider; its payment. */
  open(who: TestPerson, invoiceId: string): Promise<string>
  /** The provider's page is paid, and we hear of it. */
  pay(paymentId: string): Promise<void>
  /** We read it at the provider. */
  read(paymentId: string): Promise<void>
  /** What the worker does every minute, with what follows at the provider. */
  minute(): Promise<void>
  books(invoiceId: string): Promise<{ state: string; paid: number; credited: number; credits: number }>
}

const test = base.extend<{ till: Till }>({
  till: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, grants: [{ role: 'org-owner' }] }))
    const ann = await person({ org })
    const memory = memoryProvider()
    const made = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const due: Record<string, string>[] = []
    const worker: Services = {
      ...made,
      payments: memory.provider,
      jobs: { ...made.jobs, send: async (_db, _queue, data) => void due.push(data) },
    }
    const job = { id: 'test', signal: new AbortController().signal }
    const facts = {
      title: 'Gala',
      startsAt: '2090-07-01T16:00:00Z',
      venueName: 'Hall',
      visibility: 'public',
      guestsPerPerson: 2,
      capacity: 5,
    }
    const drafted = (
      await boss.post('/data/events', { ...facts, ticketTypes: [{ name: 'Ticket', price: { amount: 1500, currency: 'EUR' } }] })
    ).body as Event
    const event = (await boss.post(`/data/events/${drafted.id}/publish`, {}, { 'if-match': `"${drafted.version}"` })).body as Event
    const asPayer = (who: TestPerson) => ({ orgId: org.id, accountId: who.accountId, idpRoles: [] })
    const read = (payment: string) => paymentJobs(worker, settlements)({ does: 'read', org: org.id, payment }, job)
    await use({
      ...{ org, boss, ann, memory, event, read },
      async register(client, guests = []) {
        const answer = await client.post(`/data/events/${event.id}/registrations`, { guests: guests.map((name) => ({ name })) })
        expect(answer.status, answer.text).toBe(201)
        return answer.body
      },
      look: async (id) => (await boss.get(`/data/registrations/${id}`)).body,
      async open(who, invoiceId) {
        const begun = await worker.database.asActor(asPayer(who), (tx) =>
          beginCheckout(tx, invoiceId, false, { isLive: false, counts: true }),
        )
        const { sessionId } = await memory.provider.startCheckout({
          ...{ paymentId: begun.paymentId, orgId: org.id, money: { amount: begun.amount, currency: begun.currency }, text: '' },
          ...{ successUrl: '', cancelUrl: '', expiresAt: new Date() },
        })
        await worker.database.withoutActor((db) => noteCheckout(db, org.id, begun.paymentId, sessionId, null))
        return begun.paymentId
      },
      async pay(payment) {
        memory.pay(payment)
        await read(payment)
      },
      async minute() {
        await eventJobs(worker)({}, job)
        for (let next = due.shift(); next; next = due.shift())
          if (next['does'] === 'refund') await paymentJobs(worker, settlements)(next, job)
      },
      async books(invoiceId) {
        const { rows } = await admin.query<{ state: string; paid: number; credited: number; credits: number }>(
          `select i.state, i.paid_amount::int as paid, i.credited_amount::int as credited,
             (select count(*)::int from app.invoices c where c.credits_id = i.id) as credits from app.invoices i where i.id = $1`,
          [invoiceId],
        )
        if (!rows[0]) throw new Error('no invoice')
        return rows[0]
      },
    })
    await made.close()
  },
})
const cancel = (client: Client, { id }: { id: string }) => client.post(`/data/registrations/${id}/cancel`, {})
const hand = { method: 'cash', receivedOn: '2026-11-20' }
const money = (amount: number) => ({ amount, currency: 'EUR' })
const given = ({ rows }: MemoryProvider, payment: string) => rows.get(payment)?.refundedAmount

test('a seat paid by card and given back in time is refunded by itself, once, with a credit note', async ({ api, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me)
  const invoice = mine.invoice?.id ?? ''
  const payment = await till.open(till.ann, invoice)
  await till.pay(payment)
  expect(await till.look(mine.id)).toMatchObject({ status: 'confirmed', refund: 0, refundState: null })
  await cancel(me, mine)
  expect(await till.look(mine.id)).toMatchObject({ status: 'cancelled', refund: 1500, refundState: 'due' })
  // Two workers at once, and once more.
  await Promise.all([till.minute(), till.minute()])
  await till.minute()
  expect(await till.look(mine.id)).toMatchObject({ status: 'cancelled', cause: 'cancelled', refund: 0, refundState: 'refunded' })
  expect(given(till.memory, payment)).toBe(1500)
  expect(await till.books(invoice)).toEqual({ state: 'credited', paid: 0, credited: 1500, credits: 1 })
  expect((await till.boss.get(`/data/events/${till.event.id}/capacity?limit=1`)).body).toMatchObject({
    differences: 0,
    counts: { taken: 0 },
  })
})

test('one of a party is refunded without the others, whose seats stay paid', async ({ api, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me, ['Ben', 'Cid'])
  const invoice = mine.invoice?.id ?? ''
  const payment = await till.open(till.ann, invoice)
  await till.pay(payment)
  await cancel(me, { id: mine.guests[0]?.id ?? '' })
  await till.minute()
  expect(given(till.memory, payment)).toBe(1500)
  expect(await till.books(invoice)).toEqual({ state: 'paid', paid: 3000, credited: 1500, credits: 1 })
  expect(await till.look(mine.id)).toMatchObject({ status: 'confirmed', refundState: null })
  // Then the rest.
  await cancel(me, mine)
  await till.minute()
  expect(given(till.memory, payment)).toBe(4500)
  expect(await till.books(invoice)).toEqual({ state: 'credited', paid: 0, credited: 4500, credits: 3 })
  expect((await till.look(mine.guests[0]?.id ?? '')).refundState).toBe('refunded')
})

test('after the deadline nobody gets money back by cancelling, since nobody cancels', async ({ api, admin, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me)
  const payment = await till.open(till.ann, mine.invoice?.id ?? '')
  await till.pay(payment)
  await admin.query(`update app.events set cancel_until = now() - interval '1 hour' where id = $1`, [till.event.id])
  expect(await cancel(me, mine)).toMatchObject({ status: 409, body: { reason: 'registration_cancel_late' } })
  await till.minute()
  expect(given(till.memory, payment)).toBe(0)
})

test('a cancelled event refunds everybody who paid, and nobody owes anything for it', async ({ api, person, till }) => {
  const other = await person({ org: till.org })
  const [first, second] = [await till.register(api.as(till.ann)), await till.register(api.as(other))]
  const payment = await till.open(till.ann, first.invoice?.id ?? '')
  await till.pay(payment)
  // Confirmed without payment.
  await till.boss.post(`/data/registrations/${second.id}/approve`, {})
  const { version } = (await till.boss.get(`/data/events/${till.event.id}`)).body as Event
  await till.boss.post(`/data/events/${till.event.id}/cancel`, { reason: 'Storm' }, { 'if-match': `"${version}"` })
  await till.minute()
  expect(given(till.memory, payment)).toBe(1500)
  expect(await till.look(first.id)).toMatchObject({ status: 'confirmed', refundState: 'refunded' })
  expect(await till.books(second.invoice?.id ?? '')).toMatchObject({ state: 'void' })
})

test('what was paid by hand is due for whoever keeps the books, who notes that it was given back; nobody else does', async ({
  api,
  person,
  till,
}) => {
  const me = api.as(till.ann)
  const mine = await till.register(me)
  const allocations = [{ invoiceId: mine.invoice?.id, amount: 1500 }]
  await till.boss.post('/data/payments', { ...hand, money: money(1500), allocations })
  await cancel(me, mine)
  await till.minute()
  await till.minute()
  const treasurer = api.as(await person({ org: till.org, idpRoles: ['org-finance'], grants: [{ role: 'finance' }] }))
  expect((await treasurer.get('/data/registration-refunds?state=by_hand')).body).toMatchObject({
    items: [{ id: mine.id, refund: 1500, refundState: 'by_hand', refundTotal: 1500, mayRefund: true }],
  })
  expect((await me.get('/data/registration-refunds')).body).toMatchObject({ items: [] })
  expect((await me.post(`/data/registrations/${mine.id}/refund`, {}, me.proof)).status).toBe(403)
  expect(await treasurer.post(`/data/registrations/${mine.id}/refund`, {}, treasurer.proof)).toMatchObject({
    status: 200,
    body: { refundState: 'refunded', refund: 0 },
  })
  expect(await treasurer.post(`/data/registrations/${mine.id}/refund`, {}, treasurer.proof)).toMatchObject({
    status: 409,
    body: { reason: 'refund_not_due' },
  })
  // What was given back is still told.
  expect((await treasurer.get('/data/registration-refunds?state=refunded')).body).toMatchObject({
    items: [{ id: mine.id, refund: 0, refundTotal: 1500, mayRefund: false }],
  })
  expect(await till.books(mine.invoice?.id ?? '')).toEqual({ state: 'credited', paid: 0, credited: 1500, credits: 1 })
})

test('a refund that the provider does not give is shown as failed, and tried again', async ({ api, admin, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me)
  const payment = await till.open(till.ann, mine.invoice?.id ?? '')
  await till.pay(payment)
  await cancel(me, mine)
  const begun = await admin.query<{ begun: { refunds: string[] } }>('select app.begin_refunds($1, 20) as begun', [till.org.id])
  expect(await till.look(mine.id)).toMatchObject({ refundState: 'in_progress' })
  await admin.query('select app.fail_refund($1, $2)', [till.org.id, begun.rows[0]?.begun.refunds[0]])
  expect(await till.look(mine.id)).toMatchObject({ refundState: 'failed', refund: 1500 })
  expect((await till.boss.post(`/data/registrations/${mine.id}/refund`, {}, till.boss.proof)).body).toMatchObject({ refundState: 'due' })
  await till.minute()
  expect(await till.look(mine.id)).toMatchObject({ refundState: 'refunded' })
  expect(given(till.memory, payment)).toBe(1500)
  expect(await till.books(mine.invoice?.id ?? '')).toMatchObject({ credits: 1, credited: 1500 })
})

test('why the provider did not give a refund is told to those who keep the books, until it is given', async ({ api, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me)
  const payment = await till.open(till.ann, mine.invoice?.id ?? '')
  await till.pay(payment)
  await cancel(me, mine)
  const { refund } = till.memory.provider
  till.memory.provider.refund = () =>
    Promise.reject(new PaymentProviderError('refused', 'Insufficient funds in your balance.', { refundFailure: 'balance' }))
  await till.minute()
  const listed = async (state: string) => (await till.boss.get(`/data/registration-refunds?state=${state}`)).body
  const refunds = async () => ((await till.boss.get(`/data/payments/${payment}`)).body as { refunds: unknown[] }).refunds
  expect(await listed('failed')).toMatchObject({ items: [{ id: mine.id, refundState: 'failed', refundFailure: 'balance' }] })
  expect(await refunds()).toMatchObject([{ state: 'failed', failure: 'balance' }])
  expect((await me.get('/data/registration-refunds')).body).toMatchObject({ items: [] })
  // Tried again: given at first, then sent back by the bank of the payer.
  till.memory.provider.refund = refund
  await till.boss.post(`/data/registrations/${mine.id}/refund`, {}, till.boss.proof)
  await till.minute()
  expect(await listed('refunded')).toMatchObject({ items: [{ id: mine.id, refundFailure: null }] })
  till.memory.sendBack(payment, 'card_closed')
  await till.read(payment)
  expect(await listed('failed')).toMatchObject({ items: [{ id: mine.id, refundFailure: 'card_closed' }] })
  expect(await refunds()).toMatchObject([
    { state: 'failed', failure: 'balance' },
    { state: 'failed', failure: 'card_closed' },
  ])
  // Nothing is learnt by reading it once more.
  await till.read(payment)
  expect(await refunds()).toHaveLength(2)
})

test('the open invoice of a hold that expired is void, once; not while somebody is paying', async ({ api, admin, person, till }) => {
  const other = await person({ org: till.org })
  const [first, second] = [await till.register(api.as(till.ann)), await till.register(api.as(other))]
  const payment = await till.open(till.ann, first.invoice?.id ?? '')
  await admin.query(`update app.registrations set hold_until = now() - interval '1 second' where event_id = $1`, [till.event.id])
  await Promise.all([till.minute(), till.minute()])
  expect(await till.books(second.invoice?.id ?? '')).toEqual({ state: 'void', paid: 0, credited: 0, credits: 0 })
  expect(await till.books(first.invoice?.id ?? '')).toMatchObject({ state: 'issued' })
  // Paid late: the seat is still free.
  await till.pay(payment)
  expect(await till.look(first.id)).toMatchObject({ status: 'confirmed', cause: 'paid_late', refundState: null })
  await till.minute()
  expect(await till.books(first.invoice?.id ?? '')).toMatchObject({ state: 'paid' })
})

test('what arrives after the invoice is void goes back; so does what comes late for a seat that is gone', async ({ api, admin, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me)
  const payment = await till.open(till.ann, mine.invoice?.id ?? '')
  await cancel(me, mine)
  // The page was given up, as far as we know.
  await admin.query(`update app.payments set state = 'cancelled' where id = $1`, [payment])
  await till.minute()
  expect(await till.books(mine.invoice?.id ?? '')).toMatchObject({ state: 'void' })
  await till.pay(payment)
  expect(await till.look(mine.id)).toMatchObject({ status: 'cancelled', refund: 1500 })
  await till.minute()
  expect(await till.look(mine.id)).toMatchObject({ status: 'cancelled', refundState: 'refunded' })
  expect(given(till.memory, payment)).toBe(1500)
})

test('of a party that pays together, whoever left before is owed nothing and gets nothing back', async ({ api, till }) => {
  const me = api.as(till.ann)
  const mine = await till.register(me, ['Ben'])
  await cancel(me, { id: mine.guests[0]?.id ?? '' })
  await till.minute()
  const invoice = mine.invoice?.id ?? ''
  expect(await till.books(invoice)).toMatchObject({ state: 'issued', credited: 1500 })
  const payment = await till.open(till.ann, invoice)
  await till.pay(payment)
  expect(await till.look(mine.id)).toMatchObject({ status: 'confirmed' })
  expect(await till.look(mine.guests[0]?.id ?? '')).toMatchObject({ status: 'cancelled', refund: 0, refundState: null })
  await till.minute()
  expect(given(till.memory, payment)).toBe(0)
})
