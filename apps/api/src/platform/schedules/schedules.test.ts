import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import { createServices } from '../services.ts'
import type { Services } from '../services.ts'
import { databaseClock, runScheduled, tickSchedules } from './schedules.ts'
import type { Schedule, ScheduledRun } from './schedules.ts'

const job = { id: 'test', signal: new AbortController().signal }

/** Schedules of this test alone, and a worker that looks at what time we say. */
async function asWorker<T>(api: { services: Services }, run: (worker: Services) => Promise<T>): Promise<T> {
  const { config, log } = api.services
  const worker = createServices(config, log, config.WORKER_DATABASE_URL)
  return run(worker).finally(() => worker.close())
}
const at = (now: string) => async () => new Date(now)

function digest(missed: 'once' | 'skip' = 'once') {
  const runs: ScheduledRun[] = []
  const name = `digest-${randomUUID().replaceAll(/[^a-f]/g, '')}`.slice(0, 50)
  const schedule: Schedule = { name, rule: { every: 'day', at: '08:00' }, missed, run: async (_db, due) => void runs.push(due) }
  return { runs, schedule }
}

describe('a schedule of an organisation', () => {
  test('runs by the clock of each, once, whatever comes twice', async ({ api, admin, organisation }) => {
    const [lisbon, tokyo] = [await organisation(), await organisation()]
    await admin.query(`update app.organisations set timezone = 'Europe/Lisbon' where org_id = $1`, [lisbon.id])
    await admin.query(`update app.organisations set timezone = 'Asia/Tokyo' where org_id = $1`, [tokyo.id])
    const { runs, schedule } = digest()
    const jobs = async () =>
      (
        await admin.query<{ data: Record<string, string> }>(
          `select data from pgboss.job where name = 'scheduled' and data ->> 'schedule' = $1 and data ->> 'org' = any ($2) order by created_on`,
          [schedule.name, [lisbon.id, tokyo.id]],
        )
      ).rows.map(({ data }) => data)
    await asWorker(api, async (worker) => {
      const tick = (now: string) => tickSchedules(worker, [schedule], at(now))({}, job)
      await tick('2026-11-22T12:00:00Z')
      expect(await jobs()).toEqual([])
      // Two workers, and one that looks again.
      await Promise.all([1, 2, 3, 4].map(() => tick('2026-11-23T00:10:00Z')))
      await tick('2026-11-23T00:11:00Z')
      expect(await jobs()).toMatchObject([{ org: tokyo.id, dueOn: '2026-11-23', dueAt: '2026-11-22T23:00:00Z' }])
      await Promise.all([1, 2, 3, 4].map(() => tick('2026-11-23T08:00:00Z')))
      expect(await jobs()).toMatchObject([{ org: tokyo.id }, { org: lisbon.id, dueOn: '2026-11-23' }])
      const work = runScheduled(worker, [schedule])
      for (const data of await jobs()) await Promise.all([1, 2, 3].map(() => work(data, job)))
    })
    expect(runs).toEqual([
      { org: tokyo.id, dueOn: '2026-11-23', dueAt: '2026-11-22T23:00:00Z' },
      { org: lisbon.id, dueOn: '2026-11-23', dueAt: '2026-11-23T08:00:00Z' },
    ])
  })

  test('that failed leaves nothing behind and runs again', async ({ api, admin, organisation }) => {
    const org = await organisation()
    const { schedule } = digest()
    const failing: Schedule = {
      ...schedule,
      run: async (db, due) => {
        await sql`select app.refresh_counts(${due.org})`.execute(db)
        throw new Error('the mail server is away')
      },
    }
    const state = async () =>
      (
        await admin.query(`select state, due_on::text as on from app.schedule_runs where org_id = $1 and schedule = $2 order by due_on`, [
          org.id,
          schedule.name,
        ])
      ).rows
    await asWorker(api, async (worker) => {
      await tickSchedules(worker, [schedule], at('2026-11-21T12:00:00Z'))({}, job)
      await tickSchedules(worker, [schedule], at('2026-11-23T12:00:00Z'))({}, job)
      const data = { org: org.id, schedule: schedule.name, dueOn: '2026-11-23', dueAt: '2026-11-23T08:00:00Z' }
      await expect(runScheduled(worker, [failing])(data, job)).rejects.toThrow('the mail server is away')
      expect(await state()).toMatchObject([{ state: 'seen' }, { state: 'due', on: '2026-11-23' }])
      await runScheduled(worker, [schedule])(data, job)
    })
    expect(await state()).toMatchObject([
      { state: 'seen', on: '2026-11-21' },
      { state: 'done', on: '2026-11-23' },
    ])
  })

  test('that nobody was there for is skipped where its policy says so', async ({ api, admin, organisation }) => {
    const org = await organisation()
    const { schedule } = digest('skip')
    await asWorker(api, async (worker) => {
      for (const now of ['2026-11-21T12:00:00Z', '2026-11-23T12:00:00Z', '2026-11-24T08:05:00Z']) {
        await tickSchedules(worker, [schedule], at(now))({}, job)
      }
    })
    const { rows } = await admin.query(`select state from app.schedule_runs where org_id = $1 and schedule = $2 order by due_on`, [
      org.id,
      schedule.name,
    ])
    expect(rows.map((row) => row['state'])).toEqual(['seen', 'skipped', 'due'])
  })

  test('has no day twice when its organisation moves to another zone', async ({ api, admin, organisation }) => {
    const org = await organisation()
    const { schedule } = digest()
    const days = async () =>
      (
        await admin.query(`select due_on::text as day from app.schedule_runs where org_id = $1 and schedule = $2 order by due_on`, [
          org.id,
          schedule.name,
        ])
      ).rows.map((row) => row['day'])
    await asWorker(api, async (worker) => {
      const tick = (now: string) => tickSchedules(worker, [schedule], at(now))({}, job)
      await admin.query(`update app.organisations set timezone = 'Pacific/Auckland' where org_id = $1`, [org.id])
      await tick('2026-11-22T12:00:00Z')
      await tick('2026-11-22T20:00:00Z')
      await admin.query(`update app.organisations set timezone = 'America/Los_Angeles' where org_id = $1`, [org.id])
      await tick('2026-11-22T20:01:00Z')
      await tick('2026-11-23T16:00:00Z')
      expect(await days()).toEqual(['2026-11-22', '2026-11-23'])
      await tick('2026-11-24T16:00:00Z')
    })
    expect(await days()).toEqual(['2026-11-22', '2026-11-23', '2026-11-24'])
  })

  test('is noted by the worker alone, whose clock is the database', async ({ api }) => {
    await expect(tickSchedules(api.services, [digest().schedule])({}, job)).rejects.toThrow('permission denied')
    const now = await asWorker(api, (worker) => worker.database.withoutActor(databaseClock))
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
  })
})

test('runs of long ago are forgotten, the newest of each schedule is not', async ({ api, admin, organisation }) => {
  const org = await organisation()
  for (const day of ['2020-01-01', '2020-01-02']) {
    await admin.query(
      `insert into app.schedule_runs (org_id, schedule, due_on, due_at, state) values ($1, 'old', $2::date, $2::date, 'seen')`,
      [org.id, day],
    )
  }
  await asWorker(api, (worker) => worker.database.withoutActor((db) => sql`select app.purge_runs()`.execute(db)))
  const { rows } = await admin.query(`select due_on::text as day from app.schedule_runs where org_id = $1`, [org.id])
  expect(rows).toEqual([{ day: '2020-01-02' }])
})
