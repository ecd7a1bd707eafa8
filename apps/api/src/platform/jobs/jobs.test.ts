import { randomUUID } from 'node:crypto'
import { afterEach, expect, vi } from 'vitest'
import { startJobs } from './jobs.ts'
import { test } from '../../testing.ts'

afterEach(() => void vi.useRealTimers())

test('what the clock asks for has no data and is done', async ({ api, admin }) => {
  const { services } = api
  const done = Promise.withResolvers<Record<string, string>>()
  const worker = await startJobs({
    url: services.config.WORKER_DATABASE_URL ?? services.config.DATABASE_URL,
    handlers: { counts: async (data) => done.resolve(data) },
    schedules: [{ queue: 'counts', cron: '0 0 1 1 *' }],
    log: services.log,
  })
  // As the clock would: the job of the schedule that was just noted.
  await admin.query(`insert into pgboss.job (name, data) select name, data from pgboss.schedule where name = 'counts'`)
  expect(await done.promise).toEqual({})
  await worker.stop()
  await admin.query(`delete from pgboss.schedule where name = 'counts'`)
})

test('F16: clocks of workers that jump by an hour make no job run twice', async ({ api }) => {
  const { services } = api
  const url = services.config.WORKER_DATABASE_URL ?? services.config.DATABASE_URL
  const runs = new Map<string, number>()
  const mark = randomUUID()
  const mail = async (data: Record<string, string>) => {
    if (data['mark'] !== mark) return
    runs.set(data['n'] ?? '', (runs.get(data['n'] ?? '') ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const workers = await Promise.all([1, 2].map(() => startJobs({ url, handlers: { mail }, log: services.log })))
  vi.useFakeTimers({ toFake: ['Date'] })
  const right = Date.now()
  const jumps = [0, 600, -600, -3600, 300, -300, 0]
  for (const [round, by] of jumps.entries()) {
    vi.setSystemTime(right + by * 1000)
    await services.database.withoutActor(async (db) => {
      for (let n = 0; n < 4; n++) await services.jobs.send(db, 'mail', { mark, n: `${round}-${n}` })
    })
    await vi.waitFor(() => expect(runs.size).toBe((round + 1) * 4), { timeout: 20_000, interval: 50 })
  }
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  vi.useRealTimers()
  for (const worker of workers) await worker.stop()
  expect([...runs.values()]).toEqual([...runs.values()].map(() => 1))
})
