import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { CryptoKey, JWK } from 'jose'

export const project = 'guildhall-test'
export const client = 'guildhall-web'
export const orgClaim = 'urn:zitadel:iam:user:resourceowner:id'
export const rolesClaim = `urn:zitadel:iam:org:project:${project}:roles`
export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

type Claims = Record<string, unknown>
export type SigningKey = { kid: string; privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK }

/** An identity provider that does whatever a test wants of it; honest until told otherwise. */
export type HostileProvider = {
  issuer: string
  key: SigningKey
  /** Keys it publishes. */
  published: JWK[]
  fetches: { discovery: number; keys: number; userInfo: number; introspection: number }
  /** How it fails, if it does. */
  fault: 'none' | 'refuses' | 'html' | 'empty' | 'broken'
  /** Seconds by which its clock is ahead. */
  ahead: number
  discovery: Claims
  /** Headers of every answer. */
  headers: Record<string, string>
  userInfo: (bearer: string) => { status?: number; body: unknown }
  introspect: (token: string, authorization: string) => { status?: number; body: unknown }
  /** An honest access token; claims given replace the usual ones, undefined leaves one out. */
  accessToken(claims: Claims, header?: Record<string, unknown>, key?: CryptoKey): Promise<string>
  logoutToken(claims: Claims, header?: Record<string, unknown>, key?: CryptoKey): Promise<string>
  stop(): Promise<void>
}

export async function newKey(kid: string = randomUUID()): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

export async function hostileProvider(): Promise<HostileProvider> {
  const key = await newKey('key-1')
  const server = createServer((request, response) => void answer(provider, request, response))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  const issuer = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const seconds = () => Math.floor(Date.now() / 1000) + provider.ahead

  const provider: HostileProvider = {
    issuer,
    key,
    published: [key.jwk],
    fetches: { discovery: 0, keys: 0, userInfo: 0, introspection: 0 },
    fault: 'none',
    ahead: 0,
    headers: {},
    discovery: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      introspection_endpoint: `${issuer}/introspect`,
      end_session_endpoint: `${issuer}/end_session`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      backchannel_logout_supported: true,
    },
    userInfo: () => ({ status: 401, body: {} }),
    introspect: () => ({ body: { active: false } }),
    accessToken: (claims, header = {}, signing = provider.key.privateKey) =>
      sign(
        {
          ...{ iss: issuer, aud: [client, project], client_id: client, jti: randomUUID() },
          ...{ iat: seconds(), nbf: seconds(), exp: seconds() + 600 },
          ...claims,
        },
        { typ: 'JWT', kid: provider.key.kid, ...header },
        signing,
      ),
    logoutToken: (claims, header = {}, signing = provider.key.privateKey) =>
      sign(
        {
          ...{ iss: issuer, aud: client, jti: randomUUID(), iat: seconds(), exp: seconds() + 120, events: { [logoutEvent]: {} } },
          ...claims,
        },
        { typ: 'logout+jwt', kid: provider.key.kid, ...header },
        signing,
      ),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return provider
}

/** Without what is undefined. */
const given = (all: Record<string, unknown>) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

function sign(claims: Claims, header: Record<string, unknown>, key: CryptoKey): Promise<string> {
  return new SignJWT(given(claims)).setProtectedHeader({ alg: 'RS256', ...given(header) }).sign(key)
}

const endpoints = new Map<string, keyof HostileProvider['fetches']>([
  ['/.well-known/openid-configuration', 'discovery'],
  ['/keys', 'keys'],
  ['/userinfo', 'userInfo'],
  ['/introspect', 'introspection'],
])

async function answer(provider: HostileProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { issuer, fault, fetches } = provider
  const path = new URL(request.url ?? '/', issuer).pathname
  const headers = { date: new Date(Date.now() + provider.ahead * 1000).toUTCString(), ...provider.headers }
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body))
  const counted = endpoints.get(path)
  if (counted) fetches[counted]++
  const bearer = (request.headers.authorization ?? '').replace('Bearer ', '')
  if (fault === 'refuses') return void response.destroy()
  if (fault === 'html') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  if (fault === 'broken') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys": [')
  if (fault === 'empty') return void send({ ...provider.discovery, keys: [] })
  switch (counted) {
    case 'discovery':
      return void send(provider.discovery)
    case 'keys':
      return void send({ keys: provider.published })
    case 'userInfo': {
      const { status, body } = provider.userInfo(bearer)
      return void send(body, status)
    }
    case 'introspection': {
      let form = ''
      for await (const part of request) form += String(part)
      const { status, body } = provider.introspect(new URLSearchParams(form).get('token') ?? '', request.headers.authorization ?? '')
      return void send(body, status)
    }
    default:
      return void answerClient(path, request, send)
  }
}

/** Knows one client, its three redirect addresses and no code. */
async function answerClient(path: string, request: IncomingMessage, send: (body: unknown, status?: number) => unknown): Promise<void> {
  if (path === '/authorize') {
    const asked = new URL(request.url ?? '', 'http://localhost').searchParams
    const isKnown = /\/auth\/signin(win|pop|silent)\/zitadel$/.test(asked.get('redirect_uri') ?? '') && asked.get('client_id') === client
    return void send({}, isKnown ? 302 : 400)
  }
  if (path !== '/token') return void send({}, path === '/revoke' ? 200 : 404)
  let form = ''
  for await (const part of request) form += String(part)
  const isKnown = new URLSearchParams(form).get('client_id') === client
  send({ error: isKnown ? 'invalid_grant' : 'invalid_client' }, isKnown ? 400 : 401)
}
