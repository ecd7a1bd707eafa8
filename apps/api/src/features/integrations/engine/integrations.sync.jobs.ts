import type { ActorDb } from '@guildhall/db'
import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import { newId } from '../../../platform/records/new-id.ts'
import type { Services } from '../../../platform/services.ts'
import { isPassing as isDatabaseAway } from '../../imports/imports.values.public.ts'
import { topicNamed } from '../../communication/consent/communication.connections.public.ts'
import { reachOf } from '../connections/integrations.secrets.queries.ts'
import { noteRunEnd } from '../connections/integrations.states.queries.ts'
import type { RunEnd } from '../connections/integrations.states.queries.ts'
import { isConnectorError, isPassing, textSetting } from '../connectors/integrations.connector.rules.ts'
import type { ConnectorError, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { syncConnectors } from '../connectors/integrations.connectors.actions.ts'
import { addPoints } from '../metrics/integrations.metrics.queries.ts'
import { failedRows, forgetPlanned } from './integrations.changes.queries.ts'
import { failureOf, notSetUp, ownerLost, stoppedHere, topicGone } from './integrations.failures.rules.ts'
import type { RunFailure } from './integrations.failures.rules.ts'
import { oursOf } from '../ours/integrations.sides.jobs.ts'
import { noClaims } from './integrations.planning.jobs.ts'
import type { Consent, Pass } from './integrations.planning.jobs.ts'
import { runPhases } from './integrations.phases.jobs.ts'
import { added, comparedFields, givesOut, noCounts, startOf, takesIn } from './integrations.runs.rules.ts'
import type { Counts, RunCursor } from './integrations.runs.rules.ts'
import { Ended, Revoked, mine, running, transactions } from './integrations.running.jobs.ts'
import type { InTx, Running, SyncOptions } from './integrations.running.jobs.ts'
import { findSyncedOf, holdConnection, holdRun, keepCursor, noteRun, todayIn } from './integrations.sync.queries.ts'
import type { StoredRun, SyncedConnection } from './integrations.sync.queries.ts'

/** Works on runs. One that was cut off is taken up by another worker, which goes on where it was. */
export const syncJobs =
  (services: Services, options: SyncOptions = {}): JobHandler =>
  async ({ orgId = '', accountId = '', runId = '' }, { signal }) =>
    workSync(services, { orgId, accountId, runId }, signal, options)

export type SyncWork = { orgId: string; accountId: string; runId: string }

export async function workSync(services: Services, work: SyncWork, signal: AbortSignal, options: SyncOptions = {}): Promise<void> {
  const inTx = transactions(services, work)
  const end = (state: RunEnd['state'], failure?: RunFailure) => endRun(services, work, state, failure)
  try {
    const begun = await begin(services, work, inTx, signal, options)
    if (!begun) return
    if ('failure' in begun) return await end('failed', begun.failure)
    await options.at?.('begun')
    await runToItsEnd(work, begun, inTx)
    await options.at?.('ended')
  } catch (error) {
    if (error instanceof Ended) return
    if (error instanceof Revoked) return end('failed', ownerLost)
    if (signal.aborted || isDatabaseAway(error)) throw error
    services.log.error({ err: error, run: work.runId }, 'a run of a connection stopped')
    await end('failed', stoppedHere)
  }
}

async function runToItsEnd(work: SyncWork, running: Running, inTx: InTx) {
  const { pass } = running
  let cut: ConnectorError | null = null
  try {
    await runPhases(running)
  } catch (error) {
    if (!isConnectorError(error)) throw error
    cut = error
  }
  // In one transaction with its figures: a worker killed in between would leave a run that begins anew and counts nothing.
  await inTx(async (db) => {
    await holdConnection(db, pass.connection.id)
    const run = await mine(db, pass, work.runId)
    const counts = added({ ...noCounts, ...run.in }, run.out)
    const isRepeat = run.isDry || run.retryOf !== null
    // What was cut off goes on there; a dry run and a retry begin anew.
    if (!isRepeat)
      await keepCursor(db, pass.connection.id, cut ? run.cursor : null, cut ? undefined : counts.failed > 0 ? null : running.cursor().mark)
    // The connection is as fresh as the last run that looked at everything.
    if (run.isDry || (!cut && run.retryOf === null)) await noteRun(db, work.runId, { cursor: null })
    await measure(db, running, run)
    const progressed = !isRepeat && (run.done > 0 || counts.created + counts.updated > 0)
    await noteRunEnd(db, work.orgId, work.runId, endOf(cut, progressed, counts.failed))
  })
}

function endOf(cut: ConnectorError | null, progressed: boolean, failed: number): RunEnd {
  if (!cut) return { state: failed > 0 ? 'partial' : 'succeeded' }
  return { state: isPassing(cut) && progressed ? 'partial' : 'failed', ...failureOf(cut) }
}

/** What a run comes to in the figures of its connection. */
async function measure(db: ActorDb, { pass, figures }: Running, run: StoredRun): Promise<void> {
  if (run.isDry) return
  const of = (counts: Partial<Counts>) => (counts.created ?? 0) + (counts.updated ?? 0)
  const { requests, milliseconds, quota, unsubscribed } = figures
  await addPoints(
    db,
    pass.connection.id,
    [
      { type: 'sync-runs' as const, value: 1 },
      { type: 'records' as const, value: of(run.in), direction: 'in' as const },
      { type: 'records' as const, value: of(run.out), direction: 'out' as const },
      { type: 'errors' as const, value: (run.in.failed ?? 0) + (run.out.failed ?? 0) },
      ...(requests > 0 ? [{ type: 'latency' as const, value: milliseconds, count: requests }] : []),
      ...(quota === null ? [] : [{ type: 'quota' as const, value: quota }]),
      ...(unsubscribed > 0 ? [{ type: 'unsubscribes' as const, value: unsubscribed }] : []),
      ...(pass.ours.entity === 'event'
        ? [
            { type: 'synced' as const, value: of(run.in) },
            { type: 'conflicts' as const, value: run.in.conflicts ?? 0 },
          ]
        : []),
    ].filter(({ value, type }) => value > 0 || type === 'sync-runs' || type === 'latency' || type === 'quota'),
  )
}

async function begin(
  services: Services,
  work: SyncWork,
  inTx: InTx,
  signal: AbortSignal,
  options: SyncOptions,
): Promise<Running | { failure: RunFailure } | null> {
  const worker = newId()
  return inTx(async (db) => {
    const connection = await findSyncedOf(db, work.runId)
    if (!connection) throw new Revoked()
    const run = await holdRun(db, work.runId)
    if (!run || (run.state !== 'queued' && run.state !== 'running')) return null
    const connector = (options.connectorOf ?? ofKey)(connection.connector)
    const ours = oursOf(connection.connector)
    if (!connector || !ours) return { failure: stoppedHere }
    if (run.mappingVersion !== connection.mappingVersion || (!run.isDry && connection.dryRunOf !== connection.mappingVersion))
      return { failure: notSetUp }
    const fields = comparedFields(connection.mapping)
    const consent = await consentOf(db, connector, connection, fields)
    if (consent === 'gone') return { failure: topicGone }
    const anew = run.isDry || run.cursor === null
    const cursor: RunCursor = anew ? startOf(run.id, worker) : { ...(run.cursor ?? startOf(run.id, worker)), worker }
    if (anew) await forgetPlanned(db, run.id)
    await noteRun(db, run.id, { state: 'running', cursor, ...(anew && { in: noCounts, out: noCounts, done: 0 }) })
    const reach = await reachOf(db, services, connection.id, signal)
    const pass: Pass = {
      orgId: work.orgId,
      accountId: work.accountId,
      runId: run.id,
      passId: cursor.pass,
      worker,
      connection: { ...connection, settings: reach.settings },
      connector,
      ours,
      fields,
      takesIn: takesIn(fields),
      givesOut: connector.push !== undefined && (givesOut(fields) || consent?.gives === true),
      consent,
      claims: run.isDry ? noClaims() : null,
      retried: run.retryOf === null ? null : await failedRows(db, run.retryOf, run.retryError),
      today: await todayIn(db),
      remembers: options.remembers ?? true,
    }
    return running(pass, reach, cursor, inTx, signal, options)
  })
}

const ofKey = (key: string): SyncConnector | undefined => Object.entries(syncConnectors).find(([name]) => name === key)?.[1]

async function consentOf(
  db: ActorDb,
  connector: SyncConnector,
  connection: SyncedConnection,
  fields: Pass['fields'],
): Promise<Consent | null | 'gone'> {
  if (!connector.consent) return null
  const named = textSetting(connection, 'topic')
  const topic = named === '' ? null : await topicNamed(db, named)
  if (named !== '' && !topic) return 'gone'
  const mapped = connection.mapping.find(({ ours }) => ours === 'subscribed')
  return {
    key: connector.consent,
    topicId: topic?.id ?? null,
    takesYes: mapped !== undefined && mapped.direction !== 'out' && mapped.rule === 'automatic',
    gives: connector.push !== undefined && (givesOut(fields) || (mapped !== undefined && mapped.direction !== 'in')),
  }
}

async function endRun({ database }: Services, { orgId, runId }: SyncWork, state: RunEnd['state'], failure?: RunFailure): Promise<void> {
  await database.withoutActor((db) =>
    noteRunEnd(db, orgId, runId, { state, failure: failure?.failure ?? null, isFatal: failure?.isFatal ?? false }),
  )
}
