import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectionTest, ConnectorKey } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { mustFind } from '../../../platform/procedures/problem.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { reachOf } from '../connections/integrations.secrets.queries.ts'
import { noteTest } from '../connections/integrations.states.queries.ts'
import { isConnectorError } from '../connectors/integrations.connector.rules.ts'
import type { Reach, SyncConnector, TheirField } from '../connectors/integrations.connector.rules.ts'
import { syncConnectors, testers } from '../connectors/integrations.connectors.actions.ts'
import { failureOf } from './integrations.failures.rules.ts'
import type { RunFailure } from './integrations.failures.rules.ts'
import { connectorOf, keepTheirFields } from './integrations.sync.queries.ts'

/** Longer nobody waits at a screen. */
const patienceMs = 20_000
const mostFields = 200

/** Asks the other side whether the connection works, and what its fields are called; nothing is written there. What came of it is kept with the connection. */
export async function tryConnection(context: CallerContext, connectionId: string): Promise<ConnectionTest> {
  const signal = AbortSignal.timeout(patienceMs)
  const { key, reach } = await context.inTx(async (db) => reached(context, db, connectionId, signal))
  const started = performance.now()
  const answer = await asked(key, reach)
  const milliseconds = Math.round(performance.now() - started)
  const failure = answer.problem?.failure ?? null
  await context.inTx(async (db) => {
    await noteTest(db, connectionId, failure)
    if (answer.fields) await keepTheirFields(db, connectionId, answer.fields)
  })
  return { works: failure === null, failure, found: answer.found, milliseconds }
}

async function reached(
  context: CallerContext,
  db: ActorDb,
  connectionId: string,
  signal: AbortSignal,
): Promise<{ key: ConnectorKey; reach: Reach }> {
  const key = mustFind(await connectorOf(db, connectionId))
  return { key, reach: await reachOf(db, context.services, connectionId, signal) }
}

type Answer = { found: ConnectionTest['found']; fields: TheirField[] | null; problem: RunFailure | null }

async function asked(key: ConnectorKey, reach: Reach): Promise<Answer> {
  const connector: Partial<SyncConnector> | undefined = syncConnectors[key] ?? testers[key]
  try {
    const found = (await connector?.test?.(reach)) ?? []
    const fields = connectors[key].directions === null ? null : ((await connector?.theirs?.(reach)) ?? null)
    return { found: found.slice(0, 10), fields: fields?.slice(0, mostFields) ?? null, problem: null }
  } catch (error) {
    if (!isConnectorError(error)) throw error
    return { found: [], fields: null, problem: failureOf(error) }
  }
}
