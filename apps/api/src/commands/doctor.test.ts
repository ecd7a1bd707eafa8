import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createServices } from '../platform/services.ts'
import { createLog } from '../platform/observability/log.ts'
import { client, hostileProvider, newKey, orgClaim, rolesClaim } from '../platform/sign-in/provider-testing.ts'
import type { HostileProvider } from '../platform/sign-in/provider-testing.ts'
import { test } from '../testing.ts'
import type { Variant } from '../testing.ts'
import { examine } from './doctor.ts'

let provider: HostileProvider
beforeEach(async () => {
  provider = await hostileProvider()
  provider.headers = { 'access-control-allow-origin': 'https://guildhall.example' }
  provider.discovery['scopes_supported'] = ['openid', 'profile', 'email', 'offline_access', 'roles']
})
afterEach(() => provider.stop())

const settings = () => ({
  ISSUER: provider.issuer,
  PUBLIC_URL: 'https://guildhall.example',
  SCOPES: 'openid profile email offline_access roles',
})
type Make = (settings: Record<string, string>) => Promise<Variant>
const reportOf = async (variant: Make, more: Record<string, string> = {}, token?: string) =>
  examine((await variant({ ...settings(), ...more })).services, token)

describe('a provider', () => {
  test('that is set up well is found well, with the addresses to register', async ({ variant }) => {
    const { report, isWell } = await reportOf(variant)
    expect(report).not.toMatch(/^ {2}fault/m)
    expect(isWell).toBe(true)
    for (const line of [
      `ok     ${provider.issuer} answers with its configuration.`,
      'ok     Its clock agrees with ours.',
      'ok     It publishes 1 signing key.',
      'ok     It offers proof keys (PKCE, S256).',
      'ok     It knows the client guildhall-web, without a secret.',
      'ok     It comes back to all three addresses of the sign-in.',
      'ok     It answers pages of https://guildhall.example (CORS).',
      'ok     It accepts our ACTOR_KEY.',
      'back-channel logout https://guildhall.example/auth/backchannel-logout',
      'Nothing is wrong',
    ]) {
      expect(report).toContain(line)
    }
  })

  const faults: [what: string, spoil: () => void, settings: Record<string, string>, says: RegExp, todo: RegExp][] = [
    ['is down', () => (provider.fault = 'refuses'), {}, /cannot be reached/, /ISSUER is not the provider's address/],
    ['does not exist', () => {}, { ISSUER: 'http://nowhere.invalid' }, /no host of that name|could not be looked up/, /ISSUER/],
    ['answers with an error page', () => (provider.fault = 'html'), {}, /answers with status 502/, /ISSUER/],
    ['answers with something else', () => (provider.fault = 'broken'), {}, /does not answer with an OpenID configuration/, /ISSUER/],
    [
      'calls itself otherwise',
      () => (provider.discovery['issuer'] = 'https://x.example'),
      {},
      /calls itself https:\/\/x\.example/,
      /Set ISSUER=https:\/\/x\.example/,
    ],
    ['has another clock', () => (provider.ahead = 400), {}, /differ by (399|400|401) seconds; beyond 300/, /chrony/],
    ['lacks addresses', () => delete provider.discovery['userinfo_endpoint'], {}, /lacks userinfo_endpoint/, /Sign-in needs them all/],
    [
      'is on several origins',
      () => (provider.discovery['userinfo_endpoint'] = 'https://graph.example/userinfo'),
      {},
      /userinfo_endpoint on other origins/,
      /one name/,
    ],
    ['publishes no keys', () => (provider.published = []), {}, /publishes no signing keys/, /Create one/],
    ['signs otherwise', () => (provider.discovery['id_token_signing_alg_values_supported'] = ['HS256']), {}, /signs with HS256/, /RS256/],
    [
      'knows no code flow',
      () => (provider.discovery['response_types_supported'] = ['id_token']),
      {},
      /does not offer the authorization code flow/,
      /choose another/,
    ],
    [
      'knows no proof keys',
      () => (provider.discovery['code_challenge_methods_supported'] = ['plain']),
      {},
      /does not offer proof keys/,
      /Turn PKCE/,
    ],
    [
      'gives no refresh tokens',
      () => (provider.discovery['grant_types_supported'] = ['authorization_code']),
      {},
      /does not offer refresh tokens/,
      /grant type/,
    ],
    [
      'wants secrets',
      () => (provider.discovery['token_endpoint_auth_methods_supported'] = ['client_secret_basic']),
      {},
      /does not offer public clients/,
      /without a secret/,
    ],
    ['is no Zitadel', () => {}, { SCOPES: '' }, /not a Zitadel, but SCOPES is not set/, /Set SCOPES=/],
    ['knows no such client', () => {}, { CLIENT_ID: 'nobody' }, /does not know the client nobody/, /Register a public client/],
    [
      'does not know our addresses',
      () => {},
      { AUTH_NAME: 'elsewhere' },
      /refuses to come back to https:\/\/guildhall\.example\/auth\/signinwin\/elsewhere/,
      /letter by letter/,
    ],
    ['lets no page read it', () => (provider.headers = {}), {}, /does not let pages of https:\/\/guildhall\.example read/, /origins/],
    [
      'refuses introspection',
      () => (provider.introspect = () => ({ status: 401, body: {} })),
      { AUTH_MODE: 'introspection', INTROSPECTION_CLIENT_ID: 'a', INTROSPECTION_CLIENT_SECRET: 'b' },
      /refuses introspection \(status 401\)/,
      /INTROSPECTION_CLIENT_SECRET/,
    ],
  ]
  for (const [what, spoil, more, says, todo] of faults) {
    test(`that ${what}: said in words, with what to do`, async ({ variant }) => {
      spoil()
      const { report, isWell } = await reportOf(variant, more)
      expect(isWell).toBe(false)
      const lines = report.split('\n')
      const place = lines.findIndex((line) => line.startsWith('  fault') && says.test(line))
      expect(lines[place], report).toMatch(says)
      expect(lines[place + 1]).toMatch(todo)
      expect(report).toMatch(/things? (is|are) wrong; \d+ fine/)
    })
  }

  test('that cannot tell of sign-outs, or end its session, is worth a note', async ({ variant }) => {
    delete provider.discovery['backchannel_logout_supported']
    delete provider.discovery['end_session_endpoint']
    const { report, isWell } = await reportOf(variant)
    expect(isWell).toBe(true)
    expect(report).toMatch(/note {3}It does not say that it can tell of sign-outs/)
    expect(report).toMatch(/note {3}It has no address to end its session/)
  })
})

describe('an access token', () => {
  const subject = randomUUID()
  const org = `org-${subject}`
  const claims = { sub: subject, [orgClaim]: org, [rolesClaim]: { 'org-admin': { [org]: 'x' } } }

  test('that is good says what it carries', async ({ variant, admin, organisation }) => {
    await admin.query('update app.organisations set idp_org_id = $2 where org_id = $1', [(await organisation()).id, org])
    provider.userInfo = () => ({ body: { sub: subject, email: 'a@example.org', email_verified: true } })
    const { report, isWell } = await reportOf(variant, {}, await provider.accessToken(claims))
    expect(isWell).toBe(true)
    for (const line of [
      'is a JWT',
      'The APIs accept it',
      'lives for 10 minutes',
      `organisation ${org}`,
      'roles org-admin',
      'verified e-mail address',
    ]) {
      expect(report).toContain(line)
    }
  })

  const faults: [what: string, token: () => Promise<string> | string, says: RegExp, todo: RegExp][] = [
    ['is opaque', () => randomUUID(), /opaque/, /AUTH_MODE=introspection/],
    ['has expired', () => provider.accessToken({ ...claims, iat: 1, nbf: 1, exp: 2 }), /expired/, /fresh one/],
    ['is an id token', () => provider.accessToken({ ...claims, nonce: 'n' }), /marks of an id token/, /at\+jwt/],
    [
      'is for another project',
      () => provider.accessToken({ ...claims, aud: [client] }),
      /audience is guildhall-web, without guildhall-test/,
      /PROJECT_RESOURCE_ID/,
    ],
    ['is of another client', () => provider.accessToken({ ...claims, client_id: 'x' }), /another client/, /API_CLIENT_IDS/],
    ['lacks claims', () => provider.accessToken({ ...claims, jti: undefined }), /lacks jti/, /RFC 9068/],
    [
      'is of another issuer',
      () => provider.accessToken({ ...claims, iss: 'https://x.example' }),
      /issued by https:\/\/x\.example/,
      /ISSUER is/,
    ],
    ['is forged', async () => provider.accessToken(claims, {}, (await newKey()).privateKey), /signature is wrong/, /copied whole/],
    ['reads no user info', () => provider.accessToken(claims), /User info cannot be read/, /scopes profile and email/],
  ]
  for (const [what, token, says, todo] of faults) {
    test(`that ${what}: said in words, with what to do`, async ({ variant }) => {
      const { report, isWell } = await reportOf(variant, {}, await token())
      expect(isWell).toBe(false)
      expect(report).toMatch(says)
      expect(report).toMatch(todo)
    })
  }

  test('with roles that another organisation granted, or none that it names, says that they do not count', async ({
    variant,
    organisation,
  }) => {
    for (let n = 0; n < 2; n++) await organisation()
    const roles = { 'org-owner': { theirs: 'x' } }
    const { report, isWell } = await reportOf(variant, {}, await provider.accessToken({ ...claims, [rolesClaim]: roles }))
    expect(isWell).toBe(false)
    expect(report).toContain('roles that do not count here: org-owner (theirs)')
    expect(report).toMatch(/ORG_ID/)
    const named = await reportOf(variant, {}, await provider.accessToken({ ...claims, [rolesClaim]: ['org-owner'] }))
    expect(named.report).toContain('org-owner (no organisation named)')
  })

  test('without roles or a verified address names the claims it looked for', async ({ variant }) => {
    provider.userInfo = () => ({ body: { sub: subject, email: 'a@example.org' } })
    const token = await provider.accessToken({
      ...claims,
      [rolesClaim]: undefined,
      groups: ['x'],
      exp: Math.floor(Date.now() / 1000) + 7200,
    })
    const { report } = await reportOf(variant, {}, token)
    expect(report).toContain(`It has no claim ${rolesClaim}, but groups.`)
    expect(report).toContain('lives for 120 minutes')
    expect(report).toContain('does not call the e-mail address verified')
  })
})

describe('the rest', () => {
  test('a database that is away, or signed for with another key', async ({ variant, api }) => {
    const { config } = api.services
    const away = await reportOf(variant, { DATABASE_URL: 'postgres://app_api:x@localhost:9/none' })
    expect(away.report).toMatch(/fault {2}The database cannot be reached: nothing listens there/)
    const other = createServices({ ...config, ISSUER: provider.issuer, ACTOR_KEY: 'cd'.repeat(32) }, createLog('silent'))
    const { report } = await examine(other)
    await other.close()
    expect(report).toMatch(/fault {2}It does not accept what we sign: ACTOR_KEY is another one/)
  })

  test('mail: none, away', async ({ variant }) => {
    expect((await reportOf(variant)).report).toMatch(/note {3}There is no mail server/)
    expect((await reportOf(variant, { SMTP_URL: 'smtp://localhost:9' })).report).toMatch(
      /fault {2}The mail server does not let us in: nothing listens there/,
    )
  })

  test('an organisation that nobody founded', async ({ variant }) => {
    expect((await reportOf(variant, { ORG_ID: 'nowhere' })).report).toMatch(/fault {2}No organisation belongs to ORG_ID nowhere/)
  })
})
