import { createHash } from 'node:crypto'
import { createLocalJWKSet, createRemoteJWKSet, customFetch, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

/** What a verified access token says; nothing in it comes from the browser. */
export type VerifiedToken = {
  issuer: string
  subject: string
  /** The person's organisation at the provider, null when the provider knows none. */
  idpOrg: string | null
  roles: string[]
  issuedAt: number
  expiresAt: number
}

export type UserInfo = { name: string | null; email: string | null; emailVerified: boolean }

/** `invalid`: this token never works. `unavailable`: the provider could not be asked; the token may be fine. */
export class TokenError extends Error {
  readonly kind: 'invalid' | 'unavailable'
  readonly code: string
  constructor(kind: 'invalid' | 'unavailable', code: string) {
    super(`token ${kind}: ${code}`)
    this.kind = kind
    this.code = code
  }
}

export type Tokens = {
  verify(token: string): Promise<VerifiedToken>
  /** Name and e-mail of the token's subject, null when the provider does not say within 3 seconds. */
  userInfo(token: string): Promise<UserInfo | null>
  /** Seconds since the signing keys were last fetched, null before the first time. */
  keysAge(): number | null
}

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const clockTolerance = 30
const maxIssuedAhead = 60
const staleKeysSeconds = 24 * 3600
const maxTokenLength = 16_384
const requestTimeout = 3_000

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url(), userinfo_endpoint: z.url().optional() })

export function createTokens(config: Config, log: Log): Tokens {
  const issuer = config.ISSUER.replace(/\/$/, '')
  const seen = new LRUCache<string, VerifiedToken>({ max: 5_000 })
  const profiles = new LRUCache<string, UserInfo>({ max: 2_000, ttl: 5 * 60_000 })
  let discovery: z.infer<typeof Discovery> | undefined
  let remote: JWTVerifyGetKey | undefined
  let lastGood: { keys: JSONWebKeySet; at: number } | undefined

  async function discover() {
    if (discovery) return discovery
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(requestTimeout),
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`discovery answered ${response.status}`)
    const found = Discovery.parse(await response.json())
    if (found.issuer.replace(/\/$/, '') !== issuer) throw new Error('discovery names another issuer')
    return (discovery = found)
  }

  async function keySource(): Promise<JWTVerifyGetKey> {
    if (remote) return remote
    const { jwks_uri } = await discover()
    return (remote = createRemoteJWKSet(new URL(jwks_uri), {
      cacheMaxAge: 10 * 60_000,
      cooldownDuration: 30_000,
      timeoutDuration: 5_000,
      [customFetch]: async (url, options) => {
        const response = await fetch(url, options)
        if (response.ok) {
          // jose has read and checked the same body before it uses it; a broken one never replaces the last good set.
          const keys: unknown = await response
            .clone()
            .json()
            .catch(() => null)
          if (isKeySet(keys)) lastGood = { keys, at: Date.now() }
        }
        return response
      },
    }))
  }

  /** A provider that cannot be reached must not sign people out: keys that were good within a day keep verifying. */
  async function verifyWithKeys(token: string): Promise<JWTPayload> {
    const options = {
      issuer: discovery?.issuer ?? issuer,
      audience: config.PROJECT_RESOURCE_ID,
      algorithms,
      clockTolerance,
      requiredClaims: ['sub', 'exp', 'iat', 'jti'],
    }
    try {
      const source = await keySource()
      return (await jwtVerify(token, source, { ...options, issuer: discovery?.issuer ?? issuer })).payload
    } catch (error) {
      if (isVerdict(error)) throw new TokenError('invalid', error.code)
      log.warn({ err: error }, 'signing keys could not be fetched')
      if (!lastGood || Date.now() - lastGood.at > staleKeysSeconds * 1000) throw new TokenError('unavailable', 'no_keys')
      try {
        return (await jwtVerify(token, createLocalJWKSet(lastGood.keys), options)).payload
      } catch (stale) {
        if (stale instanceof errors.JWKSNoMatchingKey) throw new TokenError('unavailable', 'unknown_key')
        throw new TokenError('invalid', stale instanceof errors.JOSEError ? stale.code : 'unreadable')
      }
    }
  }

  return {
    async verify(token) {
      if (token.length > maxTokenLength) throw new TokenError('invalid', 'too_long')
      const digest = createHash('sha256').update(token).digest('base64')
      const known = seen.get(digest)
      const now = Date.now() / 1000
      if (known) {
        if (known.expiresAt + clockTolerance < now) throw new TokenError('invalid', 'ERR_JWT_EXPIRED')
        return known
      }
      assertShape(token)
      const payload = await verifyWithKeys(token)
      const verified = readClaims(payload, token, config, now)
      seen.set(digest, verified)
      return verified
    },
    async userInfo(token) {
      const digest = createHash('sha256').update(token).digest('base64')
      const cached = profiles.get(digest)
      if (cached) return cached
      try {
        const { userinfo_endpoint } = await discover()
        if (!userinfo_endpoint) return null
        const response = await fetch(userinfo_endpoint, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(requestTimeout),
          redirect: 'error',
        })
        if (!response.ok) throw new Error(`user info answered ${response.status}`)
        const profile = toUserInfo(await response.json())
        profiles.set(digest, profile)
        return profile
      } catch (error) {
        log.warn({ err: error }, 'user info could not be read')
        return null
      }
    },
    keysAge: () => (lastGood ? (Date.now() - lastGood.at) / 1000 : null),
  }
}

/** Only errors about this token; a failed fetch or a broken key set says nothing about it. */
function isVerdict(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  )
}

function assertShape(token: string): void {
  let header
  try {
    header = decodeProtectedHeader(token)
  } catch {
    throw new TokenError('invalid', 'not_a_jwt')
  }
  const type = header.typ?.toLowerCase()
  if (type !== undefined && !['jwt', 'at+jwt', 'application/at+jwt'].includes(type)) throw new TokenError('invalid', 'wrong_type')
}

/** An id token of the same issuer carries the project in its audience too, so it is told apart by what only id tokens carry. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 'auth_time', 'amr']

function readClaims(payload: JWTPayload, token: string, config: Config, now: number): VerifiedToken {
  const type = decodeProtectedHeader(token).typ?.toLowerCase() ?? ''
  const rfc9068 = type.endsWith('at+jwt')
  const telltale = rfc9068 ? ['nonce', 'at_hash', 'c_hash'] : idTokenClaims
  if (telltale.some((claim) => Object.hasOwn(payload, claim))) throw new TokenError('invalid', 'not_an_access_token')
  for (const claim of ['client_id', 'azp']) {
    if (Object.hasOwn(payload, claim) && payload[claim] !== config.CLIENT_ID) throw new TokenError('invalid', 'other_client')
  }
  const issuedAt = payload.iat ?? 0
  if (issuedAt > now + maxIssuedAhead) throw new TokenError('invalid', 'issued_in_future')
  const org = payload['urn:zitadel:iam:user:resourceowner:id']
  return {
    issuer: payload.iss ?? '',
    subject: payload.sub ?? '',
    idpOrg: typeof org === 'string' ? org : null,
    roles: readRoles(payload[`urn:zitadel:iam:org:project:${config.PROJECT_RESOURCE_ID}:roles`], config.ORG_ID),
    issuedAt,
    expiresAt: payload.exp ?? 0,
  }
}

/** The claim is an object keyed by role, or a list of such objects; with an organisation configured a role must be granted there. */
export function readRoles(claim: unknown, orgId: string | undefined): string[] {
  const objects: unknown[] = Array.isArray(claim) ? claim : [claim]
  const roles = new Set<string>()
  for (const object of objects) {
    if (typeof object !== 'object' || object === null) continue
    for (const [role, organisations] of Object.entries<unknown>({ ...object })) {
      const held =
        orgId === undefined || (typeof organisations === 'object' && organisations !== null && Object.hasOwn(organisations, orgId))
      if (held && /^[a-z][a-z0-9_-]{0,59}$/.test(role)) roles.add(role)
    }
  }
  return [...roles].sort().slice(0, 50)
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys) && value.keys.length > 0
}

function toUserInfo(body: unknown): UserInfo {
  const claims = z.object({ name: z.string().optional(), email: z.string().max(320).optional(), email_verified: z.unknown() }).parse(body)
  return { name: claims.name?.slice(0, 200) ?? null, email: claims.email ?? null, emailVerified: claims.email_verified === true }
}
