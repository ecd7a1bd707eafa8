import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Variant } from '../../testing.ts'
import { client, hostileProvider, logoutEvent, newKey, orgClaim, project } from './provider-testing.ts'
import type { HostileProvider } from './provider-testing.ts'

let provider: HostileProvider
beforeAll(async () => {
  provider = await hostileProvider()
})
afterAll(() => provider.stop())

const staged = test.extend<{ stage: { server: Variant; subject: string; token: (more?: Record<string, unknown>) => Promise<string> } }>({
  stage: async ({ variant, organisation, admin }, use) => {
    const org = await organisation()
    const subject = randomUUID()
    await admin.query(`insert into app.accounts (org_id, issuer, subject, status) values ($1, $2, $3, 'active')`, [
      org.id,
      provider.issuer,
      subject,
    ])
    const server = await variant({ ISSUER: provider.issuer })
    await use({ server, subject, token: (more) => provider.accessToken({ sub: subject, [orgClaim]: org.id, ...more }) })
  },
})

const now = () => Math.floor(Date.now() / 1000)
async function send({ app }: Variant, fields: Record<string, string> | string, type = 'application/x-www-form-urlencoded') {
  const payload = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  const { statusCode, headers, body } = await app.inject({
    method: 'POST',
    url: '/auth/backchannel-logout',
    payload,
    headers: { 'content-type': type },
  })
  return { status: statusCode, cache: headers['cache-control'], body }
}
const obeyed = { status: 200, cache: 'no-store' }
const refused = { status: 400, cache: 'no-store' }
const statusOf = async (server: Variant, token: string) => (await server.as(token).get('/data/me')).status

describe('A14: a sign-out at the provider', () => {
  staged(
    'refuses every earlier access token, everywhere and at once, and no later one',
    async ({ stage: { server, subject, token }, variant }) => {
      const other = await variant({ ISSUER: provider.issuer })
      const old = await token({ iat: now() - 5 })
      const laptop = await token({ iat: now() - 300 })
      for (const open of [old, laptop]) for (const at of [server, other]) expect(await statusOf(at, open)).toBe(200)
      expect(await send(server, { logout_token: await provider.logoutToken({ sub: subject, sid: 's' }) })).toMatchObject(obeyed)
      for (const open of [old, laptop]) {
        expect(await server.as(open).get('/data/me')).toMatchObject({ status: 401, body: { reason: 'signed_out' } })
        expect(await server.as(open).post('/data/rpc/update_account_login')).toMatchObject({ status: 401, body: { reason: 'signed_out' } })
      }
      expect(await statusOf(server, await token({ iat: now() + 1 }))).toBe(200)
      // The other server remembers an account for three seconds.
      await new Promise((resolve) => setTimeout(resolve, 3_200))
      expect(await statusOf(other, old)).toBe(401)
    },
  )

  staged('refuses what was issued in its own second, until a renewal gets through', async ({ stage: { server, subject, token } }) => {
    // Before half of a second is over, so that the sign-out and all that follows begin in the same one.
    while (Date.now() % 1000 > 300) await new Promise((resolve) => setTimeout(resolve, 20))
    const iat = now()
    const stolen = await token({ iat })
    expect(await send(server, { logout_token: await provider.logoutToken({ sub: subject, iat }) })).toMatchObject(obeyed)
    const fresh = await token({ iat })
    const answers = await Promise.all([stolen, fresh].map((one) => server.as(one).get('/data/me')))
    for (const answer of answers) expect(answer).toMatchObject({ status: 401, body: { reason: 'signed_out' } })
    // What a browser does with a 401: one renewal, one replay.
    const renewed = await token({ iat: now() })
    expect(await statusOf(server, renewed)).toBe(200)
    const from = Date.now()
    expect(await statusOf(server, stolen)).toBe(401)
    expect(Date.now() - from).toBeLessThan(500)
  })

  staged('of somebody else changes nothing', async ({ stage: { server, token } }) => {
    const mine = await token({ iat: now() - 5 })
    expect(await send(server, { logout_token: await provider.logoutToken({ sub: randomUUID() }) })).toMatchObject(obeyed)
    expect(await statusOf(server, mine)).toBe(200)
  })

  staged('is obeyed once: a replay neither works nor signs a new session out', async ({ stage: { server, subject, token } }) => {
    const logout = await provider.logoutToken({ sub: subject })
    expect(await send(server, { logout_token: logout })).toMatchObject(obeyed)
    expect(await send(server, { logout_token: logout })).toMatchObject(refused)
    expect(await statusOf(server, await token({ iat: now() + 1 }))).toBe(200)
    const both = await provider.logoutToken({ sub: subject })
    const race = await Promise.all([1, 2, 3].map(() => send(server, { logout_token: both })))
    expect(race.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  staged('never moves the time back', async ({ stage: { server, subject, token }, admin }) => {
    const later = await provider.logoutToken({ sub: subject, iat: now() })
    const earlier = await provider.logoutToken({ sub: subject, iat: now() - 100 })
    for (const logout_token of [later, earlier]) expect(await send(server, { logout_token })).toMatchObject(obeyed)
    expect(await statusOf(server, await token({ iat: now() - 50 }))).toBe(401)
    const { rows } = await admin.query<{ at: string }>(
      'select extract(epoch from tokens_valid_after)::int as at from app.accounts where subject = $1',
      [subject],
    )
    expect(Number(rows[0]?.at)).toBeGreaterThan(now() - 50)
  })

  staged('is refused in every forged kind, with 400, no-store and no effect', async ({ stage: { server, subject, token } }) => {
    const foreign = await newKey('key-1')
    const honest = (more: Record<string, unknown> = {}, header: object = {}) =>
      provider.logoutToken({ sub: subject, ...more }, { ...header })
    const forged: [kind: string, token: Promise<string> | string][] = [
      ['a nonce', honest({ nonce: 'n' })],
      ['another type', honest({}, { typ: 'JWT' })],
      ['no type', honest({}, { typ: undefined })],
      ['an access token', token()],
      ['another issuer', honest({ iss: 'https://evil.example' })],
      ['another audience', honest({ aud: 'another-client' })],
      ['the project as audience', honest({ aud: project })],
      ['no audience', honest({ aud: undefined })],
      ['no event', honest({ events: undefined })],
      ['another event', honest({ events: { 'http://schemas.openid.net/event/other': {} } })],
      ['an event that is no object', honest({ events: { [logoutEvent]: true } })],
      ['events as a list', honest({ events: [logoutEvent] })],
      ['no time of issue', honest({ iat: undefined })],
      ['issued long ago', honest({ iat: now() - 700, exp: undefined })],
      ['issued in the future', honest({ iat: now() + 120 })],
      ['expired', honest({ iat: now() - 300, exp: now() - 90 })],
      ['no id', honest({ jti: undefined })],
      ['an empty id', honest({ jti: '' })],
      ['neither subject nor session', honest({ sub: undefined })],
      ['a session alone, which our tokens do not name', honest({ sub: undefined, sid: 's' })],
      ['an empty subject', honest({ sub: '' })],
      ['a foreign key', provider.logoutToken({ sub: subject }, {}, foreign.privateKey)],
      ['an unknown key', honest({}, { kid: 'nobody' })],
      [
        'alg none',
        new UnsecuredJWT({ iss: provider.issuer, aud: client, sub: subject, jti: 'x', events: { [logoutEvent]: {} } })
          .setIssuedAt()
          .encode(),
      ],
      ['nonsense', 'nonsense'],
      ['nothing', ''],
    ]
    const mine = await token({ iat: now() - 5 })
    for (const [kind, logout] of forged) expect(await send(server, { logout_token: await logout }), kind).toMatchObject(refused)
    expect(await send(server, {})).toMatchObject(refused)
    expect(await send(server, '{"logout_token":"x"}', 'application/json')).toMatchObject(refused)
    expect(await send(server, 'x', 'text/plain')).toMatchObject(refused)
    expect(await send(server, { logout_token: 'x'.repeat(100_000) })).toMatchObject(refused)
    expect(await statusOf(server, mine)).toBe(200)
    // The control: the honest one among them works.
    expect(await send(server, { logout_token: await honest() })).toMatchObject(obeyed)
    expect(await statusOf(server, mine)).toBe(401)
  })

  staged('that cannot be checked now is answered with 400, so that the provider knows', async ({ stage: { subject }, variant }) => {
    provider.fault = 'refuses'
    const server = await variant({ ISSUER: provider.issuer })
    expect(await send(server, { logout_token: await provider.logoutToken({ sub: subject }) })).toMatchObject(refused)
    provider.fault = 'none'
    const lost = await variant({ ISSUER: provider.issuer, DATABASE_URL: 'postgres://app_api:x@localhost:9/none' })
    expect(await send(lost, { logout_token: await provider.logoutToken({ sub: subject }) })).toMatchObject(refused)
  })
})
