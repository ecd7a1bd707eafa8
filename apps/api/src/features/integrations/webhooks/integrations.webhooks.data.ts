import type { MadeWebhookEndpoint } from '@guildhall/contract/features/integrations.webhooks'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../../platform/lists/list-page.ts'
import { addressFaults, readAddress } from '../../../platform/outgoing/address-rules.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { seal } from '../connections/integrations.secrets.rules.ts'
import { deliveriesList, findDeliveryDetail } from './integrations.webhook-deliveries.queries.ts'
import {
  endpointQuery,
  endpointsQuery,
  findEndpoint,
  insertEndpoint,
  insertSecret,
  noteNewSecret,
  removeEndpoint,
  retireSecrets,
  setEndpointState,
  updateEndpoint,
} from './integrations.webhooks.queries.ts'
import { bodyOf, headersOf, newSecret, webhookSecretPlace } from './integrations.webhooks.rules.ts'

const { webhooks } = data.integrations

/** The address as it will be asked, or what can be told of it without asking; the rest shows when something is sent there. */
function addressOf({ services }: CallerContext, url: string): string {
  const read = readAddress(url, new Set(services.config.OUTGOING_ALLOW))
  // Letters beyond ASCII take more room once they are written for the wire.
  const wrong = typeof read === 'string' ? read : read.href.length > 2_000 ? 'not_an_address' : null
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', fault('url', wrong, addressFaults[wrong]))
  return String(read)
}

const once = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** A new secret for an endpoint, said this once. */
async function withSecret(db: ActorDb, { services, actor }: CallerContext, endpointId: string): Promise<MadeWebhookEndpoint> {
  const { secret, hint } = newSecret()
  const sealed = seal(services.config.INTEGRATIONS_KEY, secret, webhookSecretPlace(endpointId))
  await insertSecret(db, actor, endpointId, { sealed, hint })
  return { endpoint: mustFind(await findEndpoint(db, endpointId)), secret }
}

export const webhooksData = webhooks.router({
  list: webhooks.list.handler(async ({ context }) => ({ items: (await context.read(endpointsQuery())).map(({ item }) => item) })),
  get: webhooks.get.handler(async ({ input, context }) => (await readOne(context, endpointQuery(input.endpointId))).item),
  create: webhooks.create.handler(({ input, context }) => {
    const url = addressOf(context, input.url)
    return context.inTx(async (db) => {
      const endpointId = await insertEndpoint(db, context.actor, { ...input, url, eventTypes: once(input.eventTypes) })
      return withSecret(db, context, endpointId)
    })
  }),
  update: webhooks.update.handler(({ input: { endpointId, eventTypes, url, ...change }, context }) => {
    const address = url === undefined ? undefined : addressOf(context, url)
    const set = { ...change, ...(address && { url: address }), ...(eventTypes && { eventTypes: once(eventTypes) }) }
    return context.inTx((db) => updateEndpoint(db, { endpointId, version: context.ifMatch }, set))
  }),
  pause: webhooks.pause.handler(({ input, context }) =>
    context.inTx((db) => setEndpointState(db, { ...input, version: context.ifMatch }, 'paused')),
  ),
  resume: webhooks.resume.handler(({ input, context }) =>
    context.inTx((db) => setEndpointState(db, { ...input, version: context.ifMatch }, 'active')),
  ),
  rotate: webhooks.rotate.handler(({ input: { endpointId }, context }) =>
    context.inTx(async (db) => {
      await noteNewSecret(db, { endpointId, version: context.ifMatch })
      await retireSecrets(db, endpointId)
      return withSecret(db, context, endpointId)
    }),
  ),
  remove: webhooks.remove.handler(({ input: { endpointId }, context }) =>
    context.inTx(async (db) => {
      const isGone = await removeEndpoint(db, { endpointId, version: context.ifMatch })
      await mustTouch(isGone, () => findEndpoint(db, endpointId), context.ifMatch)
    }),
  ),
  deliveries: webhooks.deliveries.handler(async ({ input, context }) => {
    await readOne(context, endpointQuery(input.endpointId))
    return listPage(context, deliveriesList(input), input)
  }),
  delivery: webhooks.delivery.handler(({ input: { endpointId, deliveryId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findEndpoint(db, endpointId))
      const { occurredAt, data: told, triedAt, ...delivery } = mustFind(await findDeliveryDetail(db, endpointId, deliveryId))
      return {
        ...delivery,
        body: bodyOf({ id: delivery.id, type: delivery.eventType, occurredAt, data: told }),
        headers: triedAt === null ? {} : headersOf(delivery.id, new Date(triedAt)),
      }
    }),
  ),
})
