import { decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { TokenError } from './token-error.ts'

const path = '/auth/backchannel-logout'
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** How old a logout token may be, and how far ahead; those that were obeyed are remembered for longer. */
const maxAge = 600
const maxAhead = 60

/** OpenID Connect Back-Channel Logout: the provider tells us who signed out there; every earlier access token of theirs is refused from then on. */
export async function addBackchannelLogout(app: FastifyInstance, services: Services, headers: Record<string, string>): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 32_768 }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    // 200 or 400 and nothing else, whatever went wrong: the provider understands no other answer.
    scope.setErrorHandler(async (error, request, reply) => {
      const code = error instanceof TokenError ? error.code : 'failed'
      services.log.warn(
        { requestId: request.id, code, ...(code === 'failed' ? { err: error } : {}) },
        'a sign-out at the provider was not obeyed',
      )
      return reply.status(400).headers(headers).send({ error: 'invalid_request', error_description: code })
    })
    scope.post(path, async (request, reply) => {
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null
      if (!token) throw new TokenError('invalid', 'no_logout_token')
      await endSessions(services, token)
      return reply.status(200).headers(headers).send()
    })
  })
}

async function endSessions({ config, database, identities, provider }: Services, token: string): Promise<void> {
  const { issuer, subject, ...logout } = await readLogoutToken(provider, config.CLIENT_ID, token)
  const statement = database.vouch({ use: 'logout', issuer, subject, idpOrg: null, ...logout })
  const obeyed = await database.withoutActor(async (db) => {
    const { rows } = await sql<{ ended: boolean }>`select app.end_sessions(${statement}) as ended`.execute(db)
    return rows[0]?.ended ?? false
  })
  if (!obeyed) throw new TokenError('invalid', 'replayed')
  identities.forgetSubject(issuer, subject)
}

async function readLogoutToken(provider: Services['provider'], clientId: string, token: string) {
  if (typeOf(token) !== 'logout+jwt') throw new TokenError('invalid', 'wrong_type')
  const claims = await provider.readSigned(token, { audience: clientId, requiredClaims: ['iat', 'jti', 'events'] })
  const { iss = '', sub, iat = 0, exp, jti, events, sid } = claims
  const now = Date.now() / 1000 + provider.clockAhead()
  if (Object.hasOwn(claims, 'nonce')) throw new TokenError('invalid', 'nonce')
  if (!isObject(events) || !isObject(events[logoutEvent])) throw new TokenError('invalid', 'no_logout_event')
  if (typeof jti !== 'string' || jti === '' || jti.length > 255) throw new TokenError('invalid', 'token_id')
  if (iat > now + maxAhead) throw new TokenError('invalid', 'issued_in_future')
  if (iat < now - maxAge || (exp !== undefined && exp < now - maxAhead)) throw new TokenError('invalid', 'expired')
  if (sub === undefined && typeof sid !== 'string') throw new TokenError('invalid', 'nobody_named')
  // Access tokens say nothing of the session they came from, so a session alone cannot be ended.
  if (typeof sub !== 'string' || sub === '') throw new TokenError('invalid', 'no_subject')
  return { issuer: iss, subject: sub, tokenId: jti, issuedAt: Math.floor(iat) }
}

function typeOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token)
      .typ?.toLowerCase()
      .replace(/^application\//, '')
  } catch {
    throw new TokenError('invalid', 'not_a_jwt')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
