import { queues } from '@guildhall/db'
import type { ActorDb, QueueName, Schema } from '@guildhall/db'
import { CompiledQuery } from 'kysely'
import type { Kysely } from 'kysely'
import { PgBoss, systemClock } from 'pg-boss'
import type { Clock, Job } from 'pg-boss'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { jobKind, traceAlong, traced, traceOf } from '../observability/tracing.ts'

export type Jobs = {
  /** Adds a job in the transaction of `db`: it exists exactly when that transaction commits. Data holds ids only. */
  send(db: ActorDb | Kysely<Schema>, queue: QueueName, data: Record<string, string>, options?: { retryLimit?: number }): Promise<void>
  close(): Promise<void>
}

/** A sender writes rows through the caller's transaction; a connection of its own it has only for the queues' settings. */
export function createJobs(url: string, onError: (error: Error) => void): Jobs {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false, migrate: false, createSchema: false })
  boss.on('error', onError)
  let started: Promise<unknown> | undefined
  return {
    async send(db, queue, data, options = {}) {
      // A start that failed is tried again by the next job.
      await (started ??= boss.start().catch((error: unknown) => {
        started = undefined
        throw error
      }))
      const executor = {
        async executeSql(text: string, values: unknown[] = []) {
          const result = await db.executeQuery(CompiledQuery.raw(text, values))
          // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- pg-boss reads its own columns from these rows
          return { rows: result.rows as Record<string, unknown>[] }
        },
      }
      // Unlike send, which reads the new row: the api's role may add jobs and see none.
      await boss.insert(queue, [{ ...options, data: { ...data, ...traceAlong() } }], { db: executor })
    },
    async close() {
      if (started) await boss.stop({ graceful: false })
    },
  }
}

/**
 * The time of day when the process began and what has passed since. A worker subtracts two readings to know how long to rest: with the
 * time of day, one that is set back by an hour in between would rest for that hour.
 */
const steadyClock: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

export type JobHandler = (data: Record<string, string>, job: { id: string; signal: AbortSignal }) => Promise<void>
export type RunningJobs = { stop(): Promise<void> }

/** Jobs of a queue at a time; where waiting for others takes most of the time, more than one. */
const concurrency: Record<string, number> = { imports: 2, mail: 4, payments: 4, syncs: 2 }

/**
 * Works through the queues until stopped; a stop lets running jobs finish or hands them back.
 * A job that was interrupted by a kill is taken up again when its heartbeat has been missing.
 */
export async function startJobs(options: {
  url: string
  handlers: Partial<Record<QueueName, JobHandler>>
  schedules?: { queue: QueueName; cron: string }[]
  log: Log
  metrics?: Metrics
}): Promise<RunningJobs> {
  const { handlers, log, metrics } = options
  const millisecondsSince = (started: number) => Math.round(performance.now() - started)
  const boss = new PgBoss({
    connectionString: options.url,
    max: 8,
    migrate: false,
    createSchema: false,
    clock: steadyClock,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Says when a queue is long enough to work on without pauses.
    queueCacheIntervalSeconds: 5,
    application_name: 'guildhall-worker',
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  await boss.start()
  const stopping = new AbortController()
  for (const [queue, handler] of Object.entries(handlers)) {
    await boss.work(
      queue,
      { batchSize: 1, pollingIntervalSeconds: 0.5, burstWhenReadyExceeds: 1, localConcurrency: concurrency[queue] ?? 1 },
      // What a schedule sends has no data.
      async (jobs: Job<Record<string, string> | null>[]) => {
        for (const job of jobs) {
          const started = performance.now()
          try {
            const { traceparent, ...data } = job.data ?? {}
            const about = { kind: jobKind, parent: traceOf(traceparent) }
            await traced(`job ${queue}`, about, () => handler(data, { id: job.id, signal: AbortSignal.any([job.signal, stopping.signal]) }))
            metrics?.jobEnded(queue, 'done', millisecondsSince(started) / 1_000)
            log.info({ job: job.id, queue, ms: millisecondsSince(started) }, 'job done')
          } catch (error) {
            // Cut off by our own end, which is no failure of the job: another worker begins it anew.
            if (stopping.signal.aborted) {
              await boss.send(queue, job.data)
              metrics?.jobEnded(queue, 'handed_back', millisecondsSince(started) / 1_000)
              log.info({ job: job.id, queue }, 'job handed back')
              return
            }
            metrics?.jobEnded(queue, 'failed', millisecondsSince(started) / 1_000)
            log.error({ err: error, job: job.id, queue, ms: millisecondsSince(started) }, 'job failed')
            throw error
          }
        }
      },
    )
  }
  await takeUpInterrupted(boss)
  for (const { queue, cron } of options.schedules ?? []) await boss.schedule(queue, cron)
  return {
    stop: async () => {
      stopping.abort()
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}

/** Queues whose jobs go on where they were, so that a second worker on the same work is harmless. */
const resumable: readonly QueueName[] = ['imports', 'memberships', 'giving', 'syncs']

/** What a killed worker was at stays `active` until its heartbeat has been missed for a while. What is resumable need not wait for that: a worker that starts takes it up at once. */
async function takeUpInterrupted(boss: PgBoss): Promise<void> {
  for (const queue of resumable) {
    const jobs = await boss.findJobs<Record<string, string>>(queue)
    const waiting = new Set(jobs.filter(({ state }) => state === 'created' || state === 'retry').map(({ data }) => JSON.stringify(data)))
    for (const { state, data } of jobs) {
      if (state !== 'active' || waiting.has(JSON.stringify(data))) continue
      waiting.add(JSON.stringify(data))
      await boss.send(queue, data)
    }
  }
}

export const queueNames = Object.keys(queues)
