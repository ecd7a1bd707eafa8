import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { CalendarDate, Cursor, Id, Instant, Limit, Version, page, text } from '../shapes.ts'

const tag = 'Webhooks'

/** What receivers can be told. Bodies hold ids, versions, states and dates, never names, addresses or what somebody wrote. */
export const WebhookEventType = z.enum([
  'person.created',
  'person.updated',
  'person.archived',
  'person.erased',
  'affiliation.started',
  'affiliation.ended',
  'membership.applied',
  'membership.activated',
  'membership.renewed',
  'membership.lapsed',
  'membership.cancelled',
  'event.published',
  'event.updated',
  'event.cancelled',
  'registration.created',
  'registration.cancelled',
  'registration.checked_in',
  'gift.settled',
  'gift.refunded',
  'message.sent',
  'chapter.created',
  'chapter.updated',
  'chapter.closed',
  'group.created',
  'group.updated',
  'group.archived',
  'ping',
])
export type WebhookEventType = z.infer<typeof WebhookEventType>

/** The body of every delivery, for those who write receivers. */
export const WebhookBody = z.object({
  id: Id.describe('The same as the header webhook-id'),
  type: WebhookEventType,
  timestamp: Instant.describe('When it happened; the header webhook-timestamp says when it was sent'),
  data: z
    .looseObject({ version: z.int().optional().describe('Of the record after the event: the higher one is newer') })
    .describe('Ids, version, state and dates of the record'),
})
export type WebhookBody = z.infer<typeof WebhookBody>

const Subscribed = z
  .array(WebhookEventType.exclude(['ping']))
  .min(1, 'Choose at least one event.')
  .max(40)

const fields = {
  name: text(100, 1),
  url: z.string().trim().max(2_000).describe('An https address that everybody can reach'),
  eventTypes: Subscribed,
}
export const WebhookEndpoint = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  eventTypes: z.array(WebhookEventType),
  state: z.enum(['active', 'paused', 'failing']).describe('failing: paused by itself after three days without a success'),
  secrets: z
    .array(z.object({ hint: z.string().describe('Last four characters'), expiresAt: Instant.nullable() }))
    .describe('The one in use, and the one before it while it still signs'),
  failingSince: Instant.nullable(),
  lastDeliveredAt: Instant.nullable(),
  waiting: z.int().describe('Deliveries that wait for their next try; 1,001 stands for more'),
  dead: z.int().describe('Deliveries given up and not replayed; 1,001 stands for more'),
  strip: z
    .array(z.object({ day: CalendarDate, delivered: z.int(), failed: z.int() }))
    .describe('Tries of the last 14 days, oldest first; test events are not counted'),
  createdAt: Instant,
  version: Version,
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>
const OneEndpoint = z.strictObject({ endpointId: Id })
export const NewWebhookEndpoint = z
  .strictObject(fields)
  .meta({ examples: [{ name: 'Website', url: 'https://hooks.example.org/guildhall', eventTypes: ['event.published'] }] })
/** The signing secret, which nobody can read again. */
export const MadeWebhookEndpoint = z.object({ endpoint: WebhookEndpoint, secret: z.string().describe('whsec_ and 32 bytes in Base64') })
export type MadeWebhookEndpoint = z.infer<typeof MadeWebhookEndpoint>

export const WebhookFailure = z
  .enum([
    'status',
    'unreachable',
    'too_slow',
    'too_large',
    'redirected',
    'unknown_encoding',
    'not_an_address',
    'not_https',
    'credentials_in_address',
    'port_refused',
    'address_refused',
    'no_secret',
    'interrupted',
    'paused',
    'restored',
  ])
  .describe('status: the answer was not 2xx; paused: waited three days for a paused webhook; restored: from before a backup was restored')
export type WebhookFailure = z.infer<typeof WebhookFailure>
export const WebhookDeliveryState = z
  .enum(['waiting', 'delivered', 'dead'])
  .describe('dead: given up after the eighth try, or after three days of waiting for a paused webhook')
export const WebhookDelivery = z.object({
  id: Id.describe('Sent as webhook-id; the same for each try'),
  eventType: WebhookEventType,
  state: WebhookDeliveryState,
  recordId: Id.nullable().describe('Null for a test event'),
  attempts: z.int(),
  status: z.int().nullable().describe('Of the last answer'),
  failure: WebhookFailure.nullable().describe('Why the last try failed'),
  nextAttemptAt: Instant.nullable(),
  createdAt: Instant,
  deliveredAt: Instant.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
export const WebhookAttempt = z.object({
  at: Instant,
  status: z.int().nullable(),
  failure: WebhookFailure.nullable(),
  milliseconds: z.int(),
  answer: z.string().describe('First 1,000 characters of the answer, as text'),
})
export const WebhookDeliveryDetail = WebhookDelivery.extend({
  body: z.string().describe('As it is sent'),
  headers: z.record(z.string(), z.string()).describe('As sent last, without the signature'),
  tries: z.array(WebhookAttempt).describe('Newest first, at most 20'),
})
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

export const webhooksData = {
  list: get('/webhook-endpoints', 'listWebhookEndpoints', {
    needs: 'integrations.manage',
    tag,
    summary: 'Webhooks of the organisation; at most 50',
  })
    .input(z.strictObject({}))
    .output(z.object({ items: z.array(WebhookEndpoint) })),
  get: get('/webhook-endpoints/{endpointId}', 'getWebhookEndpoint', { needs: 'integrations.manage', tag, summary: 'One webhook' })
    .input(OneEndpoint)
    .output(WebhookEndpoint),
  create: post('/webhook-endpoints', 'createWebhookEndpoint', {
    needs: 'integrations.manage',
    recentSignIn: true,
    idempotent: false,
    perHour: 30,
    tag,
    summary: 'Add a webhook; its signing secret is shown in this answer only',
  })
    .input(NewWebhookEndpoint)
    .output(MadeWebhookEndpoint),
  update: patch('/webhook-endpoints/{endpointId}', 'updateWebhookEndpoint', {
    needs: 'integrations.manage',
    recentSignIn: true,
    tag,
    summary: 'Change name, address or events of a webhook',
  })
    .input(OneEndpoint.extend(z.strictObject(fields).partial().shape).meta({ examples: [{ eventTypes: ['gift.settled'] }] }))
    .output(WebhookEndpoint),
  pause: act('/webhook-endpoints/{endpointId}/pause', 'pauseWebhookEndpoint', {
    needs: 'integrations.manage',
    tag,
    summary: 'Pause a webhook: events wait for it, for three days',
  })
    .input(OneEndpoint)
    .output(WebhookEndpoint),
  resume: act('/webhook-endpoints/{endpointId}/resume', 'resumeWebhookEndpoint', {
    needs: 'integrations.manage',
    tag,
    summary: 'Resume a webhook that was paused or that failed',
  })
    .input(OneEndpoint)
    .output(WebhookEndpoint),
  rotate: act('/webhook-endpoints/{endpointId}/secret', 'rotateWebhookSecret', {
    needs: 'integrations.manage',
    recentSignIn: true,
    idempotent: false,
    perHour: 30,
    tag,
    summary: 'A new signing secret; the one before it signs as well for a day, and older ones no more',
  })
    .input(OneEndpoint)
    .output(MadeWebhookEndpoint),
  remove: del('/webhook-endpoints/{endpointId}', 'removeWebhookEndpoint', {
    needs: 'integrations.manage',
    ifMatch: true,
    tag,
    summary: 'Remove a webhook with its deliveries',
  })
    .input(OneEndpoint)
    .output(z.void()),
  deliveries: get('/webhook-endpoints/{endpointId}/deliveries', 'listWebhookDeliveries', {
    needs: 'integrations.manage',
    tag,
    summary: 'Deliveries of a webhook, the newest first; kept for 30 days',
  })
    .input(
      OneEndpoint.extend({
        state: WebhookDeliveryState.optional(),
        eventType: WebhookEventType.optional(),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(WebhookDelivery)),
  delivery: get('/webhook-endpoints/{endpointId}/deliveries/{deliveryId}', 'getWebhookDelivery', {
    needs: 'integrations.manage',
    tag,
    summary: 'One delivery with its tries',
  })
    .input(OneEndpoint.extend({ deliveryId: Id }))
    .output(WebhookDeliveryDetail),
}

export const webhooksActions = {
  ping: post('/webhook-endpoints/{endpointId}/ping', 'pingWebhookEndpoint', {
    needs: 'integrations.manage',
    perHour: 120,
    tag,
    summary: 'Send a test event; it appears among the deliveries',
  })
    .input(OneEndpoint)
    .output(WebhookDelivery),
  replay: post('/webhook-endpoints/{endpointId}/replay', 'replayWebhookDeliveries', {
    needs: 'integrations.manage',
    status: 200,
    perHour: 60,
    tag,
    summary:
      'Send deliveries again: the ones named, or all that were given up since a moment (the oldest 50,000 of them); each keeps its id',
  })
    .input(
      OneEndpoint.extend({ deliveryIds: z.array(Id).min(1).max(500).optional(), deadSince: Instant.optional() })
        .refine(({ deliveryIds, deadSince }) => (deliveryIds === undefined) !== (deadSince === undefined), 'Name deliveries, or a moment.')
        .meta({ examples: [{ deadSince: '2026-11-20T00:00:00Z' }] }),
    )
    .output(z.object({ replayed: z.int() })),
}
