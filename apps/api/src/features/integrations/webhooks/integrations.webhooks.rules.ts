import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookFailure } from '@guildhall/contract/features/integrations.webhooks'

// Standard Webhooks (https://www.standardwebhooks.com): what is signed is id.timestamp.body.

const prefix = 'whsec_'

/** A new secret with what of it is shown later. */
export function newSecret(): { secret: string; hint: string } {
  const secret = prefix + randomBytes(32).toString('base64')
  return { secret, hint: secret.slice(-4) }
}

/** Where the secret of an endpoint is kept. */
export const webhookSecretPlace = (endpointId: string): string => `webhook ${endpointId}`

export type Told = { id: string; type: string; occurredAt: string; data: unknown }

/** The same for each try, byte by byte. */
export const bodyOf = ({ id, type, occurredAt, data }: Told): string =>
  JSON.stringify({ id, type, timestamp: new Date(occurredAt).toISOString(), data })

/** All but the signature. */
export const headersOf = (id: string, sentAt: Date): Record<string, string> => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(secondsOf(sentAt)),
})

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)

/** One signature for each secret, so that a receiver that knows the old or the new one is content. */
export function signatureOf(secrets: readonly string[], { id, sentAt, body }: { id: string; sentAt: Date; body: string }): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      const signed = createHmac('sha256', key)
        .update(`${id}.${secondsOf(sentAt)}.${body}`)
        .digest('base64')
      return `v1,${signed}`
    })
    .join(' ')
}

const shownOfAnswer = 1_000
/** Bytes: a character has four at most. */
export const readOfAnswer = shownOfAnswer * 4
// eslint-disable-next-line no-control-regex -- what the database cannot hold, or nobody can read
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** The beginning of an answer as text, whatever came. */
export const answerShown = (body: Buffer): string =>
  Array.from(body.subarray(0, readOfAnswer).toString('utf8').toWellFormed().replace(unreadable, '�')).slice(0, shownOfAnswer).join('')

export const failureOfStatus = (status: number): WebhookFailure | null => (status >= 200 && status < 300 ? null : 'status')
