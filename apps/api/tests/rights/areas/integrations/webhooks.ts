import type { webhooksActions, webhooksData } from '@guildhall/contract/features/integrations.webhooks'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const webhooksRights = {
  /** They are the organisation's: an officer of a chapter has connections, and no webhooks. */
  manageWebhooks: right(
    'See webhooks and their deliveries, add, change, pause, test, replay and remove them',
    `                west below east org
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { manageWebhooks } = webhooksRights

export const webhooksKinds = { webhook: manageWebhooks }

type Place = Parameters<AreaRows>[0]
export async function webhooksRowsOf({ add, orgId, canary }: Place): Promise<Record<string, string>> {
  const name = canary('webhook')
  const endpointId = await add('webhook_endpoints', {
    org_id: orgId,
    name,
    url: 'https://hooks.example.org/in',
    event_types: ['message.sent'],
  })
  await add('webhook_secrets', { org_id: orgId, endpoint_id: endpointId, sealed: Buffer.from('sealed'), hint: 'abc=' })
  const record = { record_id: endpointId, record_version: 1, data: JSON.stringify({ note: name }), fanned_at: new Date() }
  const event_id = await add('webhook_events', { org_id: orgId, type: 'message.sent', ...record })
  const deliveryId = await add('webhook_deliveries', {
    org_id: orgId,
    endpoint_id: endpointId,
    event_id,
    event_type: 'message.sent',
    state: 'dead',
    given_up_at: new Date(),
  })
  await add('webhook_attempts', { org_id: orgId, delivery_id: deliveryId, at: new Date(), milliseconds: 5, answer: name })
  return { endpointId, deliveryId }
}

export const webhooksPolicy: PolicyOf<typeof webhooksData> = {
  list: may(rights.account, { shows: ['webhook'] }),
  get: may(manageWebhooks, { shows: ['webhook'] }),
  create: may(manageWebhooks, { send: { name: 'Website', url: 'https://hooks.example.org/in', eventTypes: ['gift.settled'] } }),
  update: may(manageWebhooks, { send: { eventTypes: ['gift.settled'] } }),
  pause: may(manageWebhooks),
  resume: may(manageWebhooks),
  rotate: may(manageWebhooks),
  remove: may(manageWebhooks),
  deliveries: may(manageWebhooks),
  delivery: may(manageWebhooks, { shows: ['webhook'] }),
}
export const webhooksActionsPolicy: PolicyOf<typeof webhooksActions> = {
  ping: may(manageWebhooks),
  replay: may(manageWebhooks, { send: { deadSince: '2020-01-01T00:00:00Z' } }),
}
