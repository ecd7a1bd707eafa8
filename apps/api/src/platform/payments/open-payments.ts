import type { Config } from '../config.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { createStripe } from './stripe.ts'

/** Undefined where no provider is configured: then payments are recorded by hand. */
export function openPayments(config: Config, outgoing: Outgoing): PaymentProvider | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secrets, STRIPE_API_URL: apiUrl } = config
  return key === undefined ? undefined : createStripe({ key, secrets, apiUrl, outgoing })
}
