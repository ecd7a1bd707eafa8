import type { Services } from '../../platform/services.ts'
import type { BooksDb } from '../finance/finance.public.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '@guildhall/db'
import { notOnline, openCheckout } from './payments.checkout.actions.ts'
import type { WaysBack } from './payments.checkout.actions.ts'
import {
  beginGift,
  beginInstalment,
  beginInstalmentByLink,
  beginPlanCharge,
  beginPlanPayment,
  beginPublicGift,
} from './payments.gifts.queries.ts'
import type { GiftSaid } from './payments.gifts.queries.ts'
import { beginCharge, beginRegistrationPayment } from './payments.queries.ts'
import type { BegunPayment } from './payments.queries.ts'
import { countingOf } from './payments.rules.ts'

export type { GiftSaid } from './payments.gifts.queries.ts'
export type { WaysBack } from './payments.checkout.actions.ts'

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

/** A gift that was begun; `open` answers the provider's page once the transaction has committed. */
export type BegunGift = { paymentId: string; amount: number; currency: string; open: (back: WaysBack) => Promise<string> }

/** Begins to give by card: for who is signed in, as whom the transaction runs. */
export async function beginOwnGift(
  services: Services,
  tx: Kysely<Schema>,
  person: string,
  said: GiftSaid & { campaign_id: string },
): Promise<BegunGift> {
  if (!services.payments) throw notOnline()
  return begunGift(services, await beginGift(tx, said, countingOf(services)), person)
}

/** The same for somebody without an account; undefined where no such campaign is on show, or cards are not taken. */
export async function beginGiftOfGuest(
  services: Services,
  tx: Kysely<Schema>,
  page: { idpOrg: string | undefined; slug: string },
  said: GiftSaid & { donor_name: string; donor_email: string },
): Promise<BegunGift | undefined> {
  const begun = services.payments && (await beginPublicGift(tx, page, said, countingOf(services)))
  return begun && begunGift(services, begun, null)
}

/** Begins to pay an instalment of one's own pledge by card, as whom the transaction runs. Until money has come it is the same gift each time. */
export async function beginOwnInstalment(services: Services, tx: Kysely<Schema>, person: string, instalmentId: string): Promise<BegunGift> {
  if (!services.payments) throw notOnline()
  return begunGift(services, await beginInstalment(tx, instalmentId, countingOf(services)), person)
}

/** The same by the link in a reminder; undefined where the link is not valid, or cards are not taken. */
export async function payInstalmentByLink(
  services: Services,
  tx: Kysely<Schema>,
  link: { idpOrg: string | undefined; secretHash: string },
): Promise<BegunGift | undefined> {
  const begun = services.payments && (await beginInstalmentByLink(tx, link, countingOf(services)))
  return begun && begunGift(services, begun, null)
}

const begunGift = (services: Services, begun: BegunPayment, person: string | null): BegunGift => ({
  ...{ paymentId: begun.paymentId, amount: begun.amount, currency: begun.currency },
  open: (back) => openCheckout(services, begun, person, back),
})

/**
 * Charges what a recurring gift has due, while its donor is away: noted in the caller's transaction, done by a job. False where nothing is due, or there
 * is no card or no provider. What comes of it follows from the payment.
 */
export async function chargePlan(services: Services, tx: Kysely<Schema>, orgId: string, planId: string): Promise<boolean> {
  const { payments, jobs } = services
  if (!payments) return false
  const payment = await beginPlanCharge(tx, orgId, planId, countingOf(services))
  if (payment === null) return false
  await jobs.send(tx, 'payments', { does: 'charge', org: orgId, payment })
  return true
}

/**
 * Begins to pay what a recurring gift has due, by its link, and answers what opens the provider's page once the transaction has committed; undefined
 * where nothing has failed. The card is kept for the gifts to come.
 */
export async function payPlanByLink(
  services: Services,
  tx: Kysely<Schema>,
  link: { idpOrg: string | undefined; secretHash: string },
  back: string,
): Promise<(() => Promise<string>) | undefined> {
  const begun = services.payments && (await beginPlanPayment(tx, link, countingOf(services)))
  return begun && (() => openCheckout(services, begun, null, { success: back, cancelled: back }))
}

/** Forgets a card at the provider that was removed here, by a job of the caller's transaction. */
export const forgetCard = ({ jobs }: Services, tx: Kysely<Schema>, orgId: string, method: string): Promise<void> =>
  jobs.send(tx, 'payments', { does: 'remove-method', org: orgId, method })
