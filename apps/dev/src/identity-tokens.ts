import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { importJWK, jwtVerify, SignJWT } from 'jose'
import type { DemoPerson } from './demo-people.ts'
import type { IdentityKeys } from './identity-keys.ts'
import { profileClaims, reservedClaims, type IdentitySettings } from './identity-settings.ts'

export type Issuer = { settings: IdentitySettings; keys: IdentityKeys; people: readonly DemoPerson[] }

/** The user-info endpoint, of our own because the library's refuses access tokens that are meant for an API. */
export async function answerUserInfo(issuer: Issuer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const origin = new URL(issuer.settings.appUrl).origin
  if (request.headers.origin === origin) response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader('cache-control', 'no-store')
  if (request.method === 'OPTIONS') {
    const preflight = {
      'access-control-allow-headers': 'authorization',
      'access-control-allow-methods': 'GET, POST',
      'access-control-max-age': '3600',
    }
    return void response.writeHead(204, preflight).end()
  }
  const sub = await subjectOf(issuer, /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  const person = issuer.people.find((one) => one.sub === sub)
  if (!person) return void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ sub, ...profileClaims(person), ...reservedClaims(issuer.settings, person) }))
}

/** An access token as a sign-in would give it, without one; claims given replace the usual ones, undefined leaves one out. */
export async function mintAccessToken({ settings, keys, people }: Issuer, sub: string, claims: Record<string, unknown>): Promise<string> {
  const { issuer, clientId, projectId, accessTokenSeconds } = settings
  const person = people.find((one) => one.sub === sub)
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
