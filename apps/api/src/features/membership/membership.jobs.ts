import type { JobHandler } from '../../platform/jobs/jobs.ts'
import type { Schedule } from '../../platform/schedules/schedules.ts'
import type { Services } from '../../platform/services.ts'
import { remindInvoices } from '../finance/finance.public.ts'
import { chargeSavedCard } from '../payments/payments.public.ts'
import { chargePortion, endLifecycleOverrides, endMemberships, remindMembers, renewalsToCharge, runPortion } from './membership.queries.ts'
import { runTransfers } from './membership.transfers.queries.ts'

/** What the calendar does to memberships, early in each organisation's day. */
export const membershipSchedules = ({ jobs }: Services): Schedule[] => [
  {
    name: 'memberships',
    rule: { every: 'day', at: '02:00' },
    missed: 'once',
    run: (db, { org, dueOn }) => jobs.send(db, 'memberships', { org, on: dueOn }),
  },
  // By day: cards are charged, and reminders read.
  {
    name: 'membership-reminders',
    rule: { every: 'day', at: '09:00' },
    missed: 'once',
    run: (db, { org, dueOn }) => jobs.send(db, 'memberships', { does: 'remind', org, on: dueOn }),
  },
]

const chargesAtOnce = 100
type Portion = { after: string | null; isLast: boolean }

/**
 * The daily run, in portions that are a transaction each. A portion takes up what is still to be done, so that a run that was killed goes on, and a
 * second one changes nothing.
 */
export const membershipJobs =
  (services: Services): JobHandler =>
  async ({ does = 'run', org = '', on = '' }, { signal }) => {
    const { database } = services
    const portions = async (next: (after: string | null) => Promise<Portion>) => {
      for (let done: Portion = { after: null, isLast: false }; !done.isLast;) {
        signal.throwIfAborted()
        done = await next(done.after)
      }
    }
    if (does === 'remind') {
      await portions((after) => chargeRenewals(services, org, on, after))
      await portions((after) => database.withoutActor((tx) => remindMembers(tx, org, on, after)))
      await portions((after) => database.withoutActor((tx) => remindInvoices(tx, org, on, after)))
      return
    }
    // First, so that renewals are charged through the chapter that the member has moved to.
    await database.withoutActor((tx) => runTransfers(tx, org, on))
    await database.withoutActor((tx) => endMemberships(tx, org, on))
    await portions((after) => database.withoutActor((tx) => runPortion(tx, org, on, after)))
    await database.withoutActor((tx) => endLifecycleOverrides(tx, org, on))
    await portions((after) => database.withoutActor((tx) => chargePortion(tx, org, after)))
  }

/** Each attempt is noted with its job in one transaction, so that a run that is killed tries nothing twice. */
const chargeRenewals = (services: Services, org: string, on: string, after: string | null): Promise<Portion> =>
  services.database.withoutActor(async (tx) => {
    const due = await renewalsToCharge(tx, org, on, after, chargesAtOnce)
    for (const { invoiceId } of due) await chargeSavedCard(services, tx, org, invoiceId)
    return { after: due.at(-1)?.membershipId ?? after, isLast: due.length < chargesAtOnce }
  })
