import type { Charge, Customer, Dispute, Intent, Method, PaymentEvent, PaymentState, Refund, Session } from './payment-store.ts'

/** The part of Stripe's objects that somebody reads, in Stripe's own shape. `expand` names what is put in whole instead of its id. */
export function paymentObjects(state: PaymentState, url: string) {
  const found = <Row extends { id: string }>(rows: readonly Row[], id: string | null): Row | undefined => rows.find((row) => row.id === id)

  const customer = ({ id, created, email, metadata }: Customer) => ({ id, object: 'customer', created, email, metadata, livemode: false })

  const method = ({ id, created, customer: owner, brand, last4, expMonth, expYear }: Method) => ({
    ...{ id, object: 'payment_method', created, customer: owner, type: 'card', livemode: false, metadata: {} },
    card: { brand, last4, exp_month: expMonth, exp_year: expYear },
  })

  const refund = ({ id, created, intent, charge: of, amount, status, metadata }: Refund) => ({
    ...{ id, object: 'refund', created, amount, currency: found(state.intents, intent)?.currency ?? '' },
    ...{ charge: of, payment_intent: intent, status, metadata, reason: null },
  })

  const charge = ({ id, created, intent, amount, disputed }: Charge, expand: readonly string[] = []) => {
    const of = state.refunds.filter((one) => one.charge === id)
    const refunded = of.filter(({ status }) => status !== 'failed').reduce((sum, one) => sum + one.amount, 0)
    const owner = found(state.intents, intent)
    return {
      ...{ id, object: 'charge', created, amount, amount_captured: amount, amount_refunded: refunded, refunded: refunded >= amount },
      ...{ currency: owner?.currency ?? '', disputed, paid: true, captured: true, status: 'succeeded', livemode: false },
      ...{ payment_intent: intent, customer: owner?.customer ?? null, metadata: owner?.metadata ?? {} },
      ...(expand.includes('refunds') ? { refunds: listOf(of.map(refund)) } : {}),
    }
  }

  const intent = (one: Intent, expand: readonly string[] = []) => {
    const latest = found(state.charges, one.charge)
    const used = found(state.methods, one.method)
    return {
      ...{ id: one.id, object: 'payment_intent', created: one.created, amount: one.amount, currency: one.currency, status: one.status },
      ...{ amount_received: one.status === 'succeeded' ? one.amount : 0, customer: one.customer, description: one.text, livemode: false },
      last_payment_error: one.error && { type: 'card_error', ...one.error },
      latest_charge: latest && asks(expand, 'latest_charge') ? charge(latest, below(expand, 'latest_charge')) : one.charge,
      payment_method: used && asks(expand, 'payment_method') ? method(used) : one.method,
      ...{ metadata: one.metadata, setup_future_usage: one.save ? 'off_session' : null },
    }
  }

  const session = (one: Session) => ({
    ...{ id: one.id, object: 'checkout.session', created: one.created, mode: 'payment', status: one.status, livemode: false },
    ...{ amount_total: one.amount, currency: one.currency, customer: one.customer, metadata: one.metadata },
    ...{ client_reference_id: one.reference, expires_at: one.expiresAt, payment_intent: one.intent },
    payment_status: one.status === 'complete' ? 'paid' : 'unpaid',
    url: one.status === 'open' ? `${url}/pay/${one.id}` : null,
    ...{ success_url: one.successUrl, cancel_url: one.cancelUrl },
  })

  const dispute = ({ id, created, intent: of, charge: from, amount, status }: Dispute) => ({
    ...{ id, object: 'dispute', created, amount, currency: found(state.intents, of)?.currency ?? '', charge: from, payment_intent: of },
    ...{ status, reason: 'general', livemode: false, metadata: {} },
  })

  const event = ({ id, created, type, object }: PaymentEvent) => ({
    ...{ id, object: 'event', api_version: '2026-10-28.endive', created, type, livemode: false, pending_webhooks: 1 },
    data: { object },
    request: { id: null, idempotency_key: null },
  })

  return { customer, method, refund, charge, intent, session, dispute, event, found }
}
export type PaymentObjects = ReturnType<typeof paymentObjects>

export const listOf = (data: readonly unknown[], hasMore = false) => ({ object: 'list', data, has_more: hasMore, url: '/v1' })

const asks = (expand: readonly string[], name: string) => expand.some((one) => one === name || one.startsWith(`${name}.`))
const below = (expand: readonly string[], name: string) =>
  expand.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1))
