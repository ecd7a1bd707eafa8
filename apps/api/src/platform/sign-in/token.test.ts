import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { base64url, CompactEncrypt, createLocalJWKSet, exportSPKI, jwtVerify, UnsecuredJWT } from 'jose'
import type { CryptoKey } from 'jose'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Variant } from '../../testing.ts'
import { client, hostileProvider, newKey, orgClaim, project, rolesClaim } from './provider-testing.ts'
import type { HostileProvider } from './provider-testing.ts'
import { readGrants, rolesThatCount } from './token-claims.ts'
import type { Binding } from './token-claims.ts'

let provider: HostileProvider
beforeAll(async () => {
  provider = await hostileProvider()
})
afterAll(() => provider.stop())

/** A server that trusts the hostile provider, with one account of it. */
const staged = test.extend<{ stage: { server: Variant; org: string; subject: string; claims: Record<string, unknown> } }>({
  stage: async ({ variant, organisation, admin }, use) => {
    const org = await organisation()
    const subject = randomUUID()
    await admin.query(`insert into app.accounts (org_id, issuer, subject, status) values ($1, $2, $3, 'active')`, [
      org.id,
      provider.issuer,
      subject,
    ])
    const server = await variant({ ISSUER: provider.issuer })
    await use({ server, org: org.id, subject, claims: { sub: subject, [orgClaim]: org.id } })
  },
})

const encode = (value: unknown) => base64url.encode(JSON.stringify(value))

/** What libraries accept that check signature, issuer and audience, as most examples do. */
async function naively(token: string): Promise<'accepts' | 'refuses'> {
  const keys = createLocalJWKSet({ keys: [provider.key.jwk] })
  return jwtVerify(token, keys, { issuer: provider.issuer, audience: project }).then(
    () => 'accepts',
    () => 'refuses',
  )
}

type Forge = (claims: Record<string, unknown>) => Promise<string> | string
const now = () => Math.floor(Date.now() / 1000)
const honest: Forge = (claims) => provider.accessToken(claims)
const withClaims =
  (more: Record<string, unknown> | (() => Record<string, unknown>)): Forge =>
  (claims) =>
    provider.accessToken({ ...claims, ...(typeof more === 'function' ? more() : more) })
const withHeader =
  (header: Record<string, unknown>, more: Record<string, unknown> = {}): Forge =>
  (claims) =>
    provider.accessToken({ ...claims, ...more }, header)
const foreignKey = newKey('key-1')
const signedByForeign =
  (header: (jwk: object) => Record<string, unknown>): Forge =>
  async (claims) => {
    const { privateKey, jwk } = await foreignKey
    return provider.accessToken(claims, header(jwk), privateKey)
  }
const partsOf = async (token: Promise<string> | string) => (await token).split('.')
const hmac = async (claims: Record<string, unknown>, secret: string | Buffer, alg: 'HS256' | 'HS512' = 'HS256') => {
  const [, payload] = await partsOf(honest(claims))
  const head = `${encode({ alg, kid: 'key-1', typ: 'JWT' })}.${payload}`
  return `${head}.${createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
    .update(head)
    .digest('base64url')}`
}

/** Each forged kind with what a naive check makes of it: where that accepts, our own guard is what refuses. */
const forgeries: [kind: string, naive: 'accepts' | 'refuses', forge: Forge][] = [
  ['A04: alg none', 'refuses', async (claims) => unsecured(await honest(claims), 'none')],
  ['alg None, in other letters', 'refuses', async (claims) => unsecured(await honest(claims), 'nOnE')],
  ['alg none by the library', 'refuses', (claims) => new UnsecuredJWT({ ...claims, iss: provider.issuer, aud: project }).encode()],
  ['A04: HS256 with the public key as secret', 'refuses', async (claims) => hmac(claims, await exportSPKI(provider.key.publicKey))],
  ['HS256 with the modulus as secret', 'refuses', (claims) => hmac(claims, Buffer.from(provider.key.jwk.n ?? '', 'base64url'))],
  ['HS512 with an empty secret', 'refuses', (claims) => hmac(claims, '', 'HS512')],
  ['a foreign key under a known name', 'refuses', signedByForeign(() => ({}))],
  ['a foreign key under an unknown name', 'refuses', signedByForeign(() => ({ kid: 'nobody' }))],
  ['a foreign key without a name', 'refuses', signedByForeign(() => ({ kid: undefined }))],
  ['a foreign key in the header (jwk)', 'refuses', signedByForeign((jwk) => ({ jwk }))],
  ['a foreign key at an address (jku)', 'refuses', signedByForeign(() => ({ jku: 'http://localhost:9/keys' }))],
  ['a foreign certificate at an address (x5u)', 'refuses', signedByForeign(() => ({ x5u: 'http://localhost:9/cert' }))],
  ['a foreign certificate in the header (x5c)', 'refuses', signedByForeign(() => ({ x5c: ['MIIB'] }))],
  ['a key name that is a path', 'refuses', signedByForeign(() => ({ kid: '../../../../dev/null' }))],
  ['a key name that is SQL', 'refuses', signedByForeign(() => ({ kid: "x' union select 'key" }))],
  [
    'another subject under the old signature',
    'refuses',
    async (claims) => {
      const [header, payload = '', signature] = await partsOf(honest({ ...claims, sub: 'somebody' }))
      const read: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return [header, encode({ ...read, ...claims }), signature].join('.')
    },
  ],
  ['a signature cut short', 'refuses', async (claims) => (await honest(claims)).slice(0, -8)],
  ['no signature', 'refuses', async (claims) => (await partsOf(honest(claims))).with(2, '').join('.')],
  ['RS512, which is not on the list', 'refuses', async (claims) => rs512(claims)],
  ['an unknown critical header', 'refuses', async (claims) => reheaded(claims, { crit: ['exp2'], exp2: 1 })],
  ['an unencoded payload (b64)', 'refuses', async (claims) => reheaded(claims, { crit: ['b64'], b64: false })],
  ['another issuer', 'refuses', withClaims({ iss: 'https://evil.example' })],
  ['an issuer that only begins like ours', 'refuses', withClaims(() => ({ iss: `${provider.issuer}.evil.example` }))],
  ['no issuer', 'refuses', withClaims({ iss: undefined })],
  ['A02: another project', 'refuses', withClaims({ aud: [client, 'another-project'] })],
  ['only the client as audience', 'refuses', withClaims({ aud: client })],
  ['no audience', 'refuses', withClaims({ aud: undefined })],
  ['another client', 'accepts', withClaims({ client_id: 'another-client' })],
  ['another authorised party', 'accepts', withClaims({ azp: 'another-client' })],
  ['a client that is a list', 'accepts', withClaims({ client_id: [client] })],
  ['A01: an id token', 'accepts', withClaims(() => ({ client_id: undefined, azp: client, nonce: 'n', auth_time: now(), at_hash: 'h' }))],
  ['A01: an id token without a nonce', 'accepts', withClaims(() => ({ client_id: undefined, azp: client, auth_time: now() }))],
  ['an id token with a code’s hash', 'accepts', withClaims({ c_hash: 'h' })],
  ['an id token with methods of sign-in', 'accepts', withClaims({ amr: ['pwd'] })],
  ['an id token that calls itself at+jwt', 'accepts', withHeader({ typ: 'at+jwt' }, { nonce: 'n' })],
  ['a logout token', 'accepts', withHeader({ typ: 'logout+jwt' })],
  ['a proof of possession', 'accepts', withHeader({ typ: 'dpop+jwt' })],
  ['a type nobody knows', 'accepts', withHeader({ typ: 'id_token' })],
  ['expired', 'refuses', withClaims(() => ({ iat: now() - 1200, nbf: now() - 1200, exp: now() - 31 }))],
  ['A03: no expiry', 'accepts', withClaims({ exp: undefined })],
  ['an expiry that is text', 'refuses', withClaims({ exp: '9999999999' })],
  ['no time of issue', 'accepts', withClaims({ iat: undefined })],
  ['issued in the future', 'accepts', withClaims(() => ({ iat: now() + 70 }))],
  ['not yet valid', 'refuses', withClaims(() => ({ nbf: now() + 40 }))],
  ['no subject', 'accepts', withClaims({ sub: undefined })],
  ['an empty subject', 'accepts', withClaims({ sub: '' })],
  ['a subject with a line break', 'accepts', withClaims({ sub: 'a\nb' })],
  ['no id of its own', 'accepts', withClaims({ jti: undefined })],
  ['A05: an opaque token', 'refuses', () => randomUUID()],
  ['an encrypted token', 'refuses', (claims) => encrypted(claims)],
  ['a token without end (5 parts)', 'refuses', async (claims) => `${await honest(claims)}.e.f`],
]

const unsecured = (token: string, alg: string) => `${encode({ alg, typ: 'JWT' })}.${token.split('.')[1]}.`
async function rs512(claims: Record<string, unknown>): Promise<string> {
  const [, payload] = await partsOf(honest(claims))
  return signedAs('RSASSA-PKCS1-v1_5', 'SHA-512', { alg: 'RS512', kid: 'key-1', typ: 'JWT' }, payload ?? '')
}
async function reheaded(claims: Record<string, unknown>, header: object): Promise<string> {
  const [, payload] = await partsOf(honest(claims))
  return signedAs('RSASSA-PKCS1-v1_5', 'SHA-256', { alg: 'RS256', kid: 'key-1', typ: 'JWT', ...header }, payload ?? '')
}
async function signedAs(name: string, hash: string, header: object, payload: string): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', provider.key.privateKey)
  const key: CryptoKey = await crypto.subtle.importKey('pkcs8', pkcs8, { name, hash }, false, ['sign'])
  const head = `${encode(header)}.${payload}`
  return `${head}.${base64url.encode(new Uint8Array(await crypto.subtle.sign(name, key, Buffer.from(head))))}`
}
const encrypted = async (claims: Record<string, unknown>) =>
  new CompactEncrypt(Buffer.from(await honest(claims))).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(Buffer.alloc(32))

describe('an access token', () => {
  staged('opens the door when it is honest, with either type or none', async ({ stage: { server, claims } }) => {
    expect(await server.as(await honest(claims)).get('/data/me')).toMatchObject({ status: 200 })
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt', undefined]) {
      expect(await server.as(await provider.accessToken(claims, { typ })).get('/data/me')).toMatchObject({ status: 200 })
    }
    const rfc9068 = await provider.accessToken({ ...claims, auth_time: now(), amr: ['pwd'] }, { typ: 'at+jwt' })
    expect(await server.as(rfc9068).get('/data/me')).toMatchObject({ status: 200 })
  })

  staged('is refused in every forged kind, whatever a naive check makes of it', async ({ stage: { server, claims } }) => {
    expect(forgeries.length).toBeGreaterThanOrEqual(30)
    const seen: unknown[] = []
    for (const [kind, , forge] of forgeries) {
      const token = await forge(claims)
      const answer = await server.as(token).get('/data/me')
      seen.push([kind, await naively(token), answer.status, answer.headers['www-authenticate']])
    }
    expect(seen).toEqual(forgeries.map(([kind, naive]) => [kind, naive, 401, 'Bearer error="invalid_token"']))
  })

  staged('may come from a further client only when that one is named', async ({ stage: { server, claims }, variant }) => {
    const token = await provider.accessToken({ ...claims, client_id: 'reports', azp: 'reports' })
    expect(await server.as(token).get('/data/me')).toMatchObject({ status: 401 })
    const open = await variant({ ISSUER: provider.issuer, API_CLIENT_IDS: 'mobile, reports' })
    expect(await open.as(token).get('/data/me')).toMatchObject({ status: 200 })
  })

  staged('travels in the header alone', async ({ stage: { server, claims } }) => {
    const token = await honest(claims)
    const bare = { status: 401, headers: { 'www-authenticate': 'Bearer' } }
    expect(await server.as(null).get('/data/me')).toMatchObject(bare)
    // Nothing in an address is read: what no procedure asks for is refused before anybody is asked who they are.
    expect(await server.as(null).get(`/data/me?access_token=${token}`)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(await server.as(null).get('/data/me', undefined, { cookie: `access_token=${token}` })).toMatchObject(bare)
    for (const authorization of [token, `Basic ${token}`, `Bearer ${token} ${token}`, 'Bearer ', `Bearer\t${token}`]) {
      expect(await server.as(null).get('/data/me', undefined, { authorization })).toMatchObject({ status: 401 })
    }
  })

  staged('A06: of 100 kB is refused before it is read', async ({ stage: { server, claims } }) => {
    const address = await server.app.listen({ port: 0 })
    const status = (token: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${address}/data/me`, { headers: { authorization: `Bearer ${token}` } }, ({ statusCode }) => resolve(statusCode))
          .on('error', reject)
          .end()
      })
    expect(await status(await honest(claims))).toBe(200)
    expect([401, 431]).toContain(await status('a'.repeat(100_000)))
    await expect(server.services.tokens.verify('a'.repeat(16_385))).rejects.toMatchObject({ code: 'too_long' })
  })

  staged('A13: leaves nothing behind on the connection', async ({ stage: { server, claims }, variant }) => {
    const { services } = await variant({ ISSUER: provider.issuer, DATABASE_POOL: '2' })
    expect(await server.as(await honest(claims)).get('/data/me')).toMatchObject({ status: 200 })
    const caller = await services.identities.identify(`Bearer ${await honest(claims)}`)
    for (let n = 0; n < 4; n++) {
      await services.database.asActor(
        { orgId: caller?.account?.orgId ?? '', accountId: caller?.account?.accountId ?? '', idpRoles: [] },
        async () => {},
      )
      const rows = await services.database.withoutActor((db) => db.selectFrom('app.accounts').select('id').execute())
      expect(rows).toEqual([])
    }
  })
})

describe('roles', () => {
  const bound: Binding = { idpOrg: 'ours', alone: false }
  const sole: Binding = { idpOrg: null, alone: true }
  const both = { ours: 'ours.example', theirs: 'theirs.example' }
  test.for<[what: string, claim: unknown, where: Binding & { orgId?: string }, roles: string[]]>([
    ['an object keyed by role', { 'org-admin': { ours: 'x' }, member: { ours: 'x' } }, bound, ['member', 'org-admin']],
    ['a list of such objects', [{ 'org-admin': { ours: 'x' } }, { member: { ours: 'x' } }], bound, ['member', 'org-admin']],
    ['A12: granted by another organisation', { 'org-owner': { theirs: 'x' } }, bound, []],
    ['granted by both', { 'org-owner': both }, bound, ['org-owner']],
    ['granted by both, in two parts', [{ 'org-owner': { theirs: 'x' } }, { 'org-owner': { ours: 'x' } }], bound, ['org-owner']],
    ['one by ours, another by theirs', { member: { ours: 'x' }, 'org-owner': { theirs: 'x' } }, bound, ['member']],
    ['granted by ours, where ORG_ID is ours too', { 'org-owner': { ours: 'x' } }, { ...bound, orgId: 'ours' }, ['org-owner']],
    ['granted by ORG_ID to people of another organisation', { 'org-owner': { main: 'x' } }, { ...bound, orgId: 'main' }, []],
    ['granted by ours, which is not ORG_ID', { 'org-owner': { ours: 'x' } }, { ...bound, orgId: 'main' }, []],
    ['granted by ORG_ID, where nothing else is known', { 'org-owner': { main: 'x' } }, { ...sole, orgId: 'main' }, ['org-owner']],
    ['granted by somebody, where nothing is known', { 'org-owner': { theirs: 'x' } }, sole, []],
    ['a list of names in the only organisation', ['org-admin', 'member'], sole, ['member', 'org-admin']],
    ['a list of names in the only organisation, which is bound', ['org-admin'], { ...bound, alone: true }, ['org-admin']],
    ['a list of names in one of several organisations', ['org-admin'], bound, []],
    ['a list of names, where ORG_ID is set', ['org-admin'], { ...sole, orgId: 'main' }, []],
    ['a name and a grant of another organisation', ['org-owner', { 'org-owner': { theirs: 'x' } }], { ...bound, alone: true }, []],
    ['text', 'org-owner', sole, ['org-owner']],
    ['A12: __proto__ as a role', JSON.parse('{"__proto__": {"ours": "x"}}'), bound, []],
    ['A12: __proto__ as an organisation', JSON.parse('{"org-owner": {"__proto__": {"ours": "x"}}}'), bound, []],
    ['A12: an organisation that is only inherited', { 'org-owner': {} }, { ...bound, idpOrg: 'toString' }, []],
    ['A12: inherited roles', {}, bound, []],
    ['a value that is no object', { 'org-owner': true, 'org-admin': 'ours', member: null }, bound, []],
    ['a list of organisations', { 'org-owner': ['ours'] }, { ...bound, idpOrg: '0' }, []],
    ['lists within lists', [[{ 'org-owner': { ours: 'x' } }], ['org-admin']], { ...bound, alone: true }, []],
    ['nothing', undefined, sole, []],
    ['null', null, sole, []],
    ['a number', 7, sole, []],
    ['names with commas or bars, which separate in the database', { 'a,org-owner': { ours: 1 }, 'a|b': { ours: 1 } }, bound, []],
  ])('from %s', ([, claim, { orgId, ...binding }, roles]) => {
    expect(rolesThatCount(readGrants(claim), binding, orgId)).toEqual(roles)
  })

  test('are bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`role${n}`, { ours: 'x' }]))
    expect(readGrants(many)).toHaveLength(50)
  })

  staged('A12: named like what every object has give no right', async ({ stage: { server, org, claims } }) => {
    const rights = async (role: string) => {
      const roles = JSON.parse(`{${JSON.stringify(role)}: {${JSON.stringify(org)}: "x"}}`)
      const { body } = await server.as(await provider.accessToken({ ...claims, [rolesClaim]: roles })).get('/data/me')
      return (body as { permissions: unknown[] }).permissions.length
    }
    expect(await rights('org-owner')).toBeGreaterThan(0)
    for (const role of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) expect(await rights(role)).toBe(0)
  })

  staged(
    'count in the organisation that granted them, with ORG_ID and without',
    async ({ stage: { org, claims }, variant, organisation }) => {
      const { id: other } = await organisation()
      for (const settings of [{}, { ORG_ID: org }]) {
        const server = await variant({ ISSUER: provider.issuer, ...settings })
        const holds = async (roles: unknown) => {
          const token = await provider.accessToken({ ...claims, [rolesClaim]: roles })
          await server.as(token).post('/data/rpc/update_account_login')
          return ((await server.as(token).get('/data/me')).body as { permissions: unknown[] }).permissions.length > 0
        }
        expect(await holds({ 'org-owner': { [org]: 'x' } })).toBe(true)
        expect(await holds({ 'org-owner': { [org]: 'x', [other]: 'y' } })).toBe(true)
        expect(await holds({ 'org-owner': { [other]: 'y' } })).toBe(false)
        expect(await holds({ 'org-owner': { elsewhere: 'y' } })).toBe(false)
        // There are many organisations in this database, and a name says nothing of any.
        expect(await holds(['org-owner'])).toBe(false)
      }
    },
  )

  staged('of another organisation are not kept for later work either', async ({ stage: { org, claims, server, subject }, admin }) => {
    const kept = async (roles: unknown) => {
      const token = await provider.accessToken({ ...claims, [rolesClaim]: roles })
      expect(await server.as(token).post('/data/rpc/update_account_login')).toMatchObject({ status: 204 })
      return (await admin.query<{ roles: string[] }>('select idp_roles as roles from app.accounts where subject = $1', [subject])).rows[0]
        ?.roles
    }
    expect(await kept({ 'org-owner': { [org]: 'x' } })).toEqual(['org-owner'])
    expect(await kept({ 'org-owner': { theirs: 'x' }, 'org-admin': { [org]: 'x' } })).toEqual(['org-admin'])
    expect(await kept({ 'org-owner': { theirs: 'x' } })).toEqual([])
  })

  staged('are kept at the very first sign-in, which binds an invitation', async ({ stage: { org, server }, admin }) => {
    await admin.query(`insert into app.accounts (org_id, email, status) values ($1, 'boss@example.org', 'invited')`, [org])
    const sub = randomUUID()
    provider.userInfo = () => ({ body: { sub, email: 'boss@example.org', email_verified: true } })
    const token = await provider.accessToken({
      sub,
      [orgClaim]: org,
      [rolesClaim]: { 'org-owner': { [org]: 'x' }, 'org-admin': { theirs: 'x' } },
    })
    expect(await server.as(token).post('/data/rpc/update_account_login')).toMatchObject({ status: 204 })
    const { rows } = await admin.query('select idp_roles from app.accounts where subject = $1', [sub])
    expect(rows).toEqual([{ idp_roles: ['org-owner'] }])
  })

  staged('come from the claim that is named, nested or not, or from user info', async ({ stage: { claims, org }, variant }) => {
    const holds = async (settings: Record<string, string>, more: Record<string, unknown>) => {
      const server = await variant({ ISSUER: provider.issuer, ...settings })
      const { status, body } = await server.as(await provider.accessToken({ ...claims, ...more })).get('/data/me')
      expect(status).toBe(200)
      return (body as { permissions: unknown[] }).permissions.length > 0
    }
    const owner = { 'org-owner': { [org]: 'x' } }
    const nested = { resource_access: { [project]: { roles: owner } } }
    expect(await holds({}, nested)).toBe(false)
    expect(await holds({ ROLES_CLAIM: 'resource_access.{project}.roles' }, nested)).toBe(true)
    expect(await holds({ ROLES_CLAIM: 'https://example.org/roles' }, { 'https://example.org/roles': [owner] })).toBe(true)
    expect(await holds({ ORG_CLAIM: 'tenant' }, { [orgClaim]: undefined, tenant: org, [rolesClaim]: owner })).toBe(true)
    provider.userInfo = () => ({ body: { sub: claims['sub'], [rolesClaim]: owner } })
    expect(await holds({ ROLES_FROM: 'userinfo' }, {})).toBe(true)
    expect(await holds({ ROLES_FROM: 'token' }, {})).toBe(false)
  })

  staged('of somebody else’s user info are refused, and asking in vain signs nobody out', async ({ stage: { claims }, variant }) => {
    const server = await variant({ ISSUER: provider.issuer, ROLES_FROM: 'userinfo' })
    provider.userInfo = () => ({ body: { sub: 'another', [rolesClaim]: { 'org-owner': { x: 'x' } } } })
    expect(await server.as(await honest(claims)).get('/data/me')).toMatchObject({ status: 401 })
    provider.userInfo = () => ({ status: 500, body: {} })
    expect(await server.as(await honest(claims)).get('/data/me')).toMatchObject({ status: 503, body: { reason: 'sign_in_service' } })
  })
})

describe('with introspection', () => {
  const introspecting = staged.extend<{ opaque: { server: Variant; says: (more: Record<string, unknown>) => string } }>({
    opaque: async ({ stage: { claims }, variant }, use) => {
      const settings = { AUTH_MODE: 'introspection', INTROSPECTION_CLIENT_ID: 'api client', INTROSPECTION_CLIENT_SECRET: 's:e/cret' }
      const answers = new Map<string, unknown>()
      provider.introspect = (token, authorization) => {
        const [id, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':').map(decodeURIComponent)
        return id === 'api client' && secret === 's:e/cret' ? { body: answers.get(token) ?? { active: false } } : { status: 401, body: {} }
      }
      const honestly = () => ({
        active: true,
        iss: provider.issuer,
        aud: [project],
        client_id: client,
        iat: now(),
        exp: now() + 600,
        ...claims,
      })
      await use({
        server: await variant({ ISSUER: provider.issuer, ...settings }),
        says: (more) => {
          const token = randomUUID()
          answers.set(token, { ...honestly(), ...more })
          return token
        },
      })
    },
  })

  introspecting('an opaque token opens the door, asked about once a minute', async ({ opaque: { server, says } }) => {
    const token = says({})
    const before = provider.fetches.introspection
    for (let n = 0; n < 20; n++) expect(await server.as(token).get('/data/me')).toMatchObject({ status: 200 })
    expect(provider.fetches.introspection - before).toBe(1)
  })

  introspecting('everything that is not ours or not alive is refused', async ({ opaque: { server, says } }) => {
    const lies: Record<string, unknown>[] = [
      { active: false },
      { active: 'true' },
      { iss: 'https://evil.example' },
      { aud: ['another-project'] },
      { aud: undefined },
      { client_id: 'another-client' },
      { exp: now() - 31 },
      { exp: undefined },
      { iat: undefined },
      { iat: now() + 70 },
      { nbf: now() + 40 },
      { sub: undefined },
      { nonce: 'n' },
    ]
    for (const lie of lies) expect(await server.as(says(lie)).get('/data/me'), JSON.stringify(lie)).toMatchObject({ status: 401 })
    expect(await server.as(randomUUID()).get('/data/me')).toMatchObject({ status: 401 })
  })

  introspecting('a provider that cannot be asked signs nobody out', async ({ opaque: { server, says } }) => {
    const token = says({})
    for (const fault of ['refuses', 'html', 'broken'] as const) {
      provider.fault = fault
      expect(await server.as(token).get('/data/me'), fault).toMatchObject({ status: 503, body: { reason: 'sign_in_service' } })
    }
    provider.fault = 'none'
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await server.as(token).get('/data/me')).toMatchObject({ status: 200 })
  })

  test('the settings say what is missing', async ({ variant }) => {
    await expect(variant({ AUTH_MODE: 'introspection' })).rejects.toThrow(/INTROSPECTION_CLIENT_ID[\s\S]*INTROSPECTION_CLIENT_SECRET/)
  })
})
