import { mustFind } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { findDelivery, insertPing, replayDeliveries } from './integrations.webhook-deliveries.queries.ts'
import { findEndpoint } from './integrations.webhooks.queries.ts'

const { webhooks } = actions.integrations

export const webhooksActions = webhooks.router({
  ping: webhooks.ping.handler(({ input: { endpointId }, context }) =>
    context.inTx(async (db) => {
      const deliveryId = mustFind(await insertPing(db, endpointId))
      return mustFind(await findDelivery(db, endpointId, deliveryId))
    }),
  ),
  replay: webhooks.replay.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await findEndpoint(db, input.endpointId))
      return { replayed: await replayDeliveries(db, input) }
    }),
  ),
})
