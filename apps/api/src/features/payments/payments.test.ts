import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPaymentCompanion } from '@guildhall/dev/payment-companion'
import type { PaymentCompanion } from '@guildhall/dev/payment-companion'
import { signatureOf } from '@guildhall/dev/payment-events'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type pg from 'pg'
import { jobHandlers } from '../../jobs.ts'
import { createServices } from '../../platform/services.ts'
import type { Services } from '../../platform/services.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { issueLink } from '../../platform/links/signed-links.ts'
import type { Settlements } from '../../platform/settlements.ts'
import { test as base } from '../../testing.ts'
import type { Client, TestPerson, Variant } from '../../testing.ts'
import { issuedInvoice } from './payments.testing.ts'
import { paymentJobs } from './payments.jobs.ts'
import { chargeSavedCard } from './payments.public.ts'

let companion: PaymentCompanion
let dataDir: string
let stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  stops = []
})
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  await rm(dataDir, { recursive: true, force: true })
})

type Money = { amount: number; currency: string }
type Payment = {
  id: string
  state: string
  failure: string | null
  version: number
  money: Money
  refunded: Money
  unallocated: Money
  isTest: boolean
  allocations: { invoiceId: string; amount: number }[]
  refunds: { state: string; reason: string; money: Money }[]
}
type Desk = {
  member: TestPerson
  owner: TestPerson
  byCard: Variant
  as(person: TestPerson): Client
  invoice(amount: number, subject?: { type: string; id: string }): Promise<string>
  payments(invoiceId: string): Promise<Payment[]>
  stateOf(invoiceId: string): Promise<string>
  /** The page that was opened, as the provider has it. */
  open(invoiceId: string, body?: object): Promise<PaymentCompanion['state']['sessions'][number]>
  told: string[]
  worker: Services
}

type Cards = { items: { id: string; isCharged: boolean }[] }

/** A server that takes the companion's webhooks, and a worker that does what they ask for. */
const test = base.extend<{ desk: Desk }>({
  desk: async ({ api, admin, person, organisation, variant }, use) => {
    const org = await organisation()
    const owner = await person({ org, grants: [{ role: 'org-owner' }] })
    const member = await person({ org, email: 'member@demo.example' })
    // The port is not known before the server listens, and the server's settings name the companion: a relay stands between.
    const server: { app?: Variant['app'] } = {}
    const { createServer } = await import('node:http')
    const relay = createServer((request, response) => {
      const chunks: Buffer[] = []
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          void server.app
            ?.inject({ method: 'POST', url: '/webhooks/stripe', headers: { ...request.headers }, payload: Buffer.concat(chunks) })
            .then((answer) => response.writeHead(answer.statusCode).end())
        })
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    const address = relay.address()
    const webhookUrl = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/webhooks/stripe`
    companion = await startPaymentCompanion({ port: 0, dataDir, webhookUrl, disputeAfterMs: 60_000 })
    const settings = {
      STRIPE_SECRET_KEY: companion.secretKey,
      STRIPE_WEBHOOK_SECRET: companion.webhookSecret,
      STRIPE_API_URL: companion.url,
    }
    const byCard = await variant(settings)
    server.app = byCard.app
    const told: string[] = []
    const settlements: Settlements = {
      membership_term: {
        paid: async (_tx, { subjectId }) => void told.push(`paid ${subjectId}`),
        unpaid: async (_tx, { subjectId }) => void told.push(`unpaid ${subjectId}`),
      },
    }
    const { config, log } = byCard.services
    const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
    const worker = createServices(config, log, url)
    const jobs = await startJobs({ url, handlers: { ...jobHandlers(worker), payments: paymentJobs(worker, settlements) }, log })
    stops.push(
      () => companion.stop(),
      async () => void relay.close(),
      async () => {
        await jobs.stop()
        await worker.close()
      },
    )
    const as = (who: TestPerson) => byCard.as(who.token)
    await use({
      ...{ member, owner, byCard, as, told, worker },
      invoice: (amount, subject) => issuedInvoice(api, owner, { amount, personId: member.personId, ...(subject && { subject }) }),
      payments: async (invoiceId) => {
        const { body }: { body: { items: Payment[] } } = await as(owner).get(`/data/payments?invoiceId=${invoiceId}`)
        return body.items
      },
      stateOf: (invoiceId) => stateOf(admin, invoiceId),
      open: async (invoiceId, body = {}) => {
        const answer = await as(member).post(`/actions/invoices/${invoiceId}/pay`, body)
        expect(answer.status, answer.text).toBe(200)
        const { url: at }: { url: string } = answer.body
        const session = companion.state.sessions.find(({ id }) => at.endsWith(id))
        if (!session) throw new Error('no page was opened')
        return session
      },
    })
  },
})

async function stateOf(admin: pg.Pool, invoiceId: string): Promise<string> {
  const { rows } = await admin.query<{ state: string }>('select state from app.invoices where id = $1', [invoiceId])
  return rows[0]?.state ?? ''
}
const soon = { timeout: 15_000, interval: 50 }

test('an invoice is paid by card: it changes nothing before the payment settles, and is told once', async ({ desk }) => {
  const invoiceId = await desk.invoice(4_200, { type: 'membership_term', id: '01920000-0000-7000-8000-000000000077' })
  const session = await desk.open(invoiceId)
  expect(await desk.payments(invoiceId)).toMatchObject([{ state: 'pending', money: { amount: 4_200, currency: 'EUR' }, allocations: [] }])
  expect(await desk.stateOf(invoiceId)).toBe('issued')
  companion.desk.pay(session, 'declined')
  await vi.waitFor(async () => expect(await desk.payments(invoiceId)).toMatchObject([{ state: 'pending', failure: 'declined' }]), soon)
  companion.desk.pay(session, 'pays')
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  expect(await desk.payments(invoiceId)).toMatchObject([
    { state: 'settled', failure: null, isTest: true, allocations: [{ invoiceId, amount: 4_200 }], unallocated: { amount: 0 } },
  ])
  await companion.events.deliver(
    companion.state.events.map(({ id }) => id),
    2,
  )
  expect(desk.told).toEqual(['paid 01920000-0000-7000-8000-000000000077'])
  expect((await desk.as(desk.member).post(`/actions/invoices/${invoiceId}/pay`, {})).body).toMatchObject({
    reason: 'payment_invoice_closed',
  })
})

test('a click that comes twice leads to one page; two payers pay on two, and what is too much is shown and given back', async ({
  desk,
}) => {
  const invoiceId = await desk.invoice(4_200)
  const [one, two] = await Promise.all([desk.open(invoiceId), desk.open(invoiceId)])
  expect(two.id).toBe(one.id)
  const { body }: { body: { url: string } } = await desk.as(desk.owner).post(`/actions/invoices/${invoiceId}/pay`, {})
  const other = companion.state.sessions.find(({ id }) => body.url.endsWith(id))
  if (!other) throw new Error('no page was opened')
  expect(other.id).not.toBe(one.id)
  companion.desk.pay(one, 'pays')
  companion.desk.pay(other, 'pays')
  await vi.waitFor(async () => expect((await desk.payments(invoiceId)).map(({ state }) => state)).toEqual(['settled', 'settled']), soon)
  const paid = await desk.payments(invoiceId)
  expect(paid.map(({ unallocated }) => unallocated.amount).toSorted((a, b) => a - b)).toEqual([0, 4_200])
  const extra = paid.find(({ unallocated }) => unallocated.amount > 0)
  if (!extra) throw new Error('nothing was paid too much')
  const refund = { amount: 4_200, reason: 'Paid twice' }
  const asked = await desk
    .as(desk.owner)
    .post(`/actions/payments/${extra.id}/refund`, refund, { 'if-match': `"${extra.version}"`, ...desk.owner.proof })
  expect(asked.status, asked.text).toBe(200)
  await vi.waitFor(async () => expect((await desk.payments(invoiceId)).map(({ state }) => state)).toContain('refunded'), soon)
  expect(companion.state.refunds).toMatchObject([{ amount: 4_200 }])
  expect(await desk.stateOf(invoiceId)).toBe('paid')
})

test('a refund in part leaves the invoice partly paid, and not more is given back than there is', async ({ desk }) => {
  const subject = { type: 'membership_term', id: '01920000-0000-7000-8000-000000000078' }
  const invoiceId = await desk.invoice(4_200, subject)
  companion.desk.pay(await desk.open(invoiceId), 'pays')
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  const [payment] = await desk.payments(invoiceId)
  const refund = (amount: number, version = payment?.version) =>
    desk
      .as(desk.owner)
      .post(
        `/actions/payments/${payment?.id}/refund`,
        { amount, reason: 'Moved away' },
        { 'if-match': `"${version}"`, ...desk.owner.proof },
      )
  expect((await refund(4_201)).body).toMatchObject({ reason: 'refund_too_large' })
  expect((await refund(1_200)).status).toBe(200)
  expect((await refund(1_200)).status).toBe(412)
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('partly_paid'), soon)
  expect(await desk.payments(invoiceId)).toMatchObject([
    { state: 'partly_refunded', refunded: { amount: 1_200 }, refunds: [{ state: 'settled' }] },
  ])
  expect(desk.told).toEqual([`paid ${subject.id}`, `unpaid ${subject.id}`])
})

test('a dispute takes the money back until it is won', async ({ desk }) => {
  const invoiceId = await desk.invoice(4_200)
  companion.desk.pay(await desk.open(invoiceId), 'pays')
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  const intent = companion.state.intents.at(-1)
  if (!intent) throw new Error('nothing was paid')
  companion.desk.openDispute(intent)
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('issued'), soon)
  expect(await desk.payments(invoiceId)).toMatchObject([{ state: 'disputed' }])
  const dispute = companion.state.disputes.at(-1)
  if (!dispute) throw new Error('no dispute')
  companion.desk.endDispute(dispute, 'won')
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
})

test('a fee that the provider reckons later is asked for again until it is known, and read once', async ({ desk, admin }) => {
  const invoiceId = await desk.invoice(4_200)
  companion.events.hold(true)
  companion.desk.pay(await desk.open(invoiceId), 'pays')
  const [charge] = companion.state.charges
  if (!charge) throw new Error('nothing was paid')
  charge.bookedAt = Date.now() + 3_600_000
  companion.events.hold(false)
  await companion.events.deliver()
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  const [payment] = await desk.payments(invoiceId)
  const known = async () =>
    (await admin.query(`select kind, amount::int, currency from app.payment_fees where payment_id = $1`, [payment?.id])).rows as object[]
  const due = async () =>
    (await admin.query(`select from app.payment_readings where payment_id = $1 and fee_due_at > now()`, [payment?.id])).rowCount
  await vi.waitFor(async () => expect(await due()).toBe(1), soon)
  expect(await known()).toEqual([])
  // The notice of it is lost.
  companion.events.hold(true)
  companion.desk.book(charge)
  await admin.query(`update app.payment_readings set fee_due_at = now() where payment_id = $1`, [payment?.id])
  await desk.worker.database.withoutActor((tx) => desk.worker.jobs.send(tx, 'payments', {}))
  const kept = [{ kind: 'charge', amount: 88, currency: 'EUR' }]
  await vi.waitFor(async () => expect(await known()).toEqual(kept), soon)
  await companion.events.deliver(undefined, 2)
  await vi.waitFor(
    async () =>
      expect(
        (
          await admin.query(
            `select from app.payment_events where payment_id = $1 and type = 'charge.updated' and processed_at is not null`,
            [payment?.id],
          )
        ).rowCount,
      ).toBe(1),
    soon,
  )
  expect([await known(), await due()]).toEqual([kept, 0])
  expect(await desk.payments(invoiceId)).toMatchObject([{ version: payment?.version }])
})

test('what was told to nobody is found by the comparison at night, and what nobody knows here is listed', async ({ desk }) => {
  const invoiceId = await desk.invoice(4_200)
  const session = await desk.open(invoiceId)
  companion.events.hold(true)
  companion.desk.pay(session, 'pays')
  for (const { id } of companion.events.waiting()) companion.events.drop(id)
  const unknown = { guildhall_org: desk.owner.orgId, guildhall_payment: '01920000-0000-7000-8000-000000000099' }
  const stray = companion.desk.openSession({ ...session, intentMetadata: unknown, amount: 700 })
  companion.desk.pay(stray, 'pays')
  const compare = () =>
    desk.worker.database.withoutActor((tx) => desk.worker.jobs.send(tx, 'payments', { does: 'compare', org: desk.owner.orgId }))
  await compare()
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  const listed = async () => (await desk.as(desk.owner).get('/data/payment-differences')).body
  await vi.waitFor(
    async () => expect(await listed()).toMatchObject({ items: [{ kind: 'unknown_here', theirs: 700, currency: 'EUR' }] }),
    soon,
  )
  expect((await desk.as(desk.member).get('/data/payment-differences')).body).toMatchObject({
    items: [],
    comparedAt: null,
    may: { answer: false },
  })
})

test('a difference that was answered is not listed again while it stays the same; one that is written down becomes a payment', async ({
  desk,
  admin,
}) => {
  const owner = desk.as(desk.owner)
  type Listed = { items: { id: string; theirs: number }[]; comparedAt: string | null }
  const listed = async (): Promise<Listed> => (await owner.get('/data/payment-differences')).body
  const stray = async (payment: string, amount: number) => {
    const session = await desk.open(await desk.invoice(100))
    const metadata = { guildhall_org: desk.owner.orgId, guildhall_payment: payment }
    companion.desk.pay(companion.desk.openSession({ ...session, intentMetadata: metadata, amount }), 'pays')
  }
  companion.events.hold(true)
  await stray('01920000-0000-7000-8000-000000000098', 700)
  await stray('01920000-0000-7000-8000-000000000099', 900)
  const compare = async () => {
    const { comparedAt } = await listed()
    expect((await owner.post('/actions/payment-differences/compare', {})).status).toBe(204)
    await vi.waitFor(async () => expect((await listed()).comparedAt).not.toBe(comparedAt), soon)
  }
  expect((await desk.as(desk.member).post('/actions/payment-differences/compare', {})).status).toBe(403)
  await compare()
  const { items } = await listed()
  expect(items.map(({ theirs }) => theirs).toSorted((a, b) => a - b)).toEqual([700, 900])
  const [small, large] = items.toSorted((a, b) => a.theirs - b.theirs)
  const answer = (body: object) => owner.post(`/actions/payment-differences/${small?.id}/answer`, body)
  expect((await answer({ answer: 'accepted', reason: 'It is right' })).body).toMatchObject({ reason: 'difference_not_acceptable' })
  expect((await answer({ answer: 'ignored', reason: 'A payment of the shop' })).status).toBe(204)
  expect((await answer({ answer: 'ignored', reason: 'Again' })).body).toMatchObject({ reason: 'difference_answered' })
  const invoiceId = await desk.invoice(900)
  const written = {
    ...{ method: 'other', money: { amount: 900, currency: 'EUR' }, receivedOn: '2026-01-05', allocations: [{ invoiceId, amount: 900 }] },
    differenceId: large?.id,
  }
  expect((await owner.post('/data/payments', written)).status).toBe(201)
  expect((await owner.post('/data/payments', written)).body).toMatchObject({ reason: 'payment_invoice_closed' })
  expect(await desk.stateOf(invoiceId)).toBe('paid')
  await compare()
  expect((await listed()).items).toEqual([])
  const { rows } = await admin.query(`select answer from app.payment_differences where org_id = $1 order by ours, theirs`, [
    desk.owner.orgId,
  ])
  expect(rows).toEqual([{ answer: 'ignored' }, { answer: 'recorded' }])
})

test('the amount that the provider took is accepted for a payment that has not settled, and pays so much', async ({ desk }) => {
  const invoiceId = await desk.invoice(4_200)
  const session = await desk.open(invoiceId)
  session.amount = 4_000
  companion.desk.pay(session, 'pays')
  const owner = desk.as(desk.owner)
  const listed = async (): Promise<{ items: { id: string }[] }> => (await owner.get('/data/payment-differences')).body
  await vi.waitFor(async () => expect(await listed()).toMatchObject({ items: [{ kind: 'amount', ours: 4_200, theirs: 4_000 }] }), soon)
  expect(await desk.stateOf(invoiceId)).toBe('issued')
  const { items } = await listed()
  const accept = { answer: 'accepted', reason: 'They paid 40 euros' }
  expect((await owner.post(`/actions/payment-differences/${items[0]?.id}/answer`, accept)).status).toBe(204)
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('partly_paid'), soon)
  expect(await desk.payments(invoiceId)).toMatchObject([{ state: 'settled', money: { amount: 4_000 } }])
})

test('whoever comes back from the page has the provider asked when its notice is lost', async ({ desk }) => {
  const invoiceId = await desk.invoice(4_200)
  const session = await desk.open(invoiceId)
  companion.events.hold(true)
  companion.desk.pay(session, 'pays')
  const [payment] = await desk.payments(invoiceId)
  expect(payment?.state).toBe('pending')
  expect((await desk.as(desk.member).post(`/actions/payments/${payment?.id}/check`, {})).status).toBe(204)
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  expect((await desk.as(desk.member).get(`/data/payments/${payment?.id}`)).body).toMatchObject({
    ...{ invoice: { id: invoiceId }, allocations: [{ invoiceId, amount: 4_200 }], may: { refund: false, reverse: false } },
  })
})

test('payments are filtered by chapter, method, state, day and amount, sorted and found by their reference', async ({ desk }) => {
  const owner = desk.as(desk.owner)
  const said = { money: { amount: 100, currency: 'EUR' }, personId: desk.member.personId }
  for (const [method, receivedOn] of Object.entries({ cash: '2026-01-05', cheque: '2026-02-05', bank_transfer: '2026-03-05' }))
    expect((await owner.post('/data/payments', { ...said, method, receivedOn, reference: `${method.slice(0, 4)}-7` })).status).toBe(201)
  const methods = async (query: string) => {
    const { body }: { body: { items: { method: string }[] } } = await owner.get(`/data/payments?${query}`)
    return body.items.map(({ method }) => method)
  }
  const filtered = (...and: object[]) => methods(`filter=${encodeURIComponent(JSON.stringify({ and: and.map((one) => ({ or: [one] })) }))}`)
  expect(await filtered({ field: 'day', op: 'between', value: ['2026-02-05', '2026-02-28'] })).toEqual(['cheque'])
  expect(await filtered({ field: 'method', op: 'in', value: ['cash'] })).toEqual(['cash'])
  expect(await filtered({ field: 'state', op: 'in', value: ['reversed'] })).toEqual([])
  expect(await filtered({ field: 'day', op: 'before', value: '2026-02-06' })).toEqual(['cheque', 'cash'])
  expect(await filtered({ field: 'money', op: 'is', value: 1 }, { field: 'unallocated', op: 'is', value: true })).toHaveLength(3)
  expect(await owner.get('/data/payments?filter={"and":[{"or":[{"field":"mood","op":"is","value":1}]}]}')).toMatchObject({ status: 400 })
  expect(await methods('sort=day')).toEqual(['cash', 'cheque', 'bank_transfer'])
  expect(await owner.get('/data/payments?sort=mood')).toMatchObject({ status: 400 })
  expect(await methods('q=nobody')).toEqual([])
  expect(await methods('q=cheq-7')).toEqual(['cheque'])
  expect(await methods('chapterId=01920000-0000-7000-8000-000000000001')).toEqual([])
})

test('the account for transfers is what everybody is told who has something to pay, also by a link', async ({ desk }) => {
  const owner = desk.as(desk.owner)
  expect((await desk.as(desk.member).get('/data/payment-methods')).body).toMatchObject({
    transfer: null,
    isTestMode: true,
    testsCount: true,
  })
  const { body: before }: { body: { version: number } } = await owner.get('/data/payment-settings')
  expect(before).toMatchObject({ accountNumber: '', byCard: true, isTestMode: true, mayEdit: true })
  const change = { accountHolder: 'Demo Society', accountNumber: 'DE02 1203 0000 0000 2020 51', transferNote: 'Two days' }
  const at = { 'if-match': `"${before.version}"` }
  expect((await owner.patch('/data/payment-settings', change, at)).body).toMatchObject({ ...change, version: before.version + 1 })
  expect((await owner.patch('/data/payment-settings', change, at)).status).toBe(412)
  expect((await desk.as(desk.member).patch('/data/payment-settings', change, { 'if-match': `"${before.version + 1}"` })).status).toBe(403)
  expect((await desk.as(desk.member).get('/data/payment-methods')).body).toMatchObject({
    transfer: { accountNumber: change.accountNumber },
  })
  const { path } = await desk.worker.database.withoutActor(async (tx) =>
    issueLink(tx, {
      ...{ purpose: 'pay', subject: { type: 'invoice', id: await desk.invoice(100) }, uses: 'many', orgId: desk.owner.orgId },
      expiresAt: new Date(Date.now() + 86_400_000),
    }),
  )
  expect((await desk.byCard.app.inject({ method: 'GET', url: path })).body).toMatch(/Pay by card.*DE02 1203 0000 0000 2020 51/s)
})

test('events that are forged, old, changed or unsigned change nothing; with the signature off the same one does (control)', async ({
  desk,
}) => {
  const invoiceId = await desk.invoice(4_200)
  const session = await desk.open(invoiceId)
  companion.events.hold(true)
  companion.desk.pay(session, 'pays')
  const [event] = companion.state.events.filter(({ type }) => type === 'payment_intent.succeeded')
  const body = JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object: event?.object },
  })
  const post = (signature?: string, text = body, at: Variant['app'] = desk.byCard.app) =>
    at.inject({
      ...{ method: 'POST', url: '/webhooks/stripe', payload: text },
      headers: { 'content-type': 'application/json', ...(signature !== undefined && { 'stripe-signature': signature }) },
    })
  const old = Math.floor(Date.now() / 1000) - 360
  const forged = [
    undefined,
    't=1,v1=00',
    signatureOf(body, 'whsec_wrongwrong'),
    signatureOf(body, companion.webhookSecret, old),
    signatureOf('{}', companion.webhookSecret),
  ]
  for (const signature of forged) expect((await post(signature)).statusCode).toBe(400)
  const { services } = desk.byCard
  const { payments } = services
  if (!payments) throw new Error('no provider')
  expect((await post(signatureOf('not json', companion.webhookSecret), 'not json')).statusCode).toBe(400)
  const unknown = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.created',
    livemode: false,
    data: { object: { object: 'customer' } },
  })
  expect((await post(signatureOf(unknown, companion.webhookSecret), unknown)).statusCode).toBe(200)
  expect(await desk.stateOf(invoiceId)).toBe('issued')
  // The control: whoever believes anybody takes it.
  const believed = vi.spyOn(payments, 'readEvent').mockReturnValue({
    ...{
      id: 'evt_forged',
      type: 'payment_intent.succeeded',
      isLive: false,
      orgId: null,
      paymentId: null,
      sessionId: session.id,
      intentId: session.intent,
    },
  })
  expect((await post('t=1,v1=00')).statusCode).toBe(200)
  believed.mockRestore()
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
})

test('money that came by hand pays several invoices, is corrected by reversal and never deleted', async ({ desk }) => {
  const [first, second] = [await desk.invoice(1_000), await desk.invoice(2_000)]
  const said = { method: 'bank_transfer', money: { amount: 2_600, currency: 'EUR' }, receivedOn: '2026-01-05', reference: 'RF18 5390' }
  const allocations = [
    { invoiceId: first, amount: 1_000 },
    { invoiceId: second, amount: 1_500 },
  ]
  const record = (more: object) => desk.as(desk.owner).post('/data/payments', { ...said, allocations, ...more })
  expect((await record({ allocations: [{ invoiceId: first, amount: 2_700 }] })).body).toMatchObject({ reason: 'payment_too_small' })
  expect((await record({ money: { amount: 2_600, currency: 'CHF' } })).body).toMatchObject({ reason: 'payment_currency' })
  expect((await record({ receivedOn: '2090-01-01' })).body).toMatchObject({ reason: 'payment_in_future' })
  expect((await desk.as(desk.member).post('/data/payments', { ...said, allocations })).status).toBe(403)
  const { body: payment, status, text }: { body: Payment; status: number; text: string } = await record({})
  expect(status, text).toBe(201)
  expect(payment).toMatchObject({ state: 'settled', unallocated: { amount: 100 }, allocations: [{ amount: 1_000 }, { amount: 1_500 }] })
  expect([await desk.stateOf(first), await desk.stateOf(second)]).toEqual(['paid', 'partly_paid'])
  const act = (verb: string, body: object, version: number) =>
    desk.as(desk.owner).post(`/data/payments/${payment.id}/${verb}`, body, { 'if-match': `"${version}"` })
  const more = await act('allocate', { allocations: [{ invoiceId: second, amount: 100 }] }, payment.version)
  expect(more.body, more.text).toMatchObject({ unallocated: { amount: 0 }, allocations: [{ amount: 1_000 }, { amount: 1_600 }] })
  const { version }: { version: number } = more.body
  expect((await act('reverse', { reason: 'Recorded twice' }, payment.version)).status).toBe(412)
  expect((await act('reverse', { reason: 'Recorded twice' }, version)).body).toMatchObject({
    state: 'reversed',
    allocations: [{ amount: 0 }, { amount: 0 }],
  })
  expect([await desk.stateOf(first), await desk.stateOf(second)]).toEqual(['issued', 'issued'])
})

test('a card is saved with a payment, charged for a renewal, and its owner is told when the bank asks for them; removed, it is charged no more', async ({
  desk,
  admin,
}) => {
  companion.desk.pay(await desk.open(await desk.invoice(4_200), { saveCard: true }), 'pays')
  const cards = async (): Promise<Cards> => (await desk.as(desk.member).get('/data/payment-methods')).body
  await vi.waitFor(async () => expect(await cards()).toMatchObject({ items: [{ brand: 'visa', last4: '4242' }], canPayOnline: true }), soon)
  expect((await desk.as(desk.owner).get('/data/payment-methods')).body).toMatchObject({ items: [] })
  // The card that was chosen is charged, not the newest.
  companion.desk.pay(await desk.open(await desk.invoice(900), { saveCard: true }), 'pays')
  await vi.waitFor(async () => expect((await cards()).items).toMatchObject([{ isCharged: true }, { isCharged: false }]), soon)
  const [newest, chosen] = (await cards()).items
  expect((await desk.as(desk.owner).put(`/data/payment-methods/${chosen?.id}/preferred`)).status).toBe(404)
  expect((await desk.as(desk.member).put(`/data/payment-methods/${chosen?.id}/preferred`)).status).toBe(204)
  expect(await cards()).toMatchObject({
    items: [
      { id: chosen?.id, isCharged: true },
      { id: newest?.id, isCharged: false },
    ],
  })
  const charge = async (amount: number) => {
    const invoiceId = await desk.invoice(amount)
    const begun = await desk.worker.database.withoutActor((tx) => chargeSavedCard(desk.worker, tx, desk.owner.orgId, invoiceId))
    return { invoiceId, begun }
  }
  const renewal = await charge(5_000)
  expect(renewal.begun).toBe(true)
  await vi.waitFor(async () => expect(await desk.stateOf(renewal.invoiceId)).toBe('paid'), soon)
  const [card] = companion.state.methods
  if (!card) throw new Error('no card')
  companion.desk.setBehaviour(card, 'confirms')
  const asks = await charge(6_000)
  await vi.waitFor(
    async () => expect(await desk.payments(asks.invoiceId)).toMatchObject([{ state: 'failed', failure: 'confirmation_needed' }]),
    soon,
  )
  expect(await desk.stateOf(asks.invoiceId)).toBe('issued')
  const mails = async () =>
    (
      await admin.query<{ template: string }>('select template from app.mail_messages where org_id = $1 and person_id = $2', [
        desk.owner.orgId,
        desk.member.personId,
      ])
    ).rows
  expect((await mails()).filter(({ template }) => template !== 'receipt')).toEqual([{ template: 'charge-failed' }])
  const { items }: { items: { id: string }[] } = await cards()
  expect((await desk.as(desk.owner).del(`/actions/payment-methods/${items[0]?.id}`)).status).toBe(404)
  expect((await desk.as(desk.member).del(`/actions/payment-methods/${items[0]?.id}`)).status).toBe(204)
  await vi.waitFor(() => expect(card.customer).toBeNull(), soon)
  expect(await cards()).toMatchObject({ items: [{ id: newest?.id, isCharged: true }] })
  expect((await desk.as(desk.member).del(`/actions/payment-methods/${newest?.id}`)).status).toBe(204)
  expect((await charge(7_000)).begun).toBe(false)
})

test('whoever has the link pays without signing in; a forged one leads nowhere', async ({ desk }) => {
  const invoiceId = await desk.invoice(4_200)
  const { path } = await desk.worker.database.withoutActor((tx) =>
    issueLink(tx, {
      ...{ purpose: 'pay', subject: { type: 'invoice', id: invoiceId }, uses: 'many', orgId: desk.owner.orgId },
      expiresAt: new Date(Date.now() + 86_400_000),
    }),
  )
  const ask = async (method: 'GET' | 'POST', url = path) => desk.byCard.app.inject({ method, url })
  expect((await ask('GET')).body).toMatch(/Amount due.*€42\.00.*Pay by card/s)
  expect((await ask('POST', `${path}x`)).statusCode).toBe(404)
  const page = (await ask('POST')).body
  const session = companion.state.sessions.find(({ id }) => page.includes(id))
  if (!session) throw new Error('no page was opened')
  expect(session.successUrl).toContain(path)
  expect((await ask('POST')).body).toContain(session.id)
  companion.desk.pay(session, 'pays')
  await vi.waitFor(async () => expect(await desk.stateOf(invoiceId)).toBe('paid'), soon)
  expect((await ask('GET')).body).toContain('is paid. Thank you.')
  expect((await ask('POST')).body).toContain('is paid. Thank you.')
})

test('a test payment pays nothing where money is meant', async ({ desk, admin }) => {
  const invoiceId = await desk.invoice(4_200)
  const session = await desk.open(invoiceId)
  const { services } = desk.byCard
  const inProduction = { ...desk.worker, config: { ...services.config, NODE_ENV: 'production' as const } }
  companion.events.hold(true)
  companion.desk.pay(session, 'pays')
  const { rows } = await admin.query<{ id: string }>('select id from app.payments where invoice_id = $1', [invoiceId])
  await paymentJobs(inProduction, {})(
    { does: 'read', org: desk.owner.orgId, payment: rows[0]?.id ?? '' },
    { id: 'x', signal: new AbortController().signal },
  )
  expect(await desk.payments(invoiceId)).toMatchObject([{ state: 'settled', isTest: true, unallocated: { amount: 0 } }])
  expect(await desk.stateOf(invoiceId)).toBe('issued')
})

test('without a provider nothing is paid by card, and the webhook is not there', async ({ api, person, organisation }) => {
  const owner = await person({ org: await organisation(), grants: [{ role: 'org-owner' }] })
  const other = await person({ org: { id: owner.orgId, rootChapterId: '' }, chapterId: null })
  const invoiceId = await issuedInvoice(api, owner, { amount: 100 })
  expect((await api.as(owner).post(`/actions/invoices/${invoiceId}/pay`, {})).body).toMatchObject({ reason: 'payment_not_online' })
  expect((await api.as(other).get('/data/payment-methods')).body).toMatchObject({ items: [], canPayOnline: false })
  expect((await api.app.inject({ method: 'POST', url: '/webhooks/stripe', payload: '{}' })).statusCode).toBe(404)
})
