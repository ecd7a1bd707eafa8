import { createHash } from 'node:crypto'

/**
 * Who asks: an account of an organisation with the organisation-wide roles that the identity provider vouched for. Where it acts for a person, it is that
 * person to the database, which refuses those who may not, and nothing of its own counts.
 */
export type Actor = { orgId: string; accountId: string; idpRoles: readonly string[]; actingFor?: string }

/**
 * What the services say of a verified token, each for one use: whose account it is, that the person signed in, asks for access,
 * or was signed out at the provider; or of an API key, by its hash, that they were sent it.
 */
export type TokenStatement =
  | ({ issuer: string; subject: string; idpOrg: string | null } & (
      | { use: 'find' }
      | ({ use: 'login'; roles: readonly string[]; signUp: 'invite' | 'open'; signUpRole: string } & Profile)
      | ({ use: 'request' } & Profile)
      | { use: 'logout'; tokenId: string; issuedAt: number }
    ))
  | { use: 'key'; hash: string; idpOrg: string | null }
type Profile = { name: string | null; email: string | null; emailVerified: boolean | null }

/** The database compares with its own clock: a minute to be used in, and five by which the clocks of two machines may differ. */
const lifetimeSeconds = 60 + 300
const block = 64

/** The two padded key blocks of HMAC-SHA256 (RFC 2104); the database keeps these, the services the key. */
export function actorKeyPads(actorKey: string): { inner: Buffer; outer: Buffer } {
  if (!/^[0-9a-f]{64}$/i.test(actorKey)) throw new Error('The actor key must be 64 hexadecimal characters.')
  const key = Buffer.alloc(block)
  Buffer.from(actorKey, 'hex').copy(key)
  return { inner: Buffer.from(key.map((byte) => byte ^ 0x36)), outer: Buffer.from(key.map((byte) => byte ^ 0x5c)) }
}

export type Signer = {
  /** The value of the setting `app.actor`: `org|account|roles|expiry|signature`, with the person acted for before the signature. */
  actor(actor: Actor): string
  /** The argument of the functions that work before there is an actor: the signature, then the statement as JSON. */
  token(statement: TokenStatement): string
}

/** Makes the signer of one process. What it signs is good for some minutes; functions of the database refuse anything else. */
export function createSigner(actorKey: string): Signer {
  const { inner, outer } = actorKeyPads(actorKey)
  const innerStart = createHash('sha256').update(inner)
  const outerStart = createHash('sha256').update(outer)
  const sign = (payload: string) => {
    const digest = innerStart.copy().update(payload).digest()
    return outerStart.copy().update(digest).digest('hex')
  }
  const expiry = () => Math.floor(Date.now() / 1000) + lifetimeSeconds
  return {
    actor({ orgId, accountId, idpRoles, actingFor }) {
      const roles = idpRoles.filter((role) => /^[a-z0-9_-]{1,60}$/i.test(role)).join(',')
      // An empty one would be somebody who acts for nobody, which is not the same as acting for oneself.
      const payload = [orgId, accountId, roles, expiry(), ...(actingFor === undefined ? [] : [actingFor])].join('|')
      return `${payload}|${sign(payload)}`
    },
    token(statement) {
      const payload = JSON.stringify({ ...statement, expiry: expiry() })
      return `${sign(payload)}${payload}`
    },
  }
}
