import type { Services } from '../../platform/services.ts'
import type { BooksDb } from '../finance/finance.public.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '@guildhall/db'
import { openCheckout } from './payments.checkout.actions.ts'
import { beginCharge, beginRegistrationPayment } from './payments.queries.ts'
import { countingOf } from './payments.rules.ts'

/**
 * Charges the saved card of whoever owes the invoice, while they are away: noted in the caller's transaction, done by a job. False where there is no card
 * or no provider. What comes of it is told by mail, with a link to pay, where the card is declined or its bank asks for a confirmation.
 */
export async function chargeSavedCard(services: Services, tx: BooksDb, orgId: string, invoiceId: string): Promise<boolean> {
  const { payments, jobs } = services
  if (!payments) return false
  const payment = await beginCharge(tx, orgId, invoiceId, countingOf(services))
  if (payment === null) return false
  await jobs.send(tx, 'payments', { does: 'charge', org: orgId, payment })
  return true
}

/**
 * Begins to pay a registration for an event by its link, and answers what opens the provider's page once the transaction has committed; undefined where
 * nothing is to be paid. `back` is where the payer is led to afterwards.
 */
export async function payRegistrationByLink(
  services: Services,
  tx: Kysely<Schema>,
  link: { idpOrg: string | undefined; secretHash: string },
  back: string,
): Promise<(() => Promise<string>) | undefined> {
  const begun = services.payments && (await beginRegistrationPayment(tx, link, countingOf(services)))
  return begun && (() => openCheckout(services, begun, null, { success: back, cancelled: back }))
}
