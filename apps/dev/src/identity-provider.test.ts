import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { openBrowser } from './cookie-browser-testing.ts'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.ts'
import { freePort } from './ports.ts'

const Tokens = z.looseObject({
  access_token: z.string(),
  id_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  scope: z.string(),
  token_type: z.string(),
})
const Discovery = z.record(z.string(), z.unknown())

const scope = [
  'openid profile email offline_access',
  'urn:zitadel:iam:org:project:id:guildhall:aud urn:zitadel:iam:org:projects:roles',
  'urn:zitadel:iam:org:id:demo urn:zitadel:iam:user:metadata',
].join(' ')
/** The library leaves out offline_access; the refresh token comes all the same. */
const grantedScope = scope.replace(' offline_access', '')
const rolesClaim = 'urn:zitadel:iam:org:project:guildhall:roles'

let provider: IdentityProvider
let dataDir: string
let appUrl: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
  appUrl = `http://localhost:${await freePort()}`
  provider = await startIdentityProvider({ port: 0, appUrl, dataDir })
})

afterAll(async () => {
  await provider.stop()
  rmSync(dataDir, { recursive: true })
})

const authorizeUrl = (changes: Record<string, string> = {}) => {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${provider.issuer}/oauth/v2/authorize`)
  url.search = new URLSearchParams({
    client_id: 'guildhall-web',
    response_type: 'code',
    redirect_uri: `${appUrl}/auth/signinwin/zitadel`,
    scope,
    state: 'some-state',
    nonce: 'some-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }).toString()
  return { url, verifier }
}

const post = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })

const ask = (fields: Record<string, string>) =>
  fetch(`${provider.issuer}/oauth/v2/token`, { ...post({ client_id: 'guildhall-web', ...fields }), headers: { origin: appUrl } })

async function exchange(callback: URL, verifier: string) {
  const code = callback.searchParams.get('code') ?? ''
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: `${appUrl}${callback.pathname}` }
  const response = await ask(fields)
  return { response, fields, tokens: Tokens.parse(await response.json()) }
}

async function signIn(person: string, browser = openBrowser(), changes: Record<string, string> = {}) {
  const { url, verifier } = authorizeUrl(changes)
  const login = await browser.visit(url)
  const { url: callback } = await browser.visit(login.url, post({ email: `${person}@demo.example`, password: 'guildhall' }))
  return { browser, callback, ...(await exchange(callback, verifier)) }
}

const refresh = (token: string) => ask({ grant_type: 'refresh_token', refresh_token: token })

test('discovery speaks of the paths a Zitadel instance has, and of a frame that checks the session', async () => {
  const found = Discovery.parse(await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json())
  expect(found).toMatchObject({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/oauth/v2/authorize`,
    token_endpoint: `${provider.issuer}/oauth/v2/token`,
    revocation_endpoint: `${provider.issuer}/oauth/v2/revoke`,
    userinfo_endpoint: `${provider.issuer}/oidc/v1/userinfo`,
    end_session_endpoint: `${provider.issuer}/oidc/v1/end_session`,
    jwks_uri: `${provider.issuer}/oauth/v2/keys`,
    check_session_iframe: `${provider.issuer}/oidc/v1/check_session`,
    response_types_supported: ['code'],
  })
})

test('the sign-in page lists the demo people with what they may do, and says plainly what was wrong', async () => {
  const browser = openBrowser()
  const { response, url } = await browser.visit(authorizeUrl().url)
  const text = await response.text()
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
  for (const person of ['owner', 'secretary', 'chapter', 'finance', 'comms', 'events', 'leader', 'member', 'guest', 'suspended']) {
    expect(text).toContain(`data-email="${person}@demo.example"`)
  }
  const wrong = await browser.visit(url, post({ email: 'owner@demo.example', password: 'guess' }))
  expect(wrong.response.status).toBe(400)
  expect(await wrong.response.text()).toMatch(/role="alert"[^>]*>That password is wrong\.[\s\S]*value="owner@demo\.example"/)
  const unknown = await browser.visit(url, post({ email: '"><script>', password: 'guildhall' }))
  const answer = await unknown.response.text()
  expect(answer).toContain('There is no demo person with that email address.')
  expect(answer).not.toContain('"><script>')
})

test('a page allows exactly the style and script it holds', async () => {
  const { response } = await openBrowser().visit(authorizeUrl().url)
  const text = await response.text()
  for (const name of ['style', 'script']) {
    const content = text.slice(text.indexOf(`<${name}>`) + name.length + 2, text.indexOf(`</${name}>`))
    const hash = createHash('sha256').update(content).digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(`${name}-src 'sha256-${hash}'`)
  }
})

test('signing in gives tokens with the claims of Zitadel', async () => {
  const { callback, tokens } = await signIn('owner')
  expect(callback.href).toMatch(`${appUrl}/auth/signinwin/zitadel?`)
  expect(callback.searchParams.get('state')).toBe('some-state')
  expect(callback.searchParams.get('iss')).toBe(provider.issuer)
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: grantedScope })

  const keys = createRemoteJWKSet(new URL(`${provider.issuer}/oauth/v2/keys`))
  const access = await jwtVerify(tokens.access_token, keys, { issuer: provider.issuer, audience: 'guildhall', algorithms: ['RS256'] })
  expect(access.protectedHeader.typ).toBe('JWT')
  expect(access.payload).toMatchObject({
    sub: 'owner',
    aud: ['guildhall-web', 'guildhall'],
    client_id: 'guildhall-web',
    [rolesClaim]: { 'org-owner': { demo: 'demo.example' } },
    'urn:zitadel:iam:user:resourceowner:id': 'demo',
  })
  expect(access.payload).toMatchObject({ jti: expect.any(String), nbf: access.payload.iat })
  for (const absent of ['email', 'name', 'nonce', 'auth_time', 'scope']) expect(access.payload).not.toHaveProperty(absent)

  const id = await jwtVerify(tokens.id_token, keys, { issuer: provider.issuer, audience: 'guildhall-web' })
  expect(id.payload).toMatchObject({ sub: 'owner', azp: 'guildhall-web', nonce: 'some-nonce', auth_time: expect.any(Number) })
  expect(id.payload[rolesClaim]).toEqual({ 'org-owner': { demo: 'demo.example' } })
  expect(id.payload).not.toHaveProperty('email')
})

test('a person without a role at the provider gets no roles claim', async () => {
  const { tokens } = await signIn('member')
  expect(decodeJwt(tokens.access_token)).not.toHaveProperty(rolesClaim)
})

test('an address of newcomers signs in as somebody new, the same one every time', async () => {
  const { url, verifier } = authorizeUrl()
  const browser = openBrowser()
  const login = await browser.visit(url)
  const wrong = await browser.visit(login.url, post({ email: 'nadia.newcomer@new.example', password: 'guess' }))
  expect(wrong.response.status).toBe(400)
  const { url: callback } = await browser.visit(wrong.url, post({ email: 'Nadia.Newcomer@new.example', password: 'guildhall' }))
  const { tokens } = await exchange(callback, verifier)
  const { sub, ...claims } = decodeJwt(tokens.access_token)
  expect(sub).toBe('new-nadia.newcomer')
  expect(claims).not.toHaveProperty(rolesClaim)
  const info = await fetch(`${provider.issuer}/oidc/v1/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}`, origin: appUrl },
  })
  expect(await info.json()).toMatchObject({ email: 'nadia.newcomer@new.example', email_verified: true, name: 'Nadia Newcomer' })
})

test('user info tells the application, and only it, who has signed in', async () => {
  const { tokens } = await signIn('secretary')
  const info = (token: string, origin = appUrl) =>
    fetch(`${provider.issuer}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}`, origin } })
  const response = await info(tokens.access_token)
  expect(response.headers.get('access-control-allow-origin')).toBe(appUrl)
  expect(await response.json()).toMatchObject({
    sub: 'secretary',
    email: 'secretary@demo.example',
    email_verified: true,
    name: expect.any(String),
    [rolesClaim]: { 'org-admin': { demo: 'demo.example' } },
  })
  expect((await info(tokens.access_token, 'http://localhost:9')).headers.get('access-control-allow-origin')).toBeNull()
  expect((await info(tokens.id_token)).status).toBe(401)
  expect((await info('nonsense')).status).toBe(401)
  const preflight = await fetch(`${provider.issuer}/oidc/v1/userinfo`, { method: 'OPTIONS', headers: { origin: appUrl } })
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
})

test('a refresh token is good for one use; a second use ends the whole sign-in', async () => {
  const { tokens } = await signIn('owner')
  const response = await refresh(tokens.refresh_token)
  expect(response.headers.get('access-control-allow-origin')).toBe(appUrl)
  const renewed = Tokens.parse(await response.json())
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  expect(renewed.scope).toBe(grantedScope)
  expect(decodeJwt(renewed.id_token)).toMatchObject({ nonce: 'some-nonce', auth_time: decodeJwt(tokens.id_token)['auth_time'] })

  const stolen = await refresh(tokens.refresh_token)
  expect([stolen.status, await stolen.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
  expect((await refresh(renewed.refresh_token)).status).toBe(400)
})

test('a code is good for one use, and not without its proof key', async () => {
  const { fields, tokens } = await signIn('owner')
  expect((await ask(fields)).status).toBe(400)
  expect((await refresh(tokens.refresh_token)).status).toBe(400)

  const browser = openBrowser()
  const login = await browser.visit(authorizeUrl().url)
  const { url } = await browser.visit(login.url, post({ email: 'owner@demo.example', password: 'guildhall' }))
  const code = url.searchParams.get('code') ?? ''
  const guessed = { code_verifier: randomBytes(32).toString('base64url'), redirect_uri: `${appUrl}/auth/signinwin/zitadel` }
  expect((await ask({ grant_type: 'authorization_code', code, ...guessed })).status).toBe(400)
})

test.each<[what: string, changes: Record<string, string>]>([
  ['none', { code_challenge: '', code_challenge_method: '' }],
  ['one in plain text', { code_challenge_method: 'plain' }],
])('no sign-in begins with a proof key that is %s', async (_what, changes) => {
  const { url } = await openBrowser().visit(authorizeUrl(changes).url)
  expect(url.searchParams.get('error')).toBe('invalid_request')
})

test('silent renewal answers without a page while the session lasts, and with login_required when there is none', async () => {
  const { browser } = await signIn('owner')
  const silent = { prompt: 'none', redirect_uri: `${appUrl}/auth/signinsilent/zitadel` }
  const { url, verifier } = authorizeUrl(silent)
  const { url: callback } = await browser.visit(url)
  expect((await exchange(callback, verifier)).tokens.token_type).toBe('Bearer')
  const anonymous = await openBrowser().visit(authorizeUrl(silent).url)
  expect(anonymous.url.searchParams.get('error')).toBe('login_required')
})

test('a sign-in that is asked to be new shows the page though the session lasts, and its time is new; a renewal keeps it', async () => {
  const { browser, tokens } = await signIn('owner')
  const first = Number(decodeJwt(tokens.id_token)['auth_time'])
  await vi.waitFor(() => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(first), 3_000)
  const again = await signIn('owner', browser, { prompt: 'login', max_age: '0' })
  expect(again.callback.searchParams.get('code')).not.toBeNull()
  const second = Number(decodeJwt(again.tokens.id_token)['auth_time'])
  expect(second).toBeGreaterThan(first)
  const renewed = Tokens.parse(await (await refresh(again.tokens.refresh_token)).json())
  expect(decodeJwt(renewed.id_token)['auth_time']).toBe(second)
  // Young enough: nobody is asked.
  const { url, verifier } = authorizeUrl({ max_age: '600' })
  const { url: callback } = await browser.visit(url)
  expect(decodeJwt((await exchange(callback, verifier)).tokens.id_token)['auth_time']).toBe(second)
})

test('an address that is not registered gets a page, never a redirect', async () => {
  const { response, url } = await openBrowser().visit(authorizeUrl({ redirect_uri: 'http://localhost:9/steal' }).url)
  expect([response.status, url.origin]).toEqual([400, provider.issuer])
  expect(await response.text()).toContain('Sign-in did not work')
  const outdated = await openBrowser().visit(`${provider.issuer}/login/long-gone`)
  expect(await outdated.response.text()).toContain('This sign-in is out of date')
})

test('signing out ends the session and its tokens, tells the application’s server, and comes back', async () => {
  const told: string[] = []
  const app = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => told.push(`${request.url} ${chunk.toString()}`))
    request.on('end', () => response.end())
  }).listen(Number(new URL(appUrl).port), '127.0.0.1')
  await once(app, 'listening')

  const { browser, tokens } = await signIn('owner')
  const end = new URL(`${provider.issuer}/oidc/v1/end_session`)
  end.search = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: `${appUrl}/`, state: 'bye' }).toString()
  const { response } = await browser.visit(end)
  const text = await response.text()
  expect(text).toContain("document.querySelector('[name=logout]').click()")
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const { url } = await browser.visit(`${provider.issuer}/oidc/v1/end_session/confirm`, post({ xsrf, logout: 'yes' }))
  expect(url.href).toBe(`${appUrl}/?state=bye`)

  expect((await refresh(tokens.refresh_token)).status).toBe(400)
  expect((await browser.visit(authorizeUrl({ prompt: 'none' }).url)).url.searchParams.get('error')).toBe('login_required')
  await vi.waitFor(() => expect(told[0]).toMatch(/^\/auth\/backchannel-logout logout_token=/))
  expect(decodeJwt(told[0]?.split('=')[1] ?? '')).toMatchObject({ aud: 'guildhall-web', sub: 'owner', events: expect.any(Object) })
  app.close()
})

test('a link from elsewhere cannot sign anybody out: without the application’s proof it only asks', async () => {
  const { browser } = await signIn('owner')
  const { response } = await browser.visit(`${provider.issuer}/oidc/v1/end_session`)
  const text = await response.text()
  expect(text).toContain('Sign out?')
  expect(text).not.toContain('<script')
})

test('the session state the application is told matches what its frame computes, until the sign-out', async () => {
  const { browser, callback } = await signIn('owner')
  const [hash, salt] = (callback.searchParams.get('session_state') ?? '').split('.')
  const seenByFrame = () => {
    const text = ['guildhall-web', appUrl, browser.cookie(/^browser_state_/) ?? '', salt].join(' ')
    return createHash('sha256').update(text).digest('hex')
  }
  expect(seenByFrame()).toBe(hash)
  const frame = await browser.visit(`${provider.issuer}/oidc/v1/check_session`)
  expect(frame.response.headers.get('content-security-policy')).toContain(`frame-ancestors ${appUrl}`)

  const { response } = await browser.visit(`${provider.issuer}/oidc/v1/end_session`)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? ''
  await browser.visit(`${provider.issuer}/oidc/v1/end_session/confirm`, post({ xsrf, logout: 'yes' }))
  expect(seenByFrame()).not.toBe(hash)
})

test('an access token minted without a browser is one the same keys prove; claims can be bent for tests', async () => {
  const keys = createRemoteJWKSet(new URL(`${provider.issuer}/oauth/v2/keys`))
  const { payload } = await jwtVerify(await provider.mintAccessToken('secretary'), keys, { issuer: provider.issuer, audience: 'guildhall' })
  expect(payload).toMatchObject({ sub: 'secretary', [rolesClaim]: { 'org-admin': { demo: 'demo.example' } } })
  expect(decodeJwt(await provider.mintAccessToken('stranger', { exp: 1, jti: undefined }))).not.toHaveProperty('jti')
})

test('its keys outlive a restart, in a file nobody else reads', async () => {
  const again = await startIdentityProvider({ port: 0, appUrl, dataDir })
  const keysOf = async (issuer: string) => (await fetch(`${issuer}/oauth/v2/keys`)).text()
  expect(await keysOf(again.issuer)).toBe(await keysOf(provider.issuer))
  expect(statSync(join(dataDir, 'identity-keys.json')).mode & 0o777).toBe(0o600)
  await again.stop()
})

test('other names for this machine are not served, so no page of the internet can use it through one', async () => {
  const { port } = new URL(provider.issuer)
  const { request } = await import('node:http')
  const [response] = await once(request({ port, host: '127.0.0.1', path: '/', headers: { host: 'evil.example' } }).end(), 'response')
  expect(response).toMatchObject({ statusCode: 421 })
})

test('it refuses to run in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await expect(startIdentityProvider({ port: 0, appUrl, dataDir })).rejects.toThrow(/does not run in production/)
  vi.unstubAllEnvs()
})
