import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import type { JWTPayload } from 'jose'

type Claims = JWTPayload & Record<string, unknown>
type Answer = Record<string, unknown>

/** What the provider does wrong, per test; each part of an honest answer can be replaced. */
export type Mutations = {
  claims?: (honest: Claims) => Claims
  token?: (honest: Answer) => Answer
  discovery?: (honest: Answer) => Answer
  userInfo?: (honest: Answer) => { status: number; body: Answer }
  tokenStatus?: number
  signing?: 'other key' | 'unknown kid' | 'none' | 'public key as secret' | 'altered payload'
  hang?: boolean
  /** The connection to this path breaks, or a proxy's page comes in place of its answer. */
  dead?: string
  html?: string
  /** A code works once only. */
  codes?: 'once'
  /** A refresh token works once; a second use ends the sign-in. */
  rotation?: 'strict'
}

const [first, second, other] = await Promise.all([
  generateKeyPair('RS256', { extractable: true }),
  generateKeyPair('RS256', { extractable: true }),
  generateKeyPair('RS256'),
])

/** An identity provider that answers whatever a test wants it to; honest until told otherwise. */
export async function hostileProvider() {
  const ours = { ...first }
  let published = [{ ...(await exportJWK(ours.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }]
  const state: { mutate: Mutations; nonce: string; tokenCalls: number; keyCalls: number } = {
    mutate: {},
    nonce: '',
    tokenCalls: 0,
    keyCalls: 0,
  }
  const spent = new Set<string>()
  let ended = false
  const signedInAt = Math.floor(Date.now() / 1000)
  const spki = new TextEncoder().encode(await exportSPKI(ours.publicKey))

  async function idToken() {
    const now = Math.floor(Date.now() / 1000)
    const honest: Claims = {
      iss: issuer,
      sub: 'owner',
      aud: 'web',
      azp: 'web',
      iat: now,
      exp: now + 600,
      auth_time: signedInAt,
      nonce: state.nonce,
      'urn:zitadel:iam:org:project:p:roles': { member: { o: 'x' } },
    }
    const claims = Object.fromEntries(Object.entries(state.mutate.claims?.(honest) ?? honest).filter(([, value]) => value !== undefined))
    const jwt = new SignJWT(claims)
    switch (state.mutate.signing) {
      case 'none':
        return new UnsecuredJWT(claims).encode()
      case 'public key as secret':
        return jwt.setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(spki)
      case 'other key':
        return jwt.setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(other.privateKey)
      case 'unknown kid':
        return jwt.setProtectedHeader({ alg: 'RS256', kid: 'nobody' }).sign(other.privateKey)
      default: {
        const signed = await jwt.setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(ours.privateKey)
        if (state.mutate.signing !== 'altered payload') return signed
        const [header, , signature] = signed.split('.')
        return [header, Buffer.from(JSON.stringify({ ...claims, email: 'somebody@else.example' })).toString('base64url'), signature].join(
          '.',
        )
      }
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const send = (body: Answer, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { pathname } = new URL(request.url ?? '/', issuer)
    if (state.mutate.dead === pathname) return void request.socket.destroy()
    if (state.mutate.html === pathname) return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    switch (pathname) {
      case '/.well-known/openid-configuration': {
        const honest = {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/userinfo`,
          end_session_endpoint: `${issuer}/end`,
        }
        return send(state.mutate.discovery?.(honest) ?? honest)
      }
      case '/keys':
        state.keyCalls++
        return send({ keys: published })
      case '/token': {
        state.tokenCalls++
        if (state.mutate.hang) return
        if (isSpent(new URLSearchParams(await text(request)))) return send({ error: 'invalid_grant' }, 400)
        if (state.mutate.tokenStatus) return send({ error: 'invalid_grant' }, state.mutate.tokenStatus)
        const honest = {
          access_token: `at-${state.tokenCalls}`,
          refresh_token: `rt-${state.tokenCalls}`,
          token_type: 'Bearer',
          expires_in: 600,
          scope: 'openid profile email',
          id_token: await idToken(),
        }
        return send(state.mutate.token?.(honest) ?? honest)
      }
      case '/userinfo': {
        const { status, body } = state.mutate.userInfo?.({ sub: 'owner', name: 'Olive Owner' }) ?? {
          status: 200,
          body: { sub: 'owner', name: 'Olive Owner' },
        }
        return send(body, status)
      }
      default:
        return send({}, 404)
    }
  }

  function isSpent(asked: URLSearchParams): boolean {
    const { codes, rotation } = state.mutate
    const token = (codes && asked.get('code')) ?? (rotation && asked.get('refresh_token'))
    if (!token) return false
    const known = spent.has(token)
    spent.add(token)
    if (known && rotation) ended = true
    return known || (rotation !== undefined && ended)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  return {
    issuer,
    state,
    /** The provider changes its keys, as it does every few months. */
    async rotate() {
      Object.assign(ours, second)
      published = [{ ...(await exportJWK(second.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }]
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
