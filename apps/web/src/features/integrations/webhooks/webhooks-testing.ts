import { fake, uuid } from '../../../testing/fake-api.ts'
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from './webhooks-api.ts'

export const { webhooks } = fake.data.integrations
export const { webhooks: webhookActions } = fake.actions.integrations
export const secret = `whsec_${'A'.repeat(43)}=`

export const website: WebhookEndpoint = {
  id: uuid(61),
  name: 'Website',
  url: 'https://hooks.example.org/guildhall',
  eventTypes: ['event.published', 'gift.settled'],
  state: 'active',
  secrets: [{ hint: 'AAA=', expiresAt: null }],
  failingSince: null,
  lastDeliveredAt: '2026-11-20T10:00:00Z',
  waiting: 3,
  dead: 1_001,
  strip: Array.from({ length: 14 }, (_, nth) => ({
    day: `2026-11-${8 + nth}`.replace(/-(\d)$/, '-0$1'),
    delivered: nth,
    failed: nth === 13 ? 2 : 0,
  })),
  createdAt: '2026-01-01T10:00:00Z',
  version: 3,
}

export const delivered: WebhookDelivery = {
  id: uuid(62),
  eventType: 'event.published',
  state: 'delivered',
  recordId: uuid(63),
  attempts: 1,
  status: 204,
  failure: null,
  nextAttemptAt: null,
  createdAt: '2026-11-20T10:00:00Z',
  deliveredAt: '2026-11-20T10:00:01Z',
}
export const dead: WebhookDelivery = {
  ...delivered,
  ...{ id: uuid(64), eventType: 'gift.settled', state: 'dead', attempts: 8, status: 503, failure: 'status', deliveredAt: null },
}
export const detailOf = (delivery: WebhookDelivery): WebhookDeliveryDetail => ({
  ...delivery,
  body: JSON.stringify({ id: delivery.id, type: delivery.eventType, timestamp: delivery.createdAt, data: { version: 2 } }),
  headers: { 'content-type': 'application/json', 'webhook-id': delivery.id, 'webhook-timestamp': '1795687200' },
  tries: [
    { at: '2026-11-20T10:00:00Z', status: delivery.status, failure: delivery.failure, milliseconds: 120, answer: 'Busy, come back later' },
  ],
})
