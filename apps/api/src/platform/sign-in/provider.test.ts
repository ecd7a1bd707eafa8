import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { test } from '../../testing.ts'
import type { Variant } from '../../testing.ts'
import { hostileProvider, newKey, orgClaim } from './provider-testing.ts'
import type { HostileProvider } from './provider-testing.ts'

type Stage = {
  server: Variant
  provider: HostileProvider
  token: (more?: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>
}

const staged = test.extend<{ stage: Stage }>({
  stage: async ({ variant, organisation, admin }, use) => {
    const provider = await hostileProvider()
    const org = await organisation()
    const subject = randomUUID()
    await admin.query(`insert into app.accounts (org_id, issuer, subject, status) values ($1, $2, $3, 'active')`, [
      org.id,
      provider.issuer,
      subject,
    ])
    const server = await variant({ ISSUER: provider.issuer })
    await use({
      server,
      provider,
      token: (more, header) => provider.accessToken({ sub: subject, [orgClaim]: org.id, ...more }, header),
    })
    await provider.stop()
  },
})

const statusOf = async (server: Variant, token: string) => (await server.as(token).get('/data/me')).status
const seconds = () => Math.floor(Date.now() / 1000)

/** Time passes for everything in the process that looks at a clock; timers of the network stay real. */
const pass = (s: number) => vi.advanceTimersByTime(s * 1000)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('F14: the provider is down', () => {
  staged('for 30 minutes: nobody with a token that has not expired notices', async ({ stage: { server, provider, token } }) => {
    expect(await statusOf(server, await token())).toBe(200)
    const old = await Promise.all(Array.from({ length: 30 }, () => token({ exp: seconds() + 7200 })))
    const faults = ['refuses', 'html', 'broken', 'empty'] as const
    const seen: number[] = []
    for (const [minute, before] of old.entries()) {
      provider.fault = faults[minute % faults.length] ?? 'refuses'
      pass(60)
      // One from before the outage, one that was signed a moment ago.
      seen.push(await statusOf(server, before), await statusOf(server, await token()))
    }
    expect(seen).toEqual(Array.from({ length: 60 }, () => 200))
    expect(await server.as(await token({}, { kid: 'new' })).get('/data/me')).toMatchObject({
      status: 503,
      body: { reason: 'sign_in_service' },
    })
    expect(await statusOf(server, await token({ iat: seconds() - 900, exp: seconds() - 60 }))).toBe(401)
    provider.fault = 'none'
    pass(31)
    expect(await statusOf(server, await token())).toBe(200)
  })

  staged('for more than a day: 503, never 401', async ({ stage: { server, provider, token } }) => {
    expect(await statusOf(server, await token())).toBe(200)
    provider.fault = 'refuses'
    pass(24 * 3600 - 60)
    expect(await statusOf(server, await token())).toBe(200)
    pass(120)
    expect(await server.as(await token()).get('/data/me')).toMatchObject({
      status: 503,
      body: { reason: 'sign_in_service' },
      headers: { 'retry-after': '5' },
    })
  })

  staged('A07: from the start: 503, never 401, and well as soon as it answers', async ({ stage: { server, provider, token } }) => {
    for (const fault of ['refuses', 'html', 'broken', 'empty'] as const) {
      provider.fault = fault
      for (let n = 0; n < 3; n++) expect(await statusOf(server, await token()), fault).toBe(503)
      pass(2)
    }
    provider.fault = 'none'
    expect(await statusOf(server, await token())).toBe(200)
  })

  staged('when another one answers in its place: 503, until it is itself again', async ({ stage: { server, provider, token } }) => {
    provider.discovery['issuer'] = 'https://another.example'
    expect(await statusOf(server, await token())).toBe(503)
    provider.discovery['issuer'] = provider.issuer
    pass(2)
    expect(await statusOf(server, await token())).toBe(200)
  })

  staged('and asked for no more than twice a minute while it is', async ({ stage: { server, provider, token } }) => {
    expect(await statusOf(server, await token())).toBe(200)
    provider.fault = 'html'
    pass(601)
    const before = provider.fetches.keys
    for (let n = 0; n < 60; n++) {
      await statusOf(server, await token())
      pass(1)
    }
    expect(provider.fetches.keys - before).toBeLessThanOrEqual(2)
  })
})

describe('F15: the keys change', () => {
  staged('first published, then used: nobody notices', async ({ stage: { server, provider, token } }) => {
    const seen: number[] = []
    for (let round = 0; round < 5; round++) {
      seen.push(await statusOf(server, await token()))
      const next = await newKey()
      provider.published = [...provider.published, next.jwk]
      pass(31)
      seen.push(await statusOf(server, await token()))
      provider.key = next
      pass(31)
      seen.push(await statusOf(server, await token()))
    }
    expect(seen).toEqual(seen.map(() => 200))
  })

  staged('used as they are published: accepted within 30 seconds', async ({ stage: { server, provider, token } }) => {
    expect(await statusOf(server, await token())).toBe(200)
    const next = await newKey()
    provider.published = [next.jwk]
    provider.key = next
    let waited = 0
    while ((await statusOf(server, await token())) !== 200) {
      pass(1)
      waited++
      expect(waited).toBeLessThanOrEqual(30)
    }
  })

  staged(
    'A08: 200 names that no key has over the network, and 10,000 within a minute, cost two fetches',
    async ({ stage: { server, provider, token } }) => {
      expect(await statusOf(server, await token())).toBe(200)
      pass(31)
      const before = provider.fetches.keys
      for (let n = 0; n < 200; n++) expect(await statusOf(server, await token({}, { kid: `bogus-${n}` }))).toBe(401)
      expect(provider.fetches.keys - before).toBe(1)
      const forged = (await token()).split('.')
      for (let n = 0; n < 10_000; n++) {
        const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid: `k${n}` })).toString('base64url')
        await expect(server.services.tokens.verify([header, forged[1], forged[2]].join('.'))).rejects.toMatchObject({ kind: 'invalid' })
        if (n % 200 === 199) pass(1)
      }
      expect(provider.fetches.keys - before).toBeLessThanOrEqual(3)
      // A burst like this is shed for a moment; who comes after it is let in.
      await vi.waitFor(async () => expect(await statusOf(server, await token())).toBe(200), 5_000)
    },
  )

  staged('a key that is withdrawn stops working within eleven minutes', async ({ stage: { server, provider, token } }) => {
    expect(await statusOf(server, await token())).toBe(200)
    provider.published = [(await newKey()).jwk]
    pass(660)
    expect(await statusOf(server, await token())).toBe(401)
  })
})

describe('F16: the clocks differ', () => {
  /** Our clock is wrong by so much; the provider's is right. */
  async function skewed(stage: Stage, by: number) {
    const right = Date.now()
    vi.setSystemTime(right + by * 1000)
    stage.provider.ahead = -by
    // Tokens of five minutes, the shortest in use: one fresh, one about to end.
    const at = right / 1000
    const times = (iat: number) => ({ iat: Math.floor(iat), nbf: Math.floor(iat), exp: Math.floor(iat) + 300 })
    const seen = [
      await statusOf(stage.server, await stage.token(times(at))),
      await statusOf(stage.server, await stage.token(times(at - 290))),
    ]
    vi.setSystemTime(right)
    return seen
  }

  staged('by up to 300 seconds: accepted', async ({ stage }) => {
    for (const by of [0, 60, 290, 300, -60, -290, -300]) expect(await skewed(stage, by), `${by}`).toEqual([200, 200])
  })

  staged('by more: refused', async ({ stage }) => {
    // Behind, a token seems to come from the future; ahead, to have ended.
    for (const by of [-310, -600, -3600]) expect((await skewed(stage, by))[0], `${by}`).not.toBe(200)
    for (const by of [310, 600, 3600]) expect((await skewed(stage, by))[1], `${by}`).not.toBe(200)
  })

  staged(
    'a clock that is put back an hour signs nobody out, and keeps no new key out once it is right again',
    async ({ stage: { server, provider, token } }) => {
      expect(await statusOf(server, await token())).toBe(200)
      const right = Date.now()
      vi.setSystemTime(right - 3600_000)
      const next = await newKey()
      provider.published = [next.jwk]
      provider.key = next
      // The database, whose clock is right, no longer believes us.
      expect(await server.as(await token()).get('/data/me')).toMatchObject({ status: 503, body: { reason: 'clock' } })
      vi.setSystemTime(right)
      expect(await statusOf(server, await token())).toBe(200)
    },
  )

  staged('on a leap day and over both changes to and from summer time: accepted', async ({ stage: { server, token } }) => {
    for (const moment of [
      '2028-02-29T00:00:00Z',
      '2028-02-29T23:59:59Z',
      '2027-03-28T00:59:59Z',
      '2027-03-28T01:00:01Z',
      '2027-10-31T00:59:59Z',
      '2027-10-31T01:00:01Z',
    ]) {
      vi.setSystemTime(new Date(moment))
      expect(await statusOf(server, await token()), moment).toBe(200)
    }
  })

  staged('a date that a cache on the way kept is not taken for the provider’s clock', async ({ stage: { server, provider, token } }) => {
    provider.headers = { date: new Date(Date.now() - 280_000).toUTCString(), age: '280' }
    expect(await statusOf(server, await token())).toBe(200)
    expect(server.services.provider.clockAhead()).toBeGreaterThanOrEqual(-1)
  })
})
