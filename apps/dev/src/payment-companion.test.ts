import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing } from '@guildhall/api/platform/outgoing/outgoing'
import {
  ForgedEventError,
  PaymentProviderError,
  type PaymentProvider,
  type ProviderEvent,
} from '@guildhall/api/platform/payments/payment-provider'
import { createStripe } from '@guildhall/api/platform/payments/stripe'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPaymentCompanion, type PaymentCompanion } from './payment-companion.ts'
import { signatureOf } from './payment-events.ts'
import type { Session } from './payment-store.ts'

let companion: PaymentCompanion
let provider: PaymentProvider
let dataDir: string
let hooks: Server
let taken: ProviderEvent[]
let answers: number
let webhookUrl: string

beforeEach(async () => {
  taken = []
  answers = 200
  hooks = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const event = provider.readEvent(Buffer.concat(chunks), String(request.headers['stripe-signature']))
        if (answers === 200) taken.push(event)
        response.writeHead(answers).end()
      })
  })
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
  const address = hooks.address()
  webhookUrl = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/`
  dataDir = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
  await start()
})

afterEach(async () => {
  await companion.stop()
  hooks.close()
  hooks.closeAllConnections()
  rmSync(dataDir, { recursive: true })
})

async function start(more: { feeAfterMs?: number } = {}): Promise<void> {
  companion = await startPaymentCompanion({ port: 0, dataDir, webhookUrl, disputeAfterMs: 60_000, ...more })
  const outgoing = createOutgoing({ allowed: [new URL(companion.url).host], userAgent: 'test' })
  provider = createStripe({
    key: companion.secretKey,
    secrets: ['whsec_another', companion.webhookSecret],
    apiUrl: companion.url,
    outgoing,
  })
}

const checkout = {
  ...{ paymentId: '0193-payment', orgId: '0193-org', money: { amount: 4_200, currency: 'EUR' }, text: 'Invoice 2026-7' },
  ...{ successUrl: 'http://localhost:3000/paid', cancelUrl: 'http://localhost:3000/unpaid' },
  expiresAt: new Date(Date.now() + 3_600_000),
}
async function open(more: { customerId?: string; save?: boolean; paymentId?: string } = {}): Promise<Session> {
  const { sessionId, url } = await provider.startCheckout({ ...checkout, ...more })
  const session = companion.state.sessions.find(({ id }) => id === sessionId)
  if (!session) throw new Error('no session')
  expect(url).toBe(pageOf(session))
  return session
}
const pageOf = ({ id }: Session) => `${companion.url}/pay/${id}`
const find = ({ id }: Session) => provider.find({ sessionId: id, intentId: null })
const press = (url: string, outcome: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' }).then(
    ({ headers }) => headers.get('location') ?? '',
  )

test('a payment is pending until its payer pays on the page, which leads back', async () => {
  const session = await open()
  expect(await find(session)).toMatchObject({
    state: 'pending',
    paymentId: '0193-payment',
    money: { amount: 4_200, currency: 'EUR' },
    isLive: false,
  })
  expect(await (await fetch(pageOf(session))).text()).toContain('€42.00')
  expect(await press(pageOf(session), 'pays')).toBe('http://localhost:3000/paid')
  expect(await find(session)).toMatchObject({ state: 'settled', orgId: '0193-org', refunds: [], dispute: null, saved: null })
  expect(await (await fetch(pageOf(session))).text()).toContain('This was paid.')
  await vi.waitFor(() => expect(taken.map(({ type }) => type)).toContain('checkout.session.completed'))
  const of = companion.state.sessions[0]?.intent
  expect(taken.filter(({ type }) => type === 'charge.succeeded')).toMatchObject([{ intentId: of, orgId: '0193-org', isLive: false }])
})

test('the same payment is begun once, however often it is asked for; with another amount it is refused', async () => {
  const first = await open()
  expect((await open()).id).toBe(first.id)
  expect(companion.state.sessions).toHaveLength(1)
  await expect(provider.startCheckout({ ...checkout, money: { amount: 1, currency: 'EUR' } })).rejects.toMatchObject({ reason: 'refused' })
  expect((await open({ paymentId: 'another' })).id).not.toBe(first.id)
})

test('a declined card leaves the page open for another one', async () => {
  const session = await open()
  expect(await press(pageOf(session), 'declined')).toBe(`/pay/${session.id}/declined`)
  expect(await find(session)).toMatchObject({ state: 'pending', failure: 'declined' })
  expect(await press(pageOf(session), 'pays')).toBe('http://localhost:3000/paid')
  expect(await find(session)).toMatchObject({ state: 'settled', failure: null })
  expect(companion.state.intents).toHaveLength(1)
})

test('a bank may ask for confirmation first, and be refused it', async () => {
  const session = await open()
  expect(await press(pageOf(session), 'confirms')).toBe(`/pay/${session.id}/confirm`)
  expect(await find(session)).toMatchObject({ state: 'pending' })
  expect(await press(`${pageOf(session)}/confirm`, 'declined')).toBe(`/pay/${session.id}/declined`)
  expect(await press(`${pageOf(session)}/confirm`, 'confirmed')).toBe('http://localhost:3000/paid')
  expect(await find(session)).toMatchObject({ state: 'settled' })
})

test('a page that was ended cannot be paid on, and one that was paid cannot be ended', async () => {
  const session = await open()
  await provider.endCheckout(session.id)
  await provider.endCheckout(session.id)
  expect(await press(pageOf(session), 'pays')).toBe(`/pay/${session.id}`)
  expect(await find(session)).toMatchObject({ state: 'cancelled', failure: 'expired' })
  const paid = await open({ paymentId: 'paid' })
  companion.desk.pay(paid, 'pays')
  await provider.endCheckout(paid.id)
  expect(await find(paid)).toMatchObject({ state: 'settled' })
})

test('a saved card is charged later, or declined, or needs its owner; removed, it is refused', async () => {
  const customerId = await provider.addCustomer({ orgId: 'org', ownerId: 'person', email: 'member@demo.example' })
  expect(await provider.addCustomer({ orgId: 'org', ownerId: 'person', email: 'member@demo.example' })).toBe(customerId)
  const session = await open({ customerId, save: true })
  companion.desk.pay(session, 'pays')
  const saved = (await find(session))?.saved
  expect(saved).toMatchObject({ brand: 'visa', last4: '4242' })
  const methodId = saved?.methodId ?? ''
  const charge = (paymentId: string) =>
    provider.chargeSaved({ paymentId, orgId: 'org', money: checkout.money, text: 'Renewal', customerId, methodId })
  expect(await charge('a')).toMatchObject({ state: 'settled', paymentId: 'a' })
  expect(await charge('a')).toMatchObject({ state: 'settled', paymentId: 'a' })
  expect(companion.state.intents).toHaveLength(2)
  const [method] = companion.state.methods
  if (!method) throw new Error('no card')
  companion.desk.setBehaviour(method, 'declines')
  expect(await charge('b')).toMatchObject({ state: 'failed', failure: 'declined' })
  companion.desk.setBehaviour(method, 'confirms')
  expect(await charge('c')).toMatchObject({ state: 'failed', failure: 'confirmation_needed' })
  // Nothing of a failed charge can be paid later, and asking once more says the same.
  expect(companion.state.intents.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'canceled', 'canceled'])
  expect(await charge('c')).toMatchObject({ state: 'failed', failure: 'confirmation_needed' })
  await provider.removeMethod(methodId)
  await provider.removeMethod(methodId)
  await expect(charge('d')).rejects.toBeInstanceOf(PaymentProviderError)
})

test('refunds are given in parts up to the whole, each once; a dispute is opened and won', async () => {
  const session = await open()
  companion.desk.pay(session, 'pays')
  const intentId = (await find(session))?.intentId ?? ''
  const refund = (refundId: string, amount: number) =>
    provider.refund({ refundId, orgId: 'org', intentId, money: { amount, currency: 'EUR' } })
  const first = await refund('r1', 1_200)
  expect(first).toMatchObject({ refundId: 'r1', state: 'settled', money: { amount: 1_200, currency: 'EUR' } })
  expect((await refund('r1', 1_200)).id).toBe(first.id)
  await expect(refund('r2', 3_001)).rejects.toMatchObject({ reason: 'refused', refundFailure: 'too_much' })
  await refund('r3', 3_000)
  expect((await find(session))?.refunds.map(({ money }) => money.amount)).toEqual([3_000, 1_200])
  const [intent] = companion.state.intents
  if (!intent) throw new Error('no payment')
  companion.desk.openDispute(intent)
  expect((await find(session))?.dispute).toMatchObject({ state: 'open' })
  const [dispute] = companion.state.disputes
  if (!dispute) throw new Error('no dispute')
  companion.desk.endDispute(dispute, 'won')
  expect((await find(session))?.dispute).toMatchObject({ state: 'won' })
})

test('fees are told with the payment, of refunds and disputes too, and come later where they are reckoned later', async () => {
  await companion.stop()
  await start({ feeAfterMs: 60_000 })
  const session = await open()
  companion.desk.pay(session, 'pays')
  expect(await find(session)).toMatchObject({ state: 'settled', fees: [] })
  const [charge] = companion.state.charges
  const [intent] = companion.state.intents
  if (!charge || !intent) throw new Error('no payment')
  companion.desk.book(charge)
  await vi.waitFor(() =>
    expect(taken).toContainEqual(expect.objectContaining({ type: 'charge.updated', intentId: intent.id, orgId: '0193-org' })),
  )
  const kept = { transactionId: `txn_${charge.id}`, kind: 'charge', money: { amount: 88, currency: 'EUR' } }
  expect((await find(session))?.fees).toMatchObject([kept])
  Object.assign(companion.desk.refund(intent, charge.id, 4_200, {}), { feeBack: 63 })
  companion.desk.openDispute(intent)
  expect((await find(session))?.fees).toMatchObject([
    kept,
    { kind: 'refund', money: { amount: -63, currency: 'EUR' } },
    { kind: 'dispute', money: { amount: 2_000, currency: 'EUR' } },
  ])
  // A key that may not read them reads the payment all the same, and is not tried again at once.
  companion.desk.deny(['fees'])
  const denied = { state: 'settled', refundedAmount: 4_200, dispute: { state: 'open' } }
  expect(await find(session)).toMatchObject({ ...denied, fees: [{ kind: 'dispute' }] })
  companion.desk.deny([])
  expect((await find(session))?.fees).toHaveLength(1)
})

test('payouts are listed over any number of pages, with their day and how they stand', async () => {
  companion.desk.pay(await open(), 'pays')
  const [payout] = companion.desk.payOut()
  expect(payout).toMatchObject({ amount: 4_112, currency: 'eur', status: 'pending' })
  expect(companion.desk.payOut()).toEqual([])
  if (!payout) throw new Error('no payout')
  const listed = async (since = new Date(0)) => {
    const all = []
    for await (const one of provider.listPayouts(since)) all.push(one)
    return all
  }
  const arrivesOn = new Date(payout.arrival * 1000).toISOString().slice(0, 10)
  const told = { id: payout.id, money: { amount: 4_112, currency: 'EUR' }, arrivesOn, isLive: false }
  expect(await listed()).toMatchObject([{ ...told, state: 'pending' }])
  const states = [
    ['in_transit', 'in_transit'],
    ['paid', 'paid'],
    ['canceled', 'cancelled'],
    ['failed', 'failed'],
  ] as const
  for (const [theirs, state] of states) {
    companion.desk.movePayout(payout, theirs)
    expect(await listed()).toMatchObject([{ ...told, state }])
  }
  // What was sent back can be paid out again; an account may hold what is no currency here.
  expect(companion.desk.payOut()).toMatchObject([{ amount: 4_112 }])
  companion.state.payouts.push({ ...payout, id: 'po_coin', currency: 'usdc' })
  for (let n = 0; n < 210; n++) companion.state.payouts.push({ ...payout, id: `po_${n}`, created: payout.created - 1_000 - n })
  expect(new Set((await listed()).map(({ id }) => id)).size).toBe(212)
  expect(await listed(new Date((payout.created - 500) * 1000))).toHaveLength(2)
  companion.desk.deny(['payouts'])
  await expect(listed()).rejects.toBeInstanceOf(PaymentProviderError)
})

test('webhooks are held back, come twice, in reverse order, or are lost, as somebody says; what is not taken waits', async () => {
  const steer = (does: string, event?: string) =>
    fetch(`${companion.url}/webhooks`, {
      method: 'POST',
      body: new URLSearchParams({ do: does, ...(event && { event }) }),
      redirect: 'manual',
    })
  await steer('hold')
  companion.desk.pay(await open(), 'pays')
  const waiting = companion.events.waiting().map(({ id }) => id)
  expect(waiting).toHaveLength(4)
  expect(taken).toEqual([])
  expect(await (await fetch(companion.url)).text()).toContain('4 webhooks are waiting.')
  await steer('reverse')
  await steer('drop', waiting[1])
  answers = 500
  await steer('deliver')
  answers = 200
  await steer('twice')
  const [created, , succeeded, completed] = waiting
  expect(taken.map(({ id }) => id)).toEqual([completed, completed, succeeded, succeeded, created, created])
  expect(companion.events.waiting()).toEqual([])
})

test('what happened is there after a restart, and nobody without the key is told of it', async () => {
  const session = await open()
  companion.desk.pay(session, 'disputed')
  const { state } = companion
  await companion.stop()
  await start()
  expect(companion.state).toEqual(state)
  expect(await find(session)).toMatchObject({ state: 'settled' })
  expect((await fetch(`${companion.url}/v1/payment_intents`)).status).toBe(401)
})

test('a listing says of each payment how it stands, over any number of pages', async () => {
  for (let n = 0; n < 120; n++) companion.desk.pay(await open({ paymentId: `p${n}` }), n % 2 === 0 ? 'pays' : 'declined')
  const listed: string[] = []
  for await (const { paymentId, state } of provider.listSince(new Date(Date.now() - 60_000))) listed.push(`${paymentId ?? ''} ${state}`)
  expect(listed).toHaveLength(120)
  expect(new Set(listed).size).toBe(120)
  expect(listed[0]).toBe('p119 pending')
  const later: string[] = []
  for await (const { paymentId } of provider.listSince(new Date(Date.now() + 60_000))) later.push(paymentId ?? '')
  expect(later).toEqual([])
})

test('an event is read with either secret while one is replaced; forged, old, changed or unsigned it is not', () => {
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.refunded',
    livemode: false,
    data: { object: { object: 'charge', payment_intent: 'pi_1' } },
  })
  const read = (signature: string | undefined, text = body) => provider.readEvent(Buffer.from(text), signature)
  const own = signatureOf(body, companion.webhookSecret)
  expect(read(own)).toEqual({
    id: 'evt_1',
    type: 'charge.refunded',
    isLive: false,
    paymentId: null,
    orgId: null,
    sessionId: null,
    intentId: 'pi_1',
  })
  expect(read(signatureOf(body, 'whsec_another'))).toMatchObject({ id: 'evt_1' })
  for (const forged of [
    undefined,
    '',
    't=1,v1=00',
    signatureOf(body, 'whsec_wrong'),
    signatureOf(body, companion.webhookSecret, Date.now() / 1000 - 360),
  ])
    expect(() => read(forged)).toThrow(ForgedEventError)
  expect(() => read(own, body.replace('pi_1', 'pi_2'))).toThrow(ForgedEventError)
})

test('a provider that is away is unavailable', async () => {
  await companion.stop()
  await expect(provider.find({ sessionId: 'cs_1', intentId: null })).rejects.toMatchObject({ reason: 'unavailable' })
  await start()
})
