import { verify } from 'node:crypto'
import * as z from 'zod'
import type { Config } from '../../config.ts'
import { referenceIn } from '../mail-reference.ts'
import { hashOfBody } from './feedback.ts'
import type { Feedback, FeedbackKind } from './feedback.ts'
import { publicKeyOf } from './sendgrid-key.ts'

/** SendGrid tries again for a day. */
const windowMs = 25 * 3_600_000

const Event = z.object({
  event: z.string(),
  sg_event_id: z.string().min(1).max(200).optional(),
  timestamp: z.number().optional(),
  'smtp-id': z.string().optional(),
  /** Of our own header, which SendGrid hands back with every event. */
  guildhall: z.string().optional(),
  type: z.string().optional(),
  reason: z.string().optional(),
  response: z.string().optional(),
  status: z.string().optional(),
})
/** One event that we do not understand keeps none of the others back. */
const Events = z.array(z.unknown()).max(10_000)

/** Whether SendGrid sent this: the signature covers the time and the very bytes. */
export function isFromSendgrid(
  { SENDGRID_PUBLIC_KEY: key }: Pick<Config, 'SENDGRID_PUBLIC_KEY'>,
  body: Buffer,
  signature: string,
  timestamp: string,
  now = Date.now(),
): boolean {
  if (key === undefined || !/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1_000) > windowMs) return false
  try {
    return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), publicKeyOf(key), Buffer.from(signature, 'base64'))
  } catch {
    // A signature that is none.
    return false
  }
}

export function readSendgrid(content: unknown): Feedback[] {
  const parsed = Events.safeParse(content)
  return (parsed.success ? parsed.data : []).flatMap((one) => {
    const event = Event.safeParse(one).data
    const mail = event && referenceIn(event.guildhall ?? event['smtp-id'] ?? '')
    const kind = event && kindOf(event)
    if (!event || !mail || !kind) return []
    return [
      {
        mail,
        kind,
        at: event.timestamp === undefined ? null : new Date(event.timestamp * 1_000),
        detail: kind === 'delivered' || kind === 'complaint' ? '' : (event.reason ?? event.response ?? ''),
        eventId: event.sg_event_id ?? hashOfBody(JSON.stringify(one)),
      },
    ]
  })
}

function kindOf({ event, type, reason = '' }: z.infer<typeof Event>): FeedbackKind | null {
  switch (event) {
    case 'delivered':
      return 'delivered'
    case 'spamreport':
      return 'complaint'
    case 'bounce':
      // "blocked" is about the sender or the moment, not about the address.
      return type === 'blocked' ? 'soft_bounce' : 'hard_bounce'
    case 'dropped':
      if (/bounced address|invalid/i.test(reason)) return 'hard_bounce'
      return /spam report/i.test(reason) ? 'complaint' : null
    default:
      return null
  }
}
