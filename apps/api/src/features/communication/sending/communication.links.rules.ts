import { createHmac, timingSafeEqual } from 'node:crypto'

// Addresses in messages that count: who follows a link, who opens. Each names its delivery and link, and is signed, so that none can be made up and
// nothing is stored for it. Where a link leads stands in the database: an address never says so itself.

export type LinkToken = { orgId: string; deliveryId: string; link: number }

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const macBytes = 16
const macOf = (secret: string, payload: Buffer) =>
  createHmac('sha256', secret).update('message link').update(payload).digest().subarray(0, macBytes)

/** `link` is 0 for the picture that tells of opening. */
export function linkToken(secret: string, { orgId, deliveryId, link }: LinkToken): string {
  const payload = Buffer.concat([bytesOf(orgId), bytesOf(deliveryId), Buffer.from([link >> 8, link & 255])])
  return Buffer.concat([payload, macOf(secret, payload)]).toString('base64url')
}

/** What a token names; undefined for one that is not ours. */
export function readLinkToken(secret: string, token: string): LinkToken | undefined {
  if (!/^[\w-]{67}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const payload = bytes.subarray(0, 34)
  const mac = bytes.subarray(34)
  if (mac.length !== macBytes || !timingSafeEqual(mac, macOf(secret, payload))) return undefined
  return { orgId: idOf(payload.subarray(0, 16)), deliveryId: idOf(payload.subarray(16, 32)), link: payload.readUInt16BE(32) }
}

/** Programs that follow links of mails to look for harm: what says so itself, and what asks without wanting an answer. */
export const isProgram = (method: string, agent: string | undefined, purpose: string | undefined): boolean =>
  method !== 'GET' || purpose !== undefined || agent === undefined || /bot|crawl|spider|preview|scan|curl|wget|python|java\//i.test(agent)
