import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { Connection } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import {
  cancelOutdatedRuns,
  cancelRuns,
  connectionQuery,
  connectionsQuery,
  findConnection,
  forgetSecrets,
  turnConnection,
  updateConnection,
} from './integrations.connections.queries.ts'
import { putSecrets } from './integrations.secrets.queries.ts'
import { checkedSettings, isElsewhere } from './integrations.settings.rules.ts'

const { integrations } = data

/** One that the caller sees and may change. */
export async function managedConnection(db: ActorDb, connectionId: string): Promise<Connection> {
  const connection = mustFind(await findConnection(db, connectionId))
  if (!connection.may.manage) throw problem('FORBIDDEN')
  return connection
}

/** Payments and mail of the installation are not connected by hand, and not disconnected either. */
export const byItself = () =>
  problem('CONFLICT', { reason: 'connection_by_itself', detail: 'This one is connected by the settings of the installation.' })
const isByItself = (connector: Connection['connector']) => connector === 'stripe' || connector === 'smtp'

const wrongState = () =>
  problem('CONFLICT', { reason: 'connection_state', detail: 'The connection is in a state that does not allow this.' })

/** Only what has runs has a schedule and a promise. */
export function mustSync(
  connector: Connection['connector'],
  wanted: { everyMinutes?: number | null | undefined; freshHours?: number | null | undefined },
): void {
  const path = wanted.everyMinutes ? 'everyMinutes' : wanted.freshHours ? 'freshHours' : null
  if (path && connectors[connector].directions === null)
    throw problem('UNPROCESSABLE_CONTENT', fault(path, 'connection_no_runs', 'This connector has no runs.'))
}

type From = Parameters<typeof turnConnection>[3]
async function turn(
  context: CallerContext,
  connectionId: string,
  from: From,
  to: Parameters<typeof turnConnection>[4],
  also?: (db: ActorDb) => Promise<unknown>,
) {
  return context.inTx(async (db) => {
    const before = await managedConnection(db, connectionId)
    if (isByItself(before.connector)) throw byItself()
    if (before.version === context.ifMatch && !from.includes(before.state)) throw wrongState()
    const read = () => findConnection(db, connectionId)
    await mustTouch(await turnConnection(db, connectionId, context.ifMatch, from, to), read, context.ifMatch)
    await also?.(db)
    return mustFind(await read())
  })
}

export const connectionsData = {
  list: integrations.list.handler(async ({ input, context }) => ({
    items: (await context.read(connectionsQuery(input.category))).map(({ item }) => item),
  })),
  get: integrations.get.handler(async ({ input, context }) => (await readOne(context, connectionQuery(input.connectionId))).item),
  update: integrations.update.handler(({ input: { connectionId, secrets, settings, ...change }, context }) =>
    context.inTx(async (db) => {
      const { services, actor, ifMatch } = context
      const before = await managedConnection(db, connectionId)
      mustSync(before.connector, change)
      const moves = settings !== undefined && isElsewhere(before.connector, before.settings, settings)
      const kept = moves ? [] : before.secrets.map(({ name }) => name)
      const checked = checkedSettings(before.connector, { settings, secrets, kept }, services.config.OUTGOING_ALLOW)
      const hasSecrets = secrets !== undefined && Object.keys(secrets).length > 0
      await updateConnection(db, connectionId, ifMatch, { ...change, settings: checked, hasSecrets })
      await cancelOutdatedRuns(db, connectionId)
      if (moves) await forgetSecrets(db, connectionId)
      if (hasSecrets) {
        // A run under way acts as who owned it before, and may go on with what is read anew: never with a secret that was not theirs.
        await cancelRuns(db, connectionId)
        await putSecrets(db, services, actor.orgId, connectionId, secrets)
      }
      return mustFind(await findConnection(db, connectionId))
    }),
  ),
  pause: integrations.pause.handler(({ input, context }) =>
    turn(context, input.connectionId, ['connected', 'degraded', 'error'], 'paused', (db) => cancelRuns(db, input.connectionId)),
  ),
  resume: integrations.resume.handler(({ input, context }) => turn(context, input.connectionId, ['paused'], 'connected')),
  disconnect: integrations.disconnect.handler(({ input, context }) =>
    turn(context, input.connectionId, ['connecting', 'connected', 'degraded', 'paused', 'error'], 'disconnected', async (db) => {
      await cancelRuns(db, input.connectionId)
      await forgetSecrets(db, input.connectionId)
    }),
  ),
}
