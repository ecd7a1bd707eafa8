import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, ActorDb } from '@guildhall/db'
import { jobActor } from '../../../platform/jobs/job-progress.ts'
import type { Services } from '../../../platform/services.ts'
import { isConnectorError, isPassing } from '../connectors/integrations.connector.rules.ts'
import type { Reach, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { putSandboxRecords, sandboxRecords } from '../sandbox/integrations.sandbox.queries.ts'
import type { OurSide } from '../ours/integrations.ours.rules.ts'
import type { Pass } from './integrations.planning.jobs.ts'
import { added, keysRead, noCounts } from './integrations.runs.rules.ts'
import type { Counts, RunCursor } from './integrations.runs.rules.ts'
import { holdRun, noteRun } from './integrations.sync.queries.ts'
import type { StoredRun } from './integrations.sync.queries.ts'

/** Rights may be taken away while a run goes on: it learns of it after at most this long. */
const actorFor = 4_000
/** What the other side asks to wait is waited for within these bounds; a run that would wait longer ends, and the next one goes on there. */
const longestWait = 60
const waitsInAll = 300

export type SyncOptions = {
  /** Tests say where a run is cut off, and take the place of the connectors. */
  connectorOf?: (key: string) => SyncConnector | undefined
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  at?: (step: Step) => void | Promise<void>
  /** False only in the control of the test: nobody is tied to anybody. */
  remembers?: boolean
}
export type Step = 'begun' | 'pulled' | 'written' | 'tied' | 'pushed' | 'kept' | 'paged' | 'ended'

export class Revoked extends Error {}
export class Ended extends Error {}
export type Figures = { requests: number; milliseconds: number; quota: number | null; unsubscribed: number }
/** All that a phase works with. */
export type Running = {
  pass: Pass
  reach: Reach
  signal: AbortSignal
  /** A transaction as the owner, while the run is this worker's; `note` adds what it did. */
  step(work: (db: ActorDb, note: (done: StepNote) => void) => Promise<void> | void): Promise<void>
  /** Our side in a transaction of a step. */
  open(db: ActorDb): Promise<OurSide>
  ask<T>(call: () => Promise<T>): Promise<T>
  cursor(): RunCursor
  at: (step: Step) => void | Promise<void>
  figures: Figures
}
export type StepNote = { in?: Partial<Counts>; out?: Partial<Counts>; done?: number; total?: number | null; cursor?: RunCursor }

export type InTx = <T>(run: (db: ActorDb) => Promise<T>) => Promise<T>

/** Transactions as the account that owns the connection, with the rights it has now. */
export function transactions(
  { database }: Services,
  { orgId, accountId, runId }: { orgId: string; accountId: string; runId: string },
): InTx {
  let actor: Actor | null = null
  let since = Number.NEGATIVE_INFINITY
  return async (run) => {
    if (performance.now() - since > actorFor) {
      actor = await jobActor(database, orgId, accountId)
      since = performance.now()
    }
    if (!actor) throw new Revoked()
    return database.asActor(actor, run, { via: `sync:${runId}`, statementTimeoutMs: 60_000 })
  }
}

/** The run, held for this transaction; it throws when it is over, or somebody else's. */
export async function mine(db: ActorDb, { worker }: Pick<Pass, 'worker'>, runId: string): Promise<StoredRun> {
  const run = await holdRun(db, runId)
  if (!run) throw new Revoked()
  if (run.state !== 'running' || run.cursor?.worker !== worker) throw new Ended()
  return run
}

export function running(pass: Pass, reach: Reach, begun: RunCursor, inTx: InTx, signal: AbortSignal, options: SyncOptions): Running {
  let cursor = begun
  let waited = 0
  const pause = options.pause ?? ((milliseconds, stop) => sleep(milliseconds, undefined, { signal: stop }))
  const figures: Figures = { requests: 0, milliseconds: 0, quota: null, unsubscribed: 0 }
  const { connection, ours, fields } = pass
  return {
    pass,
    reach: {
      ...reach,
      onQuota: (percent) => {
        figures.quota = percent
      },
      ...(connection.connector === 'sandbox' && {
        sandbox: {
          all: () => inTx((db) => sandboxRecords(db, connection.id)),
          put: (records) => inTx((db) => putSandboxRecords(db, pass.orgId, connection.id, records)),
        },
      }),
    },
    signal,
    figures,
    at: options.at ?? (() => undefined),
    cursor: () => cursor,
    open: (db) =>
      ours.open({
        db,
        orgId: pass.orgId,
        accountId: pass.accountId,
        connection,
        matchBy: connection.matchBy,
        fields: keysRead(fields, connection.matchBy),
        today: pass.today,
      }),
    async step(work) {
      signal.throwIfAborted()
      const next = await inTx(async (db) => {
        const run = await mine(db, pass, pass.runId)
        const note: { in: Counts; out: Counts; done: number; total: number | null; cursor: RunCursor } = {
          in: { ...noCounts, ...run.in },
          out: { ...noCounts, ...run.out },
          done: run.done,
          total: run.total,
          cursor,
        }
        await work(db, (more) => {
          note.in = added(note.in, more.in ?? {})
          note.out = added(note.out, more.out ?? {})
          note.done += more.done ?? 0
          if (more.total !== undefined) note.total = more.total
          if (more.cursor) note.cursor = more.cursor
        })
        await noteRun(db, pass.runId, note)
        return note.cursor
      })
      cursor = next
    },
    /** Waits for the other side where it asks to, and asks again where it was away for a moment. */
    async ask(call) {
      for (let tries = 0; ; tries += 1) {
        const started = performance.now()
        try {
          const answer = await call()
          figures.requests += 1
          figures.milliseconds += performance.now() - started
          return answer
        } catch (error) {
          if (!isConnectorError(error) || !isPassing(error)) throw error
          const seconds = error.retryAfterSeconds ?? Math.min(2 ** tries, 30)
          if (seconds > longestWait || waited + seconds > waitsInAll || (error.retryAfterSeconds === null && tries >= 4)) throw error
          waited += seconds
          await pause(seconds * 1_000, signal)
        }
      }
    },
  }
}
