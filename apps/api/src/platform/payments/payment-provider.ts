import type { RefundFailure } from '@guildhall/contract/features/payments'

/** In minor units, as everywhere. */
export type Amount = { amount: number; currency: string }
export type SavedCard = { methodId: string; brand: string; last4: string; expMonth: number; expYear: number }

/** How a payment stands at the provider, as read from there at this moment. Nothing of ours is ever decided by what an event says. */
export type ProviderPayment = {
  /** Our own id of it, which the provider keeps for us; null for payments that did not begin here. */
  paymentId: string | null
  orgId: string | null
  sessionId: string | null
  intentId: string | null
  state: 'pending' | 'settled' | 'failed' | 'cancelled'
  /** Of one that failed, or of the last try of one that is pending. */
  failure: 'declined' | 'confirmation_needed' | 'expired' | null
  money: Amount
  settledAt: string | null
  refunds: ProviderRefund[]
  /** What was given back so far, also where the refunds are not told one by one. */
  refundedAmount: number
  /** What the provider keeps of it, as far as it has reckoned that: up to an hour later than the payment settles. */
  fees: ProviderFee[]
  /** Whether there is a dispute or was one, also where it is not told. */
  isDisputed: boolean
  dispute: { id: string; state: 'open' | 'won' | 'lost' } | null
  customerId: string | null
  /** A card that was saved with this payment, to be charged later. */
  saved: SavedCard | null
  /** False where no money moved. */
  isLive: boolean
}
export type ProviderRefund = {
  id: string
  refundId: string | null
  money: Amount
  state: 'pending' | 'settled' | 'failed'
  /** Of one that failed. */
  failure: RefundFailure | null
}

/** What the provider keeps of one movement of money, in the currency of the account there; below zero where it gives a fee back. */
export type ProviderFee = { transactionId: string; kind: 'charge' | 'refund' | 'dispute'; money: Amount; at: string }
/** Money that went from the account at the provider to the bank, or back where it is below zero. */
export type ProviderPayout = {
  id: string
  money: Amount
  /** One that was paid may still fail: the bank sends it back days later. */
  state: 'pending' | 'in_transit' | 'paid' | 'failed' | 'cancelled'
  /** Day on which the bank has it, or is expected to. */
  arrivesOn: string
  madeAt: string
  isLive: boolean
}

/** What an event of the provider is about: enough to read the payment anew. */
export type ProviderEvent = {
  id: string
  type: string
  isLive: boolean
  paymentId: string | null
  orgId: string | null
  sessionId: string | null
  intentId: string | null
}

export type ProviderCheckout = {
  paymentId: string
  orgId: string
  money: Amount
  /** What the payer reads on the provider's page, such as the invoice's number. */
  text: string
  /** A customer at the provider; their card is kept there for later charges when `save` is true. */
  customerId?: string
  save?: boolean
  email?: string
  successUrl: string
  cancelUrl: string
  expiresAt: Date
}

/** Why the provider did not do it. `refused` stays so when it is tried again. */
export class PaymentProviderError extends Error {
  readonly reason: 'unavailable' | 'refused'
  /** Why, where it was a refund that was refused. */
  readonly refundFailure: RefundFailure
  constructor(
    reason: 'unavailable' | 'refused',
    message: string,
    { refundFailure = 'unknown', ...options }: ErrorOptions & { refundFailure?: RefundFailure } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.refundFailure = refundFailure
  }
}
/** The event was not signed with our secret, or too long ago. */
export class ForgedEventError extends Error {}

/**
 * The one way to a payment provider. Every call that changes something there carries a key made of our own ids, so that a repetition changes nothing.
 * A call reaches outside: it belongs into actions and jobs, never into a transaction.
 */
export type PaymentProvider = {
  name: 'stripe'
  /** Whether its payments move money. */
  isLive: boolean
  startCheckout(checkout: ProviderCheckout): Promise<{ sessionId: string; url: string }>
  /** Ends a page that nobody should pay on any more; one that was paid meanwhile stays paid. */
  endCheckout(sessionId: string): Promise<void>
  /** Whose cards are kept: `ownerId` is a person, or the first payment of somebody who is none yet. */
  addCustomer(customer: { orgId: string; ownerId: string; email?: string }): Promise<string>
  /** Charges a saved card while its owner is away. */
  chargeSaved(charge: {
    paymentId: string
    orgId: string
    money: Amount
    text: string
    customerId: string
    methodId: string
  }): Promise<ProviderPayment>
  refund(refund: { refundId: string; orgId: string; intentId: string; money: Amount }): Promise<ProviderRefund>
  removeMethod(methodId: string): Promise<void>
  /** Throws a ForgedEventError. */
  readEvent(body: Buffer, signature: string | undefined): ProviderEvent
  /** Undefined where the provider knows nothing of it. */
  find(ids: { sessionId: string | null; intentId: string | null }): Promise<ProviderPayment | undefined>
  /** Payments that began since, newest first; without refunds, disputes and fees one by one. */
  listSince(since: Date): AsyncIterable<ProviderPayment>
  /** Payouts that began since, newest first. */
  listPayouts(since: Date): AsyncIterable<ProviderPayout>
}
