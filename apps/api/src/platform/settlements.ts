import type { ActorDb, Schema } from '@guildhall/db'
import type { Kysely } from 'kysely'

export type SettledSubject = { orgId: string; subjectId: string; invoiceId: string; paidOn: string }
export type UnsettledSubject = Omit<SettledSubject, 'paidOn'>

/**
 * What a feature does when the invoice that charges its subject is paid, and when that money goes back; in the transaction of the payment, of
 * somebody who is signed in or of a worker. Both may be called again for what was done.
 */
export type Settlement = {
  paid(tx: ActorDb | Kysely<Schema>, settled: SettledSubject): Promise<void>
  unpaid(tx: ActorDb | Kysely<Schema>, unsettled: UnsettledSubject): Promise<void>
}

/** By the type of subject that lines of invoices name. */
export type Settlements = Readonly<Record<string, Settlement>>
