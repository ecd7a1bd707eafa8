import type { Charge, Customer, Dispute, Intent, Method, PaymentEvent, PaymentState, Payout, Refund, Session } from './payment-store.ts'

type Moved = { id: string; type: string; source: string; amount: number; fee: number; currency: string; created: number }
/** What it keeps of a payment, and for a dispute. */
const feeOf = (amount: number) => Math.round(amount * 0.015) + 25
const disputeFee = 2_000

/** The part of Stripe's objects that somebody reads, in Stripe's own shape. `expand` names what is put in whole instead of its id. */
export function paymentObjects(state: PaymentState, url: string) {
  const found = <Row extends { id: string }>(rows: readonly Row[], id: string | null): Row | undefined => rows.find((row) => row.id === id)

  const customer = ({ id, created, email, metadata }: Customer) => ({ id, object: 'customer', created, email, metadata, livemode: false })

  const method = ({ id, created, customer: owner, brand, last4, expMonth, expYear }: Method) => ({
    ...{ id, object: 'payment_method', created, customer: owner, type: 'card', livemode: false, metadata: {} },
    card: { brand, last4, exp_month: expMonth, exp_year: expYear },
  })

  const currencyOf = (intent: string) => found(state.intents, intent)?.currency ?? ''

  // Movements of money, of which each has its fee.
  const ofCharge = ({ id, created, intent, amount, bookedAt = 0 }: Charge): Moved | null =>
    bookedAt > Date.now()
      ? null
      : { id: `txn_${id}`, type: 'charge', source: id, amount, fee: feeOf(amount), currency: currencyOf(intent), created }
  const ofRefund = ({ id, created, intent, amount, status, feeBack = 0 }: Refund): Moved | null =>
    status === 'pending'
      ? null
      : {
          id: `txn_${id}`,
          type: 'refund',
          source: id,
          amount: -amount,
          fee: feeBack === 0 ? 0 : -feeBack,
          currency: currencyOf(intent),
          created,
        }
  const ofDispute = ({ id, created, intent, amount, status }: Dispute): Moved[] => {
    const moved = { type: 'adjustment', source: id, currency: currencyOf(intent), created }
    const taken = { ...moved, id: `txn_${id}`, amount: -amount, fee: disputeFee }
    return status === 'won' ? [taken, { ...moved, id: `txn_${id}_won`, amount, fee: 0 }] : [taken]
  }
  const transaction = ({ amount, fee, ...one }: Moved) => ({
    ...{ ...one, object: 'balance_transaction', amount, fee, net: amount - fee, available_on: one.created, exchange_rate: null },
    ...{
      fee_details: fee === 0 ? [] : [{ amount: fee, currency: one.currency, type: 'stripe_fee', application: null, description: null }],
    },
    ...{ description: null, reporting_category: one.type, status: 'available', balance_type: 'payments' },
  })
  const told = (moved: Moved | null, isWhole: boolean) => (moved && isWhole ? transaction(moved) : (moved?.id ?? null))

  /** What could be paid out, by currency. */
  const balances = (): Map<string, number> => {
    const all = [...state.charges.map(ofCharge), ...state.refunds.map(ofRefund), ...state.disputes.flatMap(ofDispute)]
    const sums = new Map<string, number>()
    const add = (currency: string, amount: number) => sums.set(currency, (sums.get(currency) ?? 0) + amount)
    for (const moved of all) if (moved) add(moved.currency, moved.amount - moved.fee)
    for (const one of state.payouts) if (one.status !== 'failed' && one.status !== 'canceled') add(one.currency, -one.amount)
    return sums
  }

  const payout = ({ id, created, amount, currency, arrival, status }: Payout) => ({
    ...{ id, object: 'payout', created, amount, currency, arrival_date: arrival, status, automatic: true, livemode: false, metadata: {} },
    ...{ method: 'standard', type: 'bank_account', source_type: 'card', description: 'STRIPE PAYOUT', statement_descriptor: null },
    ...{
      failure_code: status === 'failed' ? 'account_closed' : null,
      reconciliation_status: status === 'paid' ? 'completed' : 'in_progress',
    },
  })

  const refund = (one: Refund, expand: readonly string[] = []) => ({
    ...{ id: one.id, object: 'refund', created: one.created, amount: one.amount, currency: currencyOf(one.intent) },
    ...{ charge: one.charge, payment_intent: one.intent, status: one.status, metadata: one.metadata, reason: null },
    balance_transaction: told(ofRefund(one), asks(expand, 'balance_transaction')),
  })

  const charge = (one: Charge, expand: readonly string[] = []) => {
    const { id, created, intent, amount, disputed } = one
    const of = state.refunds.filter((back) => back.charge === id)
    const refunded = of.filter(({ status }) => status !== 'failed').reduce((sum, back) => sum + back.amount, 0)
    const owner = found(state.intents, intent)
    return {
      ...{ id, object: 'charge', created, amount, amount_captured: amount, amount_refunded: refunded, refunded: refunded >= amount },
      ...{ currency: owner?.currency ?? '', disputed, paid: true, captured: true, status: 'succeeded', livemode: false },
      ...{ payment_intent: intent, customer: owner?.customer ?? null, metadata: owner?.metadata ?? {} },
      balance_transaction: told(ofCharge(one), asks(expand, 'balance_transaction')),
      ...(expand.includes('refunds') ? { refunds: listOf(of.map((back) => refund(back))) } : {}),
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

  const dispute = (one: Dispute) => ({
    ...{ id: one.id, object: 'dispute', created: one.created, amount: one.amount, currency: currencyOf(one.intent) },
    ...{ charge: one.charge, payment_intent: one.intent, status: one.status, reason: 'general', livemode: false, metadata: {} },
    balance_transactions: ofDispute(one).map(transaction),
  })

  const event = ({ id, created, type, object }: PaymentEvent) => ({
    ...{ id, object: 'event', api_version: '2026-10-28.endive', created, type, livemode: false, pending_webhooks: 1 },
    data: { object },
    request: { id: null, idempotency_key: null },
  })

  return { customer, method, refund, charge, intent, session, dispute, payout, balances, event, found }
}
export type PaymentObjects = ReturnType<typeof paymentObjects>

export const listOf = (data: readonly unknown[], hasMore = false) => ({ object: 'list', data, has_more: hasMore, url: '/v1' })

const asks = (expand: readonly string[], name: string) => expand.some((one) => one === name || one.startsWith(`${name}.`))
const below = (expand: readonly string[], name: string) =>
  expand.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1))
