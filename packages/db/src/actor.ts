import { createHash } from 'node:crypto'

/** Who asks: an account of an organisation with the organisation-wide roles that the identity provider vouched for. */
export type Actor = { orgId: string; accountId: string; idpRoles: readonly string[] }

const lifetimeSeconds = 60
const block = 64

/** The two padded key blocks of HMAC-SHA256 (RFC 2104); the database keeps these, the services the key. */
export function actorKeyPads(actorKey: string): { inner: Buffer; outer: Buffer } {
  if (!/^[0-9a-f]{64}$/i.test(actorKey)) throw new Error('The actor key must be 64 hexadecimal characters.')
  const key = Buffer.alloc(block)
  Buffer.from(actorKey, 'hex').copy(key)
  return { inner: Buffer.from(key.map((byte) => byte ^ 0x36)), outer: Buffer.from(key.map((byte) => byte ^ 0x5c)) }
}

/**
 * Makes the signer of one process. What it returns is the value of the setting `app.actor`: `org|account|roles|expiry|signature`,
 * good for one minute; functions of the database refuse any other.
 */
export function actorSigner(actorKey: string): (actor: Actor) => string {
  const { inner, outer } = actorKeyPads(actorKey)
  const innerStart = createHash('sha256').update(inner)
  const outerStart = createHash('sha256').update(outer)
  return (actor) => {
    const roles = actor.idpRoles.filter((role) => /^[a-z0-9_-]{1,60}$/i.test(role)).join(',')
    const expiry = Math.floor(Date.now() / 1000) + lifetimeSeconds
    const payload = `${actor.orgId}|${actor.accountId}|${roles}|${expiry}`
    const digest = innerStart.copy().update(payload).digest()
    return `${payload}|${outerStart.copy().update(digest).digest('hex')}`
  }
}
