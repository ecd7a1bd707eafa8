import { isTimezone } from '@guildhall/contract/zones'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { JobHandler } from '../jobs/jobs.ts'
import type { Services } from '../services.ts'
import { latestDue, runOf } from './schedules.rules.ts'
import type { ScheduleRule } from './schedules.rules.ts'

type Rows = Kysely<Schema>

/** Something that each organisation has done by the clock of its own time zone. */
export type Schedule = {
  /** Runs are remembered under it, so it stays what it is. */
  name: string
  rule: ScheduleRule
  /** A moment at which no worker ran is made up for `once`, or skipped when it is more than half an hour ago. */
  missed: 'once' | 'skip'
  statementTimeoutMs?: number
  /**
   * In one transaction with the note that it is done, and so exactly once for what it writes. What reaches outside is a job row of the same
   * transaction. `dueOn` is a day of the organisation's calendar.
   */
  run: (db: Rows, due: ScheduledRun, signal: AbortSignal) => Promise<void>
}
export type ScheduledRun = { org: string; dueOn: string; dueAt: string }

/** What time it is. The database's clock is the same for every worker, whatever theirs show. */
export type Clock = (db: Rows) => Promise<Date>
export const databaseClock: Clock = async (db) => {
  const { rows } = await sql<{ now: number }>`select extract(epoch from now())::float8 * 1000 as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database does not say what time it is')
  return new Date(row.now)
}

type Known = { org: string; timezone: string; lastDays: Record<string, string> | null }

/** Every minute: notes each moment that has come and adds its job in the same transaction. Of two workers one finds it noted already. */
export const tickSchedules =
  (services: Services, schedules: readonly Schedule[], clock: Clock = databaseClock): JobHandler =>
  async (_data, { signal }) => {
    const { database, jobs, log } = services
    const { now, known } = await database.withoutActor(async (db) => ({
      now: await clock(db),
      known: (await sql<Known>`select org_id as org, timezone, last_days as "lastDays" from app.schedule_states()`.execute(db)).rows,
    }))
    for (const { org, timezone, lastDays } of known) {
      signal.throwIfAborted()
      if (!isTimezone(timezone)) log.error({ org, timezone }, 'the organisation has a time zone that nobody knows; its schedules go by UTC')
      const zone = isTimezone(timezone) ? timezone : 'UTC'
      for (const { name, rule, missed } of schedules) {
        const due = latestDue(rule, zone, now)
        const state = runOf({ due, last: lastDays?.[name] ?? null, missed, now })
        if (!state) continue
        await database.withoutActor(async (db) => {
          const { rows } = await sql<{
            added: boolean
          }>`select app.add_run(${org}, ${name}, ${due.on}, ${due.at}, ${state}) as added`.execute(db)
          if (rows[0]?.added && state === 'due') await jobs.send(db, 'scheduled', { org, schedule: name, dueOn: due.on, dueAt: due.at })
        })
        if (state === 'skipped') log.warn({ org, schedule: name, due: due.at }, 'a moment was missed and is skipped')
      }
    }
  }

/** One run. A job that comes a second time finds it done; one that fails leaves nothing behind and is tried again. */
export const runScheduled =
  (services: Services, schedules: readonly Schedule[]): JobHandler =>
  async ({ org = '', schedule: name = '', dueOn = '', dueAt = '' }, { signal }) => {
    const schedule = schedules.find((one) => one.name === name)
    if (!schedule) throw new Error(`there is no schedule ${name}`)
    const { statementTimeoutMs } = schedule
    await services.database.withoutActor(
      async (db) => {
        const { rows } = await sql<{ first: boolean }>`select app.finish_run(${org}, ${name}, ${dueOn}) as first`.execute(db)
        if (rows[0]?.first) await schedule.run(db, { org, dueOn, dueAt }, signal)
      },
      statementTimeoutMs ? { statementTimeoutMs } : {},
    )
  }
