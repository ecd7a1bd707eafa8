import type { Database } from '@guildhall/db'
import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import { organisationIds } from '../../../platform/jobs/organisation-ids.ts'
import type { Services } from '../../../platform/services.ts'
import { readPayouts } from '../../payments/payments.payouts.public.ts'
import { workingConnections } from '../connections/integrations.states.queries.ts'
import { setPoints } from '../metrics/integrations.metrics.queries.ts'
import { chatFigures } from './integrations.figures.queries.ts'
import type { CountedHour } from './integrations.figures.queries.ts'
import { mailOf } from '../smtp/integrations.smtp.jobs.ts'
import { paymentsOf } from '../stripe/integrations.stripe.jobs.ts'

const day = 86_400_000
/** How far back is counted again: money settles, and mail is read, days later. */
const again = 7 * day
/** What a connection that is new is shown of the time before it. */
const before = 390 * day
const patience = { statementTimeoutMs: 120_000 }
const atOnce = 5_000

/** What is connected by itself, and by hour what it did; counted anew, so that it is right whatever came late. */
export const countFigures =
  (services: Services, clock = () => new Date()): JobHandler =>
  async (_data, { signal }) => {
    const { database, log } = services
    const now = clock()
    try {
      await readPayouts(services, signal)
    } catch (error) {
      signal.throwIfAborted()
      // What the provider keeps to itself for an hour is counted in the next one.
      log.warn({ err: error }, 'payouts of the payment provider were not read')
    }
    for (const orgId of await database.withoutActor(organisationIds)) {
      for (const own of [paymentsOf(services), mailOf(services)]) {
        signal.throwIfAborted()
        try {
          const kept = await database.withoutActor((db) => own.keep(db, orgId), patience)
          if (!kept) continue
          if (kept.isNew)
            await keep(database, kept.id, (db) => own.count(db, orgId, { since: new Date(now.getTime() - before), isWhole: false }))
          await keep(database, kept.id, (db) => own.count(db, orgId, { since: new Date(now.getTime() - again), isWhole: true }))
        } catch (error) {
          // The next organisation does not wait for what is wrong with this one.
          log.warn({ err: error, organisation: orgId }, 'figures of a connection were not counted')
        }
      }
    }
    for (const { id } of await database.withoutActor((db) => workingConnections(db, 'chat'))) {
      signal.throwIfAborted()
      await keep(database, id, (db) => chatFigures(db, id, new Date(now.getTime() - again)))
    }
  }

type Db = Parameters<Parameters<Database['withoutActor']>[0]>[0]

async function keep(database: Database, connectionId: string, count: (db: Db) => Promise<CountedHour[]>): Promise<void> {
  await database.withoutActor(async (db) => {
    const hours = await count(db)
    for (let from = 0; from < hours.length; from += atOnce)
      await setPoints(
        db,
        connectionId,
        hours.slice(from, from + atOnce).map(({ hour, ...measured }) => ({ ...measured, hour: new Date(hour) })),
      )
  }, patience)
}
