import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Services } from '../../services.ts'
import { referenceIn } from '../mail-reference.ts'
import { hashOfBody } from './feedback.ts'
import type { Feedback, FeedbackKind } from './feedback.ts'

/** Mailgun tries again for eight hours, and asks not to be strict with the time. */
const windowMs = 12 * 3_600_000

const Signed = z.object({
  signature: z.object({ timestamp: z.string().max(20), token: z.string().min(1).max(200), signature: z.string().max(200) }),
})
const Event = z.object({
  'event-data': z.object({
    id: z.string().min(1).max(200),
    event: z.string(),
    severity: z.string().optional(),
    reason: z.string().optional(),
    timestamp: z.number().optional(),
    'delivery-status': z.object({ message: z.string().nullish(), description: z.string().nullish() }).optional(),
    message: z.object({ headers: z.object({ 'message-id': z.string().optional() }) }).optional(),
  }),
})

/**
 * Whether Mailgun sent this. The signature covers timestamp and token only, so that each token is good for one body: whoever reads one request may repeat
 * it, which changes nothing, and can sign no other with it.
 */
export async function isFromMailgun(
  { config, database }: Pick<Services, 'config' | 'database'>,
  body: Buffer,
  content: unknown,
  now = Date.now(),
): Promise<boolean> {
  const key = config.MAILGUN_SIGNING_KEY
  const parsed = Signed.safeParse(content)
  if (key === undefined || !parsed.success) return false
  const { timestamp, token, signature } = parsed.data.signature
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  const given = Buffer.from(signature, 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  if (!(Math.abs(now - Number(timestamp) * 1_000) <= windowMs)) return false
  const { rows } = await database.withoutActor((db) =>
    sql<{ ours: boolean }>`select app.take_webhook_token(${token}, ${hashOfBody(body)}) as ours`.execute(db),
  )
  return rows[0]?.ours ?? false
}

/** What Mailgun reports; nothing for events that say nothing of a delivery. */
export function readMailgun(content: unknown): Feedback[] {
  const parsed = Event.safeParse(content)
  if (!parsed.success) return []
  const event = parsed.data['event-data']
  const mail = referenceIn(event.message?.headers['message-id'] ?? '')
  const kind = kindOf(event)
  if (!mail || !kind) return []
  const status = event['delivery-status']
  return [
    {
      mail,
      kind,
      at: event.timestamp === undefined ? null : new Date(event.timestamp * 1_000),
      detail: kind === 'delivered' || kind === 'complaint' ? '' : status?.message || status?.description || event.reason || '',
      eventId: event.id,
    },
  ]
}

function kindOf({ event, severity, reason }: z.infer<typeof Event>['event-data']): FeedbackKind | null {
  if (event === 'delivered') return 'delivered'
  if (event === 'complained') return 'complaint'
  // What fails for now is tried again by Mailgun, which tells how that ends. What it suppresses itself says nothing new of the address.
  if (event !== 'failed' || severity !== 'permanent') return null
  if (reason?.startsWith('suppress'))
    return reason === 'suppress-complaint' ? 'complaint' : reason === 'suppress-bounce' ? 'hard_bounce' : null
  return reason === 'bounce' ? 'hard_bounce' : 'soft_bounce'
}
