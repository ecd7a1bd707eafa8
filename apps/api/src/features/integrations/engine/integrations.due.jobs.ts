import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import type { Services } from '../../../platform/services.ts'
import { startDueSyncs } from './integrations.sync.queries.ts'

const atOnce = 200

/** Every minute: begins the runs of connections whose time has come. Each is a row and a job of one transaction, so that two workers begin it once. */
export const dueSyncs =
  ({ database, jobs }: Services): JobHandler =>
  async (_data, { signal }) => {
    for (let isLast = false; !isLast;) {
      signal.throwIfAborted()
      isLast = await database.withoutActor(async (db) => {
        const due = await startDueSyncs(db, atOnce)
        for (const run of due) await jobs.send(db, 'syncs', run)
        return due.length === 0
      })
    }
  }
