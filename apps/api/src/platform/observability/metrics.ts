import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { queues } from '@guildhall/db'
import type { Database } from '@guildhall/db'
import { actionsContract, dataContract } from '@guildhall/contract'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { operationsOf } from '../procedures/operations.ts'
import type { Provider } from '../sign-in/provider.ts'
import type { QueueState, WaitingWork } from '../jobs/queue-states.ts'

/**
 * What a monitoring system reads of one process. Labels take their values from closed sets only (operations of the contract, queues, statuses):
 * nothing that somebody sends and no id ever becomes one, so their number is bounded.
 */
export type Metrics = {
  registry: Registry
  answered(operation: string | undefined, status: number, seconds: number): void
  shed(): void
  /** The database said no to a statement of ours: a right that the code believed in was not there. */
  refusedByDatabase(): void
  jobEnded(queue: string, outcome: 'done' | 'failed' | 'handed_back', seconds: number): void
  auditBroken(): void
  /** What was reported of a mail that had left, by who reports and what became of it. */
  mailFeedback(source: string, outcome: string): void
}

const operations = new Set([...operationsOf(dataContract), ...operationsOf(actionsContract)])
const elsewhere = 'none'
const feedbackSources = new Set(['mailgun', 'sendgrid', 'report'])
const feedbackOutcomes = new Set(['taken', 'repeated', 'ignored', 'unknown', 'forged', 'other'])
/** Whoever reads gives up after some seconds, and should hear everything else by then. */
const patienceMs = 3_000
const statuses = new Set([200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 428, 429, 500, 503, 507])

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'guildhall_http_requests_total',
    help: 'Answers, by operation of the API and status',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'guildhall_http_request_duration_seconds',
    help: 'Time until an answer was sent, by operation of the API',
    labelNames: ['operation'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  const shed = new Counter({ name: 'guildhall_http_requests_shed_total', help: 'Requests turned away because of overload', registers })
  const refusals = new Counter({
    name: 'guildhall_database_refusals_total',
    help: 'Statements that row-level security or a grant refused',
    registers,
  })
  const jobs = new Histogram({
    name: 'guildhall_job_duration_seconds',
    help: 'Time that jobs took, by queue and how they ended',
    labelNames: ['queue', 'outcome'],
    buckets: [0.1, 1, 10, 60, 600],
    registers,
  })
  const broken = new Counter({
    name: 'guildhall_audit_chain_breaks_total',
    help: 'Verifications of an audit log that found it changed',
    registers,
  })
  const feedback = new Counter({
    name: 'guildhall_mail_feedback_total',
    help: 'Reports about mail that had left, by where they come from and what became of them',
    labelNames: ['source', 'outcome'],
    registers,
  })
  return {
    registry,
    answered(operation, status, seconds) {
      const labels = { operation: operation !== undefined && operations.has(operation) ? operation : elsewhere }
      requests.inc({ ...labels, status: statuses.has(status) ? String(status) : 'other' })
      durations.observe(labels, seconds)
    },
    shed: () => shed.inc(),
    refusedByDatabase: () => refusals.inc(),
    jobEnded: (queue, outcome, seconds) => jobs.observe({ queue: queue in queues ? queue : elsewhere, outcome }, seconds),
    auditBroken: () => broken.inc(),
    mailFeedback: (source, outcome) =>
      feedback.inc({
        source: feedbackSources.has(source) ? source : elsewhere,
        outcome: feedbackOutcomes.has(outcome) ? outcome : 'other',
      }),
  }
}

/** Memory, event loop and garbage of the process itself; once in a process. */
export const watchProcess = ({ registry }: Metrics): void => collectDefaultMetrics({ register: registry })

/** Its connections to the database, and the room for files. */
export function watchResources({ registry }: Metrics, database: Database, filesDir: string): void {
  const registers = [registry]
  new Gauge({
    name: 'guildhall_database_connections',
    help: 'Connections to the database, by what they do',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle } = database.load()
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'guildhall_database_waiting',
    help: 'Requests and jobs that wait for a connection',
    registers,
    collect() {
      this.set(database.load().waiting)
    },
  })
  new Gauge({
    name: 'guildhall_files_used_ratio',
    help: 'How full the file system of FILES_DIR is, from 0 to 1',
    registers,
    async collect() {
      // Before the first file there may be no folder yet.
      const room = await statfs(filesDir).catch(() => null)
      this.set(room ? 1 - room.bavail / room.blocks : 0)
    },
  })
}

/** How old the provider's signing keys are; of a server only. */
export function watchSigningKeys({ registry }: Metrics, provider: Provider): void {
  new Gauge({
    name: 'guildhall_signing_keys_age_seconds',
    help: 'Time since the identity provider gave its signing keys; -1 before the first time',
    registers: [registry],
    collect() {
      this.set(provider.keysAge() ?? -1)
    },
  })
}

/** The queues and the last backup, as the database has them: the same from every worker. */
export function watchQueues({ registry }: Metrics, read: () => Promise<WaitingWork>): void {
  const registers = [registry]
  let reading: Promise<WaitingWork | null> | undefined
  // All three ask at the same moment. A database that is away leaves them out, and everything else is told.
  const state = () =>
    (reading ??= Promise.race([read(), sleep(patienceMs, null, { ref: false })])
      .catch(() => null)
      .finally(() => (reading = undefined)))
  const byQueue = (name: string, help: string, valueOf: (state: QueueState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers,
      async collect() {
        const found = await state()
        this.reset()
        if (!found) return
        for (const queue of Object.keys(queues)) {
          const one = found.queues.find((each) => each.name === queue)
          this.set({ queue }, one ? valueOf(one) : 0)
        }
      },
    })
  byQueue(
    'guildhall_queue_waiting',
    'Jobs that are due and wait, by queue; in the queue dead those that failed for good',
    ({ waiting }) => waiting,
  )
  byQueue(
    'guildhall_queue_oldest_seconds',
    'How long the job that waits longest has been due, by queue',
    ({ oldestSeconds }) => oldestSeconds,
  )
  new Gauge({
    name: 'guildhall_backup_age_seconds',
    help: 'Time since the backup command last finished; infinite before the first time',
    registers,
    async collect() {
      this.set((await state())?.backupAge ?? Number.POSITIVE_INFINITY)
    },
  })
}
