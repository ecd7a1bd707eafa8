import type { PaymentEvents } from './payment-events.ts'
import type { PaymentObjects } from './payment-objects.ts'
import { newId, nowInSeconds } from './payment-store.ts'
import type { Charge, Customer, Dispute, Intent, Method, PaymentState, PaymentStore, Payout, Refund, Session } from './payment-store.ts'

/** What the payer does on the pay page. */
export const outcomes = ['pays', 'declined', 'confirms', 'disputed'] as const
export type Outcome = (typeof outcomes)[number]

type NewSession = Omit<Session, 'id' | 'created' | 'status' | 'intent'>
type SavedCharge = Pick<Intent, 'amount' | 'currency' | 'text' | 'metadata'> & { customer: string; method: Method }

const declinedError = { code: 'card_declined', message: 'Your card was declined.' }
const confirmationError = { code: 'authentication_required', message: 'Your card was declined. This transaction requires authentication.' }

/** Everything that changes at the provider, and the events that Stripe sends of it, in Stripe's order. */
export function paymentDesk({
  store,
  objects,
  events,
  disputeAfterMs,
  feeAfterMs,
}: {
  store: PaymentStore
  objects: PaymentObjects
  events: PaymentEvents
  disputeAfterMs: number
  feeAfterMs: number
}) {
  const { state, save } = store
  const made = (kind: string) => ({ id: newId(kind), created: nowInSeconds() })
  const timers = new Set<NodeJS.Timeout>()

  function succeed(intent: Intent, method: Method): void {
    const charge: Charge = { ...made('ch'), intent: intent.id, amount: intent.amount, disputed: false }
    if (feeAfterMs > 0) charge.bookedAt = Date.now() + feeAfterMs
    state.charges.push(charge)
    Object.assign(intent, { status: 'succeeded', error: null, charge: charge.id, method: method.id })
    events.add('charge.succeeded', objects.charge(charge))
    events.add('payment_intent.succeeded', objects.intent(intent))
    if (feeAfterMs > 0) awaitFee(charge)
  }

  /** Its fee is reckoned, which the application is told. */
  function book(charge: Charge): void {
    charge.bookedAt = Date.now()
    events.add('charge.updated', objects.charge(charge))
    save()
  }

  function awaitFee(charge: Charge): void {
    const due = charge.bookedAt ?? 0
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        if (charge.bookedAt === due) book(charge)
      },
      Math.max(0, due - Date.now()),
    ).unref()
    timers.add(timer)
  }

  function fail(intent: Intent, error: Intent['error']): void {
    Object.assign(intent, { status: 'requires_payment_method', error })
    events.add('payment_intent.payment_failed', objects.intent(intent))
  }

  function newIntent(fields: Omit<Intent, 'id' | 'created' | 'status' | 'error' | 'charge' | 'disputeAt'>): Intent {
    const intent: Intent = { ...made('pi'), ...fields, status: 'requires_payment_method', error: null, charge: null, disputeAt: null }
    state.intents.push(intent)
    events.add('payment_intent.created', objects.intent(intent))
    return intent
  }

  function newMethod(customer: string | null, behaviour: Method['behaviour']): Method {
    const last4 = { pays: '4242', declines: '0341', confirms: '3184' }[behaviour]
    const method = { ...made('pm'), customer, brand: 'visa', last4, expMonth: 12, expYear: new Date().getFullYear() + 3, behaviour }
    state.methods.push(method)
    return method
  }

  function openDispute(intent: Intent): void {
    const charge = objects.found(state.charges, intent.charge)
    intent.disputeAt = null
    if (!charge || charge.disputed) return
    charge.disputed = true
    const dispute: Dispute = { ...made('du'), intent: intent.id, charge: charge.id, amount: charge.amount, status: 'needs_response' }
    state.disputes.push(dispute)
    events.add('charge.dispute.created', objects.dispute(dispute))
    save()
  }

  function awaitDispute(intent: Intent): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        if (intent.disputeAt !== null) openDispute(intent)
      },
      Math.max(0, (intent.disputeAt ?? 0) - Date.now()),
    ).unref()
    timers.add(timer)
  }
  for (const intent of state.intents) if (intent.disputeAt !== null) awaitDispute(intent)
  for (const charge of state.charges) if ((charge.bookedAt ?? 0) > Date.now()) awaitFee(charge)

  return {
    openSession(fields: NewSession): Session {
      const session: Session = { ...made('cs_test'), ...fields, status: 'open', intent: null }
      state.sessions.push(session)
      save()
      return session
    },

    /** The payer's try. A declined one leaves the page open, as Stripe does. */
    pay(session: Session, outcome: Outcome, behaviour: Method['behaviour'] = 'pays'): 'paid' | 'declined' | 'over' {
      if (session.status !== 'open' || session.expiresAt < nowInSeconds()) return 'over'
      if (session.save && session.customer === null) session.customer = this.addCustomer(session.email, {}).id
      const known = objects.found(state.intents, session.intent)
      const intent =
        known ??
        newIntent({
          ...{ amount: session.amount, currency: session.currency, text: session.text, metadata: session.intentMetadata },
          ...{ customer: session.customer, method: null, save: session.save },
        })
      session.intent = intent.id
      if (outcome === 'declined') {
        fail(intent, declinedError)
        save()
        return 'declined'
      }
      succeed(intent, newMethod(session.save ? session.customer : null, behaviour))
      session.status = 'complete'
      events.add('checkout.session.completed', objects.session(session))
      if (outcome === 'disputed') {
        intent.disputeAt = Date.now() + disputeAfterMs
        awaitDispute(intent)
      }
      save()
      return 'paid'
    },

    expire(session: Session): Session {
      session.status = 'expired'
      events.add('checkout.session.expired', objects.session(session))
      save()
      return session
    },

    addCustomer(email: string | null, metadata: Record<string, string>): Customer {
      const customer = { ...made('cus'), email, metadata }
      state.customers.push(customer)
      save()
      return customer
    },

    /** A charge while the owner of the card is away. */
    chargeSaved({ method, ...fields }: SavedCharge): Intent {
      const intent = newIntent({ ...fields, method: method.id, save: false })
      if (method.behaviour === 'pays') succeed(intent, method)
      else fail(intent, method.behaviour === 'declines' ? declinedError : confirmationError)
      save()
      return intent
    },

    cancel(intent: Intent): Intent {
      if (intent.status !== 'succeeded') {
        intent.status = 'canceled'
        events.add('payment_intent.canceled', objects.intent(intent))
        save()
      }
      return intent
    },

    refund(intent: Intent, charge: string, amount: number, metadata: Record<string, string>): Refund {
      const refund: Refund = { ...made('re'), intent: intent.id, charge, amount, status: 'succeeded', metadata }
      state.refunds.push(refund)
      const from = objects.found(state.charges, charge)
      if (from) events.add('charge.refunded', objects.charge(from))
      events.add('refund.created', objects.refund(refund))
      save()
      return refund
    },

    openDispute,
    endDispute(dispute: Dispute, status: 'won' | 'lost'): void {
      dispute.status = status
      events.add('charge.dispute.closed', objects.dispute(dispute))
      save()
    },

    book,
    /** Sends what there is to the bank, of each currency. */
    payOut(): Payout[] {
      const day = 86_400
      const arrival = Math.floor(nowInSeconds() / day) * day + 2 * day
      const payouts = [...objects.balances()]
        .filter(([, amount]) => amount !== 0)
        .map(([currency, amount]): Payout => ({ ...made('po'), amount, currency, arrival, status: 'pending' }))
      state.payouts.push(...payouts)
      save()
      return payouts
    },
    /** A bank takes it, or sends it back, also days after it had arrived. */
    movePayout(payout: Payout, status: Payout['status']): void {
      payout.status = status
      save()
    },
    /** What the key may not read from now on. */
    deny(denied: PaymentState['denied']): void {
      state.denied = denied
      save()
    },

    detach(method: Method): void {
      method.customer = null
      events.add('payment_method.detached', objects.method(method))
      save()
    },

    setBehaviour(method: Method, behaviour: Method['behaviour']): void {
      method.behaviour = behaviour
      save()
    },

    stop: () => timers.forEach((timer) => clearTimeout(timer)),
  }
}
export type PaymentDesk = ReturnType<typeof paymentDesk>
