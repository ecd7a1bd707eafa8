import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { organisationIds } from '../../platform/jobs/organisation-ids.ts'
import type { Services } from '../../platform/services.ts'
import { planMessages, sendMessages } from './mails/events.mails.queries.ts'
import { sendInvitations } from './invitations/events.invitations.queries.ts'
import { beginRefunds, releaseRegistrations } from './refunds/events.refunds.queries.ts'
import { growSeries } from './series/events.series.queries.ts'
import { runRegistrations } from './events.registrations.queries.ts'

/** So many events in one transaction, each of which keeps others from its seats meanwhile. */
const portion = 20
/** So many mails are written down in one transaction. */
const mailPortion = 500

/**
 * Every minute: holds and offers whose time is over end, and their seats go to the next on the waiting list. Reminders, changes and messages that are
 * due are written to everybody they are for. What was paid for seats that are gone goes back, and what was never paid is owed no more. Series get the events that come
 * within the horizon.
 */
export const eventJobs =
  ({ database, jobs, log }: Services): JobHandler =>
  async (_data, { signal }) => {
    let ended = 0
    let made = 0
    for (const orgId of await database.withoutActor(organisationIds)) {
      for (let done = portion; done > 0; ended += done) {
        signal.throwIfAborted()
        done = await database.withoutActor((db) => runRegistrations(db, orgId, portion))
      }
      made += await database.withoutActor((db) => growSeries(db, orgId))
      for (let done = portion; done === portion;) {
        signal.throwIfAborted()
        done = await database.withoutActor((db) => releaseRegistrations(db, orgId, portion))
      }
      for (let done = portion; done === portion;) {
        signal.throwIfAborted()
        done = await database.withoutActor(async (tx) => {
          const { seen, refunds } = await beginRefunds(tx, orgId, portion)
          for (const refund of refunds) await jobs.send(tx, 'payments', { does: 'refund', org: orgId, refund })
          return seen
        })
      }
      for (let written = mailPortion; written === mailPortion;) {
        signal.throwIfAborted()
        written = await database.withoutActor((db) => sendInvitations(db, orgId, mailPortion))
      }
      await database.withoutActor((db) => planMessages(db, orgId))
      for (let written = 1; written > 0;) {
        signal.throwIfAborted()
        written = await database.withoutActor((db) => sendMessages(db, orgId, mailPortion))
      }
    }
    if (made > 0) log.info({ made }, 'events of series have been made')
    if (ended > 0) log.info({ ended }, 'holds and offers of seats have ended')
  }
