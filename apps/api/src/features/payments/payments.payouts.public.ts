import type { ProviderPayout } from '../../platform/payments/payment-provider.ts'
import type { Services } from '../../platform/services.ts'
import { notePayouts, payoutsToRead } from './payments.fees.queries.ts'
import { countsAs } from './payments.rules.ts'

/** Of a year of payouts on every day, twice as many and more: the newest. */
const most = 1_000

/**
 * Reads the payouts of the account at the provider and keeps them, all in one transaction: what was cut off is read again as a whole. The account is the
 * installation's; where several organisations share it, its payouts are nobody's.
 */
export async function readPayouts({ database, payments, config }: Services, signal: AbortSignal): Promise<void> {
  if (!payments) return
  const due = await database.withoutActor((db) => payoutsToRead(db, config.ORG_ID, payments.name))
  if (!due) return
  const read: (ProviderPayout & { counts: boolean })[] = []
  for await (const payout of payments.listPayouts(new Date(due.since))) {
    signal.throwIfAborted()
    read.push({ ...payout, counts: countsAs(payout.isLive, config.NODE_ENV) })
    if (read.length >= most) break
  }
  if (read.length > 0) await database.withoutActor((db) => notePayouts(db, due.orgId, payments.name, read))
}
