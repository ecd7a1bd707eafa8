import type { RefundFailure } from '@guildhall/contract/features/payments'
import Stripe from 'stripe'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { ForgedEventError, PaymentProviderError } from './payment-provider.ts'
import type { Amount, PaymentProvider, ProviderPayment, ProviderRefund } from './payment-provider.ts'
import { fromStripe, toStripe } from './stripe-amounts.ts'
import { feesOf, payoutsSince, withFees } from './stripe-balance.ts'

/** The version that the library's types describe; a newer library is a change to be looked at. */
const apiVersion = '2026-10-28.endive'
const timeoutMs = 15_000

type StripeOptions = {
  key: string
  /** More than one while a secret is being replaced. */
  secrets: readonly string[]
  /** Another address than Stripe's own, for development. */
  apiUrl: string | undefined
  outgoing: Outgoing
}

/** Stripe through its own library, whose requests leave through our module for outgoing connections. */
export function createStripe({ key, secrets, apiUrl, outgoing }: StripeOptions): PaymentProvider {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl)
  const stripe = new Stripe(key, {
    apiVersion,
    timeout: timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(through(outgoing)),
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === 'https:' ? '443' : '80'),
      protocol: address.protocol === 'https:' ? 'https' : 'http',
    }),
  })

  const reading = withFees()

  return {
    name: 'stripe',
    isLive: /^[a-z]+_live_/.test(key),

    startCheckout: ({ paymentId, orgId, money, text, customerId, save = false, email, ...pages }) =>
      asked(async () => {
        const metadata = { guildhall_payment: paymentId, guildhall_org: orgId }
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [
              {
                quantity: 1,
                price_data: { currency: money.currency.toLowerCase(), unit_amount: amountFor(money), product_data: { name: text } },
              },
            ],
            // What is owed is owed in its own currency: a converted payment would not settle it.
            adaptive_pricing: { enabled: false },
            client_reference_id: paymentId,
            metadata,
            payment_intent_data: { metadata, description: text, ...(save ? { setup_future_usage: 'off_session' } : {}) },
            ...(customerId !== undefined ? { customer: customerId } : email !== undefined ? { customer_email: email } : {}),
            success_url: pages.successUrl,
            cancel_url: pages.cancelUrl,
            expires_at: Math.floor(pages.expiresAt.getTime() / 1000),
          },
          { idempotencyKey: `checkout:${paymentId}` },
        )
        if (session.url === null) throw new PaymentProviderError('refused', 'the provider gave no address to pay at')
        return { sessionId: session.id, url: session.url }
      }),

    endCheckout: (sessionId) =>
      asked(async () => {
        const session = await stripe.checkout.sessions.retrieve(sessionId)
        if (session.status === 'open') await stripe.checkout.sessions.expire(sessionId)
      }),

    addCustomer: ({ orgId, ownerId, email }) =>
      asked(async () => {
        const metadata = { guildhall_person: ownerId, guildhall_org: orgId }
        const customer = await stripe.customers.create(
          { metadata, ...(email === undefined ? {} : { email }) },
          { idempotencyKey: `customer:${orgId}:${ownerId}` },
        )
        return customer.id
      }),

    chargeSaved: ({ paymentId, orgId, money, text, customerId, methodId }) =>
      asked(async () => {
        const expand = ['latest_charge.refunds']
        const options = { idempotencyKey: `charge:${paymentId}` }
        try {
          const intent = await stripe.paymentIntents.create(
            {
              ...{ amount: amountFor(money), currency: money.currency.toLowerCase(), description: text, expand },
              ...{ customer: customerId, payment_method: methodId, off_session: true, confirm: true },
              metadata: { guildhall_payment: paymentId, guildhall_org: orgId },
            },
            options,
          )
          return await paymentOf(stripe, intent, null)
        } catch (error) {
          // A declined card is an answer. The intent is ended, so that nothing of it can be charged later.
          if (!(error instanceof Stripe.errors.StripeCardError)) throw error
          const { payment_intent: declined } = error
          if (!declined) throw error
          const left = await stripe.paymentIntents.retrieve(declined.id, { expand })
          const ended =
            left.status === 'requires_payment_method' || left.status === 'requires_action'
              ? await stripe.paymentIntents.cancel(declined.id, { expand }, { idempotencyKey: `cancel:${paymentId}` })
              : left
          const payment = await paymentOf(stripe, ended, null)
          return payment.state === 'settled' ? payment : { ...payment, state: 'failed', failure: failureOf(error.code) }
        }
      }),

    refund: ({ refundId, orgId, intentId, money }) =>
      asked(async () =>
        refundOf(
          await stripe.refunds.create(
            {
              payment_intent: intentId,
              amount: amountFor(money),
              metadata: { guildhall_refund: refundId, guildhall_org: orgId },
            },
            { idempotencyKey: `refund:${refundId}` },
          ),
        ),
      ),

    removeMethod: (methodId) =>
      asked(async () => {
        try {
          await stripe.paymentMethods.detach(methodId)
        } catch (error) {
          // Removed before, here or at the provider.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        }
      }),

    readEvent(body, signature) {
      const event = verified(stripe, body, signature, secrets)
      const object: unknown = event.data.object
      const isSession = textIn(object, 'object') === 'checkout.session'
      const isIntent = textIn(object, 'object') === 'payment_intent'
      const metadata = fieldOf(object, 'metadata')
      return {
        id: event.id,
        type: event.type,
        isLive: event.livemode,
        paymentId: isSession || isIntent ? textIn(metadata, 'guildhall_payment') : null,
        orgId: textIn(metadata, 'guildhall_org'),
        sessionId: isSession ? textIn(object, 'id') : null,
        intentId: isIntent ? textIn(object, 'id') : textIn(object, 'payment_intent'),
      }
    },

    find: ({ sessionId, intentId }) =>
      asked(async () => {
        try {
          const session = sessionId === null ? null : await stripe.checkout.sessions.retrieve(sessionId)
          const id = intentId ?? idOf(session?.payment_intent ?? null)
          if (id !== null) {
            return await reading(async (fees) => {
              const expand = ['latest_charge.refunds', 'payment_method', ...(fees ? ['latest_charge.balance_transaction'] : [])]
              return paymentOf(stripe, await stripe.paymentIntents.retrieve(id, { expand }), session, fees)
            })
          }
          return session === null ? undefined : paymentOfSession(session)
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return undefined
          throw error
        }
      }),

    async *listSince(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) }
      const intents = stripe.paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] })
      for await (const intent of intents) yield paymentOfIntent(intent, null, [], null)
    },

    listPayouts: (since) => payoutsSince(stripe, asked, since),
  }
}

/** The library asks as `fetch` would; what leaves goes the way of everything that leaves. */
const through =
  (outgoing: Outgoing) =>
  async (address: string | URL | Request, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`nothing asks the provider with ${method}`)
    const answer = await outgoing.request(address instanceof Request ? address.url : String(address), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { body } : {}),
      timeoutMs,
      maxBytes: 8_000_000,
    })
    const given = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) given.set(name, String(value))
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: given })
  }

/** What went wrong there, in our words: tried again, or not. */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof PaymentProviderError) throw error
    const { StripeError, StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors
    const isRefused = error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError
    if (error instanceof StripeError)
      throw new PaymentProviderError(isRefused ? 'refused' : 'unavailable', `Stripe: ${error.message}`, {
        cause: error,
        refundFailure: refusalOf(error),
      })
    throw error
  }
}

function verified(stripe: Stripe, body: Buffer, signature: string | undefined, secrets: readonly string[]): Stripe.Event {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature ?? '', secret)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw new ForgedEventError('no event', { cause: error })
    }
  }
  throw new ForgedEventError('the signature is not ours')
}

function amountFor(money: Amount): number {
  const amount = toStripe(money)
  if (amount === undefined) throw new PaymentProviderError('refused', `Stripe takes no such amount of ${money.currency}`)
  return amount
}

async function paymentOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  session: Stripe.Checkout.Session | null,
  fees = false,
): Promise<ProviderPayment> {
  const charge = intent.latest_charge
  const isDisputed = charge !== null && typeof charge === 'object' && charge.disputed
  const disputes = isDisputed ? await stripe.disputes.list({ payment_intent: intent.id, limit: 10 }) : { data: [] }
  const isRefunded = charge !== null && typeof charge === 'object' && (charge.amount_refunded > 0 || (charge.refunds?.data.length ?? 0) > 0)
  const expand = fees ? { expand: ['data.balance_transaction', 'data.failure_balance_transaction'] } : {}
  const refunds = isRefunded ? await stripe.refunds.list({ payment_intent: intent.id, limit: 100, ...expand }) : { data: [] }
  const payment = paymentOfIntent(intent, session, refunds.data, disputes.data[0] ?? null)
  return { ...payment, fees: feesOf(intent.latest_charge, refunds.data, disputes.data) }
}

function paymentOfIntent(
  intent: Stripe.PaymentIntent,
  session: Stripe.Checkout.Session | null,
  refunds: readonly Stripe.Refund[],
  dispute: Stripe.Dispute | null,
): ProviderPayment {
  const charge = intent.latest_charge
  const settledAt = charge !== null && typeof charge === 'object' ? charge.created : intent.created
  const isSettled = intent.status === 'succeeded'
  const isOver = intent.status === 'canceled' || session?.status === 'expired'
  const failure = intent.last_payment_error ? failureOf(intent.last_payment_error.code) : null
  return {
    paymentId: intent.metadata['guildhall_payment'] ?? null,
    orgId: intent.metadata['guildhall_org'] ?? null,
    sessionId: session?.id ?? null,
    intentId: intent.id,
    state: isSettled ? 'settled' : isOver ? (failure === null ? 'cancelled' : 'failed') : 'pending',
    failure: isSettled ? null : failure,
    money: fromStripe(isSettled ? intent.amount_received : intent.amount, intent.currency),
    settledAt: isSettled ? new Date(settledAt * 1000).toISOString() : null,
    refunds: refunds.map(refundOf),
    refundedAmount: charge !== null && typeof charge === 'object' ? fromStripe(charge.amount_refunded, intent.currency).amount : 0,
    fees: [],
    isDisputed: charge !== null && typeof charge === 'object' && charge.disputed,
    dispute: disputeOf(dispute),
    customerId: idOf(intent.customer),
    saved: isSettled ? savedOf(intent) : null,
    isLive: intent.livemode,
  }
}

/** A page on which nobody has tried to pay yet. */
function paymentOfSession(session: Stripe.Checkout.Session): ProviderPayment {
  return {
    paymentId: session.metadata?.['guildhall_payment'] ?? null,
    orgId: session.metadata?.['guildhall_org'] ?? null,
    sessionId: session.id,
    intentId: null,
    state: session.status === 'expired' ? 'cancelled' : 'pending',
    failure: session.status === 'expired' ? 'expired' : null,
    money: fromStripe(session.amount_total ?? 0, session.currency ?? ''),
    settledAt: null,
    refunds: [],
    refundedAmount: 0,
    fees: [],
    isDisputed: false,
    dispute: null,
    customerId: idOf(session.customer),
    saved: null,
    isLive: session.livemode,
  }
}

const refundOf = (refund: Stripe.Refund): ProviderRefund => {
  const state =
    refund.status === 'succeeded' ? 'settled' : refund.status === 'failed' || refund.status === 'canceled' ? 'failed' : 'pending'
  return {
    id: refund.id,
    refundId: refund.metadata?.['guildhall_refund'] ?? null,
    money: fromStripe(refund.amount, refund.currency),
    state,
    failure:
      state === 'failed' ? (failures.get(refund.failure_reason ?? '') ?? (refund.status === 'canceled' ? 'cancelled' : 'unknown')) : null,
  }
}

/** What it says of a refund that failed later, and of one that it refuses at once. */
const failures = new Map<string, RefundFailure>([
  ['insufficient_funds', 'balance'],
  ['balance_insufficient', 'balance'],
  ['lost_or_stolen_card', 'card_closed'],
  ['expired_or_canceled_card', 'card_closed'],
  ['declined', 'declined'],
  ['charge_for_pending_refund_disputed', 'disputed'],
  ['charge_disputed', 'disputed'],
  ['refund_disputed_payment', 'disputed'],
  ['charge_already_refunded', 'refunded_before'],
  ['merchant_request', 'cancelled'],
])
const refusalOf = ({ code = '', param }: { code?: string | undefined; param?: string | undefined }): RefundFailure =>
  failures.get(code) ?? (param === 'amount' ? 'too_much' : 'unknown')

/** An inquiry before a dispute takes no money away. */
function disputeOf(dispute: Stripe.Dispute | null): ProviderPayment['dispute'] {
  if (!dispute || dispute.status === 'prevented' || dispute.status.startsWith('warning_')) return null
  return { id: dispute.id, state: dispute.status === 'won' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open' }
}

function savedOf({ setup_future_usage: use, payment_method: method }: Stripe.PaymentIntent): ProviderPayment['saved'] {
  if (use !== 'off_session' || method === null || typeof method !== 'object' || !method.card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { methodId: method.id, brand, last4, expMonth, expYear }
}

const failureOf = (code: string | undefined) => (code === 'authentication_required' ? 'confirmation_needed' : 'declined')

const idOf = (ref: string | { id: string } | null): string | null => (typeof ref === 'string' ? ref : (ref?.id ?? null))

const fieldOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Object.entries(object).find(([key]) => key === name)?.[1] : undefined
function textIn(object: unknown, name: string): string | null {
  const value = fieldOf(object, name)
  return typeof value === 'string' ? value : null
}
