import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { importJWK, jwtVerify, SignJWT } from 'jose'
import { personBySub, type DemoPerson } from './demo-people.ts'
import type { IdentityKeys } from './identity-keys.ts'
import type { Reply } from './local-server.ts'
import { profileClaims, reservedClaims, type IdentitySettings } from './identity-settings.ts'

export type Issuer = { settings: IdentitySettings; keys: IdentityKeys; people: readonly DemoPerson[] }

/** The user-info endpoint, of our own because the library's refuses access tokens that are meant for an API. */
export async function answerUserInfo(issuer: Issuer, { method, headers: asked }: IncomingMessage): Promise<Reply> {
  const origin = new URL(issuer.settings.appUrl).origin
  const headers = {
    vary: 'origin',
    'cache-control': 'no-store',
    ...(asked.origin === origin ? { 'access-control-allow-origin': origin } : {}),
  }
  if (method === 'OPTIONS') {
    const allowed = {
      'access-control-allow-headers': 'authorization',
      'access-control-allow-methods': 'GET, POST',
      'access-control-max-age': '3600',
    }
    return { status: 204, headers: { ...headers, ...allowed }, body: '' }
  }
  const sub = await subjectOf(issuer, /^Bearer (.+)$/.exec(asked.authorization ?? '')?.[1] ?? '')
  const person = personBySub(issuer.people, sub)
  if (!person) return { status: 401, headers: { ...headers, 'www-authenticate': 'Bearer error="invalid_token"' }, body: '' }
  const info = { sub, ...profileClaims(person), ...reservedClaims(issuer.settings, person) }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(info) }
}

/** An access token as a sign-in would give it, without one; claims given replace the usual ones, undefined leaves one out. */
export async function mintAccessToken({ settings, keys, people }: Issuer, sub: string, claims: Record<string, unknown>): Promise<string> {
  const { issuer, clientId, projectId, accessTokenSeconds } = settings
  const person = personBySub(people, sub)
  const now = Math.floor(Date.now() / 1000)
  const payload: Record<string, unknown> = {
    ...{ iss: issuer, sub, aud: [clientId, projectId], client_id: clientId, jti: randomUUID() },
    ...{ iat: now, nbf: now, exp: now + accessTokenSeconds },
    ...(person ? reservedClaims(settings, person) : {}),
    ...claims,
  }
  const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
  return new SignJWT(given)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keys.signing.kid })
    .sign(await importJWK(keys.signing, 'RS256'))
}

async function subjectOf({ settings: { issuer, projectId }, keys: { signing } }: Issuer, token: string): Promise<string | undefined> {
  const { kty, n, e } = signing
  try {
    const publicKey = await importJWK({ kty, n, e }, 'RS256')
    return (await jwtVerify(token, publicKey, { issuer, audience: projectId, algorithms: ['RS256'] })).payload.sub
  } catch {
    return undefined
  }
}
