import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import type { Schedule } from '../../../platform/schedules/schedules.ts'
import type { Services } from '../../../platform/services.ts'
import { chargePlan, forgetCard } from '../../payments/payments.public.ts'
import { remindPledges } from '../pledges/fundraising.pledges.queries.ts'
import { cardsToForget, plansDue } from './fundraising.plans.queries.ts'

/** By day: cards are charged, and reminders read. */
export const givingSchedules = ({ jobs }: Services): Schedule[] => [
  {
    name: 'giving',
    rule: { every: 'day', at: '09:10' },
    missed: 'once',
    run: (db, { org, dueOn }) => jobs.send(db, 'giving', { org, on: dueOn }),
  },
]

const chargesAtOnce = 100
const remindersAtOnce = 500

/** What the calendar does to recurring gifts and pledges, in portions that are a transaction each. */
export const givingJobs =
  (services: Services): JobHandler =>
  async ({ org = '', on = '' }, { signal }) => {
    await chargePlans(services, org, signal)
    for (let done: { after: string | null; isLast: boolean } = { after: null, isLast: false }; !done.isLast;) {
      signal.throwIfAborted()
      const { after } = done
      done = await services.database.withoutActor((tx) => remindPledges(tx, org, { on, after, most: remindersAtOnce }))
    }
  }

/**
 * Charges what recurring gifts have due today. Each attempt is noted with its job in one transaction, and one that is noted is not due any more: a run
 * that is killed goes on where it was, and tries nothing twice.
 */
async function chargePlans(services: Services, org: string, signal: AbortSignal): Promise<void> {
  const { database, payments } = services
  // Without a provider nothing can be charged, and nothing has failed.
  if (!payments) return
  const tried = new Set<string>()
  for (let isLast = false; !isLast;) {
    signal.throwIfAborted()
    isLast = await database.withoutActor(async (tx) => {
      const due = await plansDue(tx, org, chargesAtOnce)
      const fresh = due.filter((plan) => !tried.has(plan))
      for (const plan of fresh) {
        tried.add(plan)
        await chargePlan(services, tx, org, plan)
      }
      return due.length < chargesAtOnce || fresh.length === 0
    })
  }
  // The card of a recurring gift goes when the gift has ended.
  await database.withoutActor(async (tx) => {
    for (const method of await cardsToForget(tx, org)) await forgetCard(services, tx, org, method)
  })
}
