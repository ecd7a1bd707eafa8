import { PaymentProviderError } from '../../platform/payments/payment-provider.ts'
import { problem } from '../../platform/procedures/problem.ts'
import type { Services } from '../../platform/services.ts'
import { noteCheckout } from './payments.queries.ts'
import type { BegunPayment } from './payments.queries.ts'

/** Where its payer is led back to. */
export type WaysBack = { success: string; cancelled: string }

/**
 * The page of the provider for a payment that was begun. Its key is the payment's own id: whoever asks again, also after a process was killed in between,
 * gets the same page.
 */
export async function openCheckout(services: Services, begun: BegunPayment, person: string | null, back: WaysBack): Promise<string> {
  const { payments, database, log } = services
  if (!payments) throw notOnline()
  const { orgId, paymentId, amount, currency, number, email, saves, staleSessions } = begun
  try {
    const known = begun.customer ?? undefined
    // Who gives again and again without an account is nobody yet; the customer becomes theirs when the payment settles.
    const owner = { orgId, ownerId: person ?? paymentId, ...(email !== null && { email }) }
    const customerId = saves ? (known ?? (await payments.addCustomer(owner))) : known
    const { sessionId, url } = await payments.startCheckout({
      ...{ paymentId, orgId, money: { amount, currency }, text: number ?? paymentId, save: saves },
      ...(customerId !== undefined ? { customerId } : email !== null ? { email } : {}),
      ...{ successUrl: back.success, cancelUrl: back.cancelled, expiresAt: new Date(begun.expiresAt) },
    })
    await database.withoutActor((db) => noteCheckout(db, orgId, paymentId, sessionId, customerId ?? null))
    for (const stale of staleSessions)
      await payments.endCheckout(stale).catch((error: unknown) => log.warn({ err: error, session: stale }, 'a page to pay on stays open'))
    return url
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    log.warn({ err: error, org: orgId, payment: paymentId }, 'the payment provider opened no page')
    throw error.reason === 'refused'
      ? problem('CONFLICT', { reason: 'payment_refused', detail: 'This cannot be paid by card. Pay by bank transfer instead.' })
      : problem('SERVICE_UNAVAILABLE', {
          reason: 'payment_provider',
          detail: 'The payment provider cannot be reached; try again in a moment.',
        })
  }
}

export const notOnline = () =>
  problem('CONFLICT', { reason: 'payment_not_online', detail: 'Invoices cannot be paid by card here. Pay by bank transfer instead.' })
