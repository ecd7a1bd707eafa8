import type { Services } from '../../platform/services.ts'
import type { BooksDb } from '../finance/finance.public.ts'
import { beginCharge } from './payments.queries.ts'
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
