import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import * as z from 'zod'
import { clockDifference } from './clock-difference.ts'
import type { Config } from '../config.ts'
import type { Log } from '../observability/log.ts'
import { TokenError } from './token-error.ts'

/** The identity provider as the server sees it. Every method throws a TokenError `unavailable` when the provider cannot be asked. */
export type Provider = {
  /** What a token signed by the provider says, once signature, issuer and audience are right; times are for the caller to judge. */
  readSigned(token: string, options: { audience: string | string[]; requiredClaims: string[] }): Promise<JWTPayload>
  /** What the provider says of an access token of any kind. */
  introspect(token: string): Promise<JWTPayload>
  userInfo(token: string): Promise<Record<string, unknown>>
  /** Seconds since the signing keys were last fetched, null before the first time. */
  keysAge(): number | null
  /** Seconds by which the provider's clock is ahead of ours, 0 when unknown or beyond five minutes. */
  clockAhead(): number
}

export const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const requestTimeout = 3_000
const staleKeysMs = 24 * 3600_000
/** After a fetch of the keys that failed: how long the old ones are used without another try. */
const retryKeysMs = 30_000
/** The same while there are no keys at all. */
const retryFirstMs = 1_000

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  introspection_endpoint: z.url().optional(),
})
const Claims = z.record(z.string(), z.unknown())

export function createProvider(config: Config, log: Log): Provider {
  const issuer = config.ISSUER.replace(/\/$/, '')
  const clock = clockDifference(log)
  let discovery: Promise<z.infer<typeof Discovery>> | undefined
  let remote: { keys: JWTVerifyGetKey; fetchedAt: number } | undefined
  let lastGood: { keys: JSONWebKeySet; at: number } | undefined
  let retryAt = 0

  async function ask(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, { signal: AbortSignal.timeout(requestTimeout), redirect: 'error', ...init })
    clock.note(response.headers)
    if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
    return response
  }

  function discover() {
    return (discovery ??= readDiscovery().catch((error: unknown) => {
      discovery = undefined
      throw error
    }))
  }

  async function readDiscovery() {
    refuseSoonAgain()
    try {
      const found = Discovery.parse(await (await ask(`${issuer}/.well-known/openid-configuration`)).json())
      if (found.issuer.replace(/\/$/, '') !== issuer) throw new Error('discovery names another issuer')
      return found
    } catch (error) {
      retryAt = performance.now() + retryFirstMs
      log.warn({ err: error }, 'the identity provider could not be asked')
      throw error
    }
  }

  /** Without this, every request that comes in while the provider is down would wait for it. */
  function refuseSoonAgain(): void {
    if (performance.now() < retryAt) throw new Error('the identity provider did not answer a moment ago')
  }

  async function keySource(): Promise<JWTVerifyGetKey> {
    const { jwks_uri } = await discover()
    // jose counts by the wall clock: one that was set back would keep new keys out for as long.
    if (remote && Date.now() >= remote.fetchedAt) return remote.keys
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      cacheMaxAge: 10 * 60_000,
      cooldownDuration: 30_000,
      timeoutDuration: 5_000,
      [customFetch]: fetchKeys,
    })
    remote = { keys, fetchedAt: Date.now() }
    return keys
  }

  async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
    refuseSoonAgain()
    try {
      const response = await fetch(url, options)
      clock.note(response.headers)
      if (!response.ok) throw new Error(`the signing keys were answered with ${response.status}`)
      const keys: unknown = await response.clone().json()
      // An empty set is a fault of the provider's, not a verdict on everybody's tokens.
      if (!isKeySet(keys)) throw new Error('the signing keys are not a key set')
      lastGood = { keys, at: performance.now() }
      if (remote) remote.fetchedAt = Date.now()
      return response
    } catch (error) {
      retryAt = performance.now() + (lastGood ? retryKeysMs : retryFirstMs)
      log.warn({ err: error }, 'the signing keys could not be fetched')
      throw error
    }
  }

  return {
    async readSigned(token, { audience, requiredClaims }) {
      // The clock is judged by the caller, who knows the provider's; here it only has to be possible.
      const options: JWTVerifyOptions = { audience, algorithms, requiredClaims, clockTolerance: 600 }
      try {
        const keys = await keySource()
        return (await jwtVerify(token, keys, { ...options, issuer: (await discover()).issuer })).payload
      } catch (error) {
        if (isVerdict(error)) throw new TokenError('invalid', error.code)
      }
      // A provider that cannot be reached must not sign people out: keys that were good within a day keep verifying.
      if (!lastGood || performance.now() - lastGood.at > staleKeysMs) throw new TokenError('unavailable', 'no_keys')
      try {
        const named = (await discover()).issuer
        return (await jwtVerify(token, createLocalJWKSet(lastGood.keys), { ...options, issuer: named })).payload
      } catch (stale) {
        if (stale instanceof errors.JWKSNoMatchingKey) throw new TokenError('unavailable', 'unknown_key')
        throw new TokenError('invalid', stale instanceof errors.JOSEError ? stale.code : 'unreadable')
      }
    },

    introspect: (token) =>
      available(log, 'the token could not be introspected', async () => {
        const { introspection_endpoint } = await discover()
        if (!introspection_endpoint) throw new Error('the provider publishes no introspection endpoint')
        const response = await ask(introspection_endpoint, {
          method: 'POST',
          headers: { authorization: basic(config.INTROSPECTION_CLIENT_ID, config.INTROSPECTION_CLIENT_SECRET), accept: 'application/json' },
          body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
        })
        return Claims.parse(await response.json())
      }),

    userInfo: (token) =>
      available(log, 'user info could not be read', async () => {
        const { userinfo_endpoint } = await discover()
        if (!userinfo_endpoint) throw new Error('the provider publishes no user-info endpoint')
        return Claims.parse(await (await ask(userinfo_endpoint, { headers: { authorization: `Bearer ${token}` } })).json())
      }),

    keysAge: () => (lastGood ? (performance.now() - lastGood.at) / 1000 : null),
    clockAhead: clock.ahead,
  }
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
const basic = (id = '', secret = '') => `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

async function available<T>(log: Log, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    log.warn({ err: error }, what)
    throw new TokenError('unavailable', 'provider')
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

function isKeySet(value: unknown): value is JSONWebKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys) && value.keys.length > 0
}
