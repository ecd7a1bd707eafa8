import { isCurrency } from '@guildhall/contract/money'
import Stripe from 'stripe'
import type { ProviderFee, ProviderPayout } from './payment-provider.ts'
import { fromStripe } from './stripe-amounts.ts'

const askAgainMs = 3_600_000

/**
 * A key may be allowed to read payments and not what is kept of them, and then Stripe refuses the whole request. The payment counts for more: it is read
 * without, and the key is tried again after an hour.
 */
export function withFees(clock = () => Date.now()) {
  let refusedAt = -Infinity
  return async <T>(read: (fees: boolean) => Promise<T>): Promise<T> => {
    if (clock() - refusedAt < askAgainMs) return read(false)
    try {
      return await read(true)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripePermissionError)) throw error
      refusedAt = clock()
      return read(false)
    }
  }
}

type Reference = string | Stripe.BalanceTransaction | null | undefined

/** Of the payment, of its refunds, and of what a dispute took and gave back. */
export function feesOf(
  charge: string | Stripe.Charge | null,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): ProviderFee[] {
  return [
    ...feeOf('charge', charge !== null && typeof charge === 'object' ? charge.balance_transaction : null),
    ...refunds.flatMap((one) => [...feeOf('refund', one.balance_transaction), ...feeOf('refund', one.failure_balance_transaction)]),
    ...disputes.flatMap((one) => one.balance_transactions.flatMap((moved) => feeOf('dispute', moved))),
  ]
}

/** An account may hold what is no currency of ISO 4217: that is nobody's money here. */
function feeOf(kind: ProviderFee['kind'], moved: Reference): ProviderFee[] {
  if (moved === null || typeof moved !== 'object' || !isCurrency(moved.currency.toUpperCase())) return []
  const { id, fee, currency, created } = moved
  return [{ transactionId: id, kind, money: fromStripe(fee, currency), at: new Date(created * 1000).toISOString() }]
}

const states = new Map<string, ProviderPayout['state']>([
  ['pending', 'pending'],
  ['in_transit', 'in_transit'],
  ['paid', 'paid'],
  ['failed', 'failed'],
  ['canceled', 'cancelled'],
])

/** Undefined where it stands in a way that we do not know, or is of no currency of ISO 4217. */
function payoutOf({ id, amount, currency, status, arrival_date: arrival, created, livemode }: Stripe.Payout): ProviderPayout | undefined {
  const state = states.get(status)
  if (!state || !isCurrency(currency.toUpperCase())) return undefined
  return {
    ...{ id, state, money: fromStripe(amount, currency), isLive: livemode },
    // A day, told as its beginning in UTC.
    arrivesOn: new Date(arrival * 1000).toISOString().slice(0, 10),
    madeAt: new Date(created * 1000).toISOString(),
  }
}

type Asked = <T>(call: () => Promise<T>) => Promise<T>

export async function* payoutsSince(stripe: Stripe, asked: Asked, since: Date): AsyncGenerator<ProviderPayout> {
  const created = { gte: Math.floor(since.getTime() / 1000) }
  let last: string | undefined
  for (;;) {
    const after = last === undefined ? {} : { starting_after: last }
    const page = await asked(() => stripe.payouts.list({ created, limit: 100, ...after }))
    for (const payout of page.data) {
      const known = payoutOf(payout)
      if (known) yield known
    }
    last = page.data.at(-1)?.id
    if (!page.has_more || last === undefined) return
  }
}
