/**
 * A worker whose jobs leave a mark each, in the way that every job of ours does: under a key of the job's own, so that doing it twice is
 * doing it once. `COUNT_TWICE` leaves the key out. A job marked as poison fails whenever it is tried.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '@guildhall/api/platform/config'
import { startJobs } from '@guildhall/api/platform/jobs/jobs'
import { createLog } from '@guildhall/api/platform/observability/log'
import pg from 'pg'

const config = readConfig(process.env)
const countTwice = process.env['COUNT_TWICE'] === 'yes'
const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
const marks = new pg.Pool({ connectionString: url, max: 4 })
marks.on('error', () => undefined)
await startJobs({
  url,
  log: createLog('silent'),
  schedules: [{ queue: 'counts', cron: '* * * * *' }],
  handlers: {
    mail: async ({ mark = '', poison }) => {
      if (poison) throw new Error('poison')
      await marks.query(`insert into faults.marks (mark, twin) values ($1, $2) on conflict do nothing`, [
        mark,
        countTwice ? process.hrtime.bigint() : 0,
      ])
      // Between the effect and the job's end there is always a moment in which one may die; the control makes sure that some do.
      await sleep(countTwice ? 200 : 20)
    },
    counts: async () => {
      await marks.query(`insert into faults.ticks default values`)
    },
  },
})
process.once('disconnect', () => process.exit(0))
