import type { ActorDb } from '@guildhall/db'
import type { Settlements } from '../../platform/settlements.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { invoiceSettled } from '../finance/finance.public.ts'
import type { BooksDb } from '../finance/finance.public.ts'
import { holdPayment, settleRows } from './payments.queries.ts'
import { findPayment } from './payments.reads.queries.ts'

/** In the order of their ids, as their locks were taken. */
export async function invoicesChanged(tx: BooksDb, orgId: string, invoiceIds: readonly string[], settlements: Settlements): Promise<void> {
  for (const invoiceId of [...new Set(invoiceIds)].toSorted()) await invoiceSettled(tx, orgId, invoiceId, settlements)
}

/** The one way in which a payment settles: it pays its invoices, and they tell what they were for. A second time changes nothing. */
export async function settlePayment(tx: BooksDb, orgId: string, paymentId: string, at: Date, settlements: Settlements): Promise<void> {
  await invoicesChanged(tx, orgId, await settleRows(tx, orgId, paymentId, at), settlements)
}

/** The payment is as the caller knows it, and stays so until the transaction ends. */
export const mustHold = async (db: ActorDb, paymentId: string, version: number): Promise<boolean> =>
  mustTouch(await holdPayment(db, paymentId, version), () => findPayment(db, paymentId), version)
