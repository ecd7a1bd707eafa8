// @vitest-environment node
import { InMemoryWebStorage, WebStorageStateStore } from 'oidc-client-ts'
import type { INavigator } from 'oidc-client-ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hostileProvider } from '../../testing/hostile-provider.ts'
import type { Mutations } from '../../testing/hostile-provider.ts'
import { StrictUserManager } from './user-manager.ts'

let provider: Awaited<ReturnType<typeof hostileProvider>>

beforeEach(async () => {
  // The clock stands still, so that limits of one second can be tested.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  provider = await hostileProvider()
})
afterEach(() => {
  provider.stop()
  vi.useRealTimers()
})

function client() {
  const state = new InMemoryWebStorage()
  let sentTo = ''
  const leaving: INavigator = {
    prepare: async () => ({
      navigate: async ({ url }) => {
        sentTo = url
        return { url }
      },
      close: () => {},
    }),
    callback: async () => {},
  }
  const manager = new StrictUserManager(
    {
      authority: provider.issuer,
      client_id: 'web',
      redirect_uri: 'http://localhost:3000/auth/signinwin/zitadel',
      scope: 'openid profile email offline_access',
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: new WebStorageStateStore({ store: state }),
      automaticSilentRenew: false,
      staleStateAgeInSeconds: 900,
    },
    leaving,
  )
  return {
    manager,
    state,
    /** Goes to the provider and comes back with an answer that fits. */
    signIn: async (extra: Record<string, string> = {}) => {
      await manager.signinRedirect({ state: { to: '/members' } })
      const asked = new URL(sentTo).searchParams
      provider.state.nonce = asked.get('nonce') ?? ''
      const answer = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', ...extra })
      return manager.signinRedirectCallback(`http://localhost:3000/auth/signinwin/zitadel?${answer}`)
    },
  }
}

const signInWith = (mutate: Mutations, extra?: Record<string, string>) => {
  provider.state.mutate = mutate
  return client().signIn(extra)
}
const without =
  (...names: string[]) =>
  (answer: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)))
const now = () => Math.floor(Date.now() / 1000)
const claim = (changes: Record<string, unknown>): Mutations => ({ claims: (honest) => ({ ...honest, ...changes }) })

test('an honest provider signs somebody in, with a nonce, a name and without protocol claims', async () => {
  const user = await client().signIn()
  expect(provider.state.nonce).toMatch(/^[0-9a-f-]{36}$/)
  expect(user.profile).toMatchObject({ iss: provider.issuer, sub: 'owner', name: 'Olive Owner' })
  expect(user.profile).not.toHaveProperty('nonce')
  expect(user.state).toEqual({ to: '/members' })
})

const other = 'https://evil.example'
test.each<[string, Mutations]>([
  ['N06 another nonce', claim({ nonce: 'other' })],
  ['N07 no nonce', claim({ nonce: undefined })],
  ['N08 another issuer', claim({ iss: other })],
  ['N09 no issuer', claim({ iss: undefined })],
  ['N12 discovery of another issuer', { discovery: (honest) => ({ ...honest, issuer: other }) }],
  ['N13 another audience', claim({ aud: 'other' })],
  ['N15 several audiences without azp', claim({ aud: ['web', 'project'], azp: undefined })],
  ['N16 another azp', claim({ azp: 'other' })],
  ['N17 no iat', claim({ iat: undefined })],
  ['N20 no exp', claim({ exp: undefined })],
  ['N21 no signature', { signing: 'none' }],
  ['N22 the public key used as a secret', { signing: 'public key as secret' }],
  ['N23 a payload altered after signing', { signing: 'altered payload' }],
  ['N24 a foreign key under a known name', { signing: 'other key' }],
  ['N25 an unknown key', { signing: 'unknown kid' }],
  ['N27 no subject', claim({ sub: undefined })],
  ['N28 user info of somebody else', { userInfo: (honest) => ({ status: 200, body: { ...honest, sub: 'else' } }) }],
  ['N29 user info refused', { userInfo: () => ({ status: 401, body: {} }) }],
  ['N30 no id token', { token: without('id_token') }],
  ['N32 no expires_in', { token: without('expires_in') }],
  ['N33 another token type', { token: (honest) => ({ ...honest, token_type: 'mac' }) }],
])('refuses %s', async (_, mutate) => {
  const { manager, signIn } = client()
  provider.state.mutate = mutate
  await expect(signIn()).rejects.toThrow(Error)
  expect(await manager.getUser()).toBeNull()
})

test('N31 an answer without access token is refused by its name', async () => {
  await expect(signInWith({ token: without('access_token') })).rejects.toThrow('No access token returned from token endpoint')
})

describe('issuer in the answer', () => {
  const advertised: Mutations = { discovery: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }) }
  test('N10 a wrong one is refused, and its state can never be tried again', async () => {
    const { state, signIn } = client()
    await expect(signIn({ iss: other })).rejects.toThrow('names another issuer')
    expect(state.length).toBe(0)
    expect(provider.state.tokenCalls).toBe(0)
  })
  test('N11 a missing one is refused when it was announced', () =>
    expect(signInWith(advertised)).rejects.toThrow('does not name its issuer'))
  test('a right one is accepted', async () => expect((await signInWith(advertised, { iss: provider.issuer })).profile.sub).toBe('owner'))
})

test('N14 more audiences are fine when the token was made for us', async () => {
  expect((await signInWith(claim({ aud: ['web', 'project'] }))).profile.sub).toBe('owner')
})

describe('clocks may differ by 300 seconds and not by one more', () => {
  const cases: [string, 'iat' | 'nbf' | 'exp', number, boolean][] = [
    ['N18', 'iat', 299, true],
    ['N18', 'iat', 300, true],
    ['N18', 'iat', 301, false],
    ['N19', 'nbf', 299, true],
    ['N19', 'nbf', 300, true],
    ['N19', 'nbf', 301, false],
    ['N20', 'exp', -299, true],
    ['N20', 'exp', -300, true],
    ['N20', 'exp', -301, false],
  ]
  test.each(cases)('%s %s %i seconds from now: %s', async (_, name, seconds, accepted) => {
    const outcome = signInWith(claim({ [name]: now() + seconds }))
    if (accepted) await expect(outcome).resolves.toBeDefined()
    else await expect(outcome).rejects.toThrow(Error)
  })
})

describe('a kept sign-in', () => {
  test.each([
    [899, true],
    [901, false],
  ])('N05 of %i seconds ago is usable: %s', async (age, usable) => {
    const { manager, signIn } = client()
    const leave = manager.signinRedirect.bind(manager)
    manager.signinRedirect = async (args) => {
      await leave(args)
      vi.setSystemTime(Date.now() + age * 1000)
    }
    if (usable) await expect(signIn()).resolves.toBeDefined()
    else await expect(signIn()).rejects.toThrow('No matching state found in storage')
  })
  test('N01 with a forged state finds nothing', () => expect(client().signIn({ state: 'forged' })).rejects.toThrow('No matching state'))
})

describe('renewal', () => {
  const renewWith = async (mutate: Mutations) => {
    const { manager, signIn } = client()
    await signIn()
    provider.state.mutate = mutate
    return { manager, outcome: manager.signinSilent() }
  }

  test.each<[string, Mutations]>([
    ['R02 another subject', claim({ sub: 'else' })],
    ['R03 another moment of sign-in', claim({ auth_time: 1 })],
    ['R04 another azp', claim({ azp: 'other' })],
    ['R05 an azp that vanished', claim({ azp: undefined })],
    ['R06 another issuer', claim({ iss: other })],
    ['R07 another audience', claim({ aud: 'other' })],
    ['R09 no access token', { token: without('access_token') }],
    ['R12 no expires_in', { token: without('expires_in') }],
  ])('refuses %s', async (_, mutate) => {
    const { outcome } = await renewWith(mutate)
    await expect(outcome).rejects.toThrow(Error)
  })

  test('R08 refuses an id token that ended 301 seconds ago', async () => {
    const { outcome } = await renewWith(claim({ exp: now() - 301 }))
    await expect(outcome).rejects.toThrow(Error)
  })

  test('R01 brings a new access token and a new refresh token', async () => {
    const { outcome } = await renewWith({})
    expect(await outcome).toMatchObject({ access_token: 'at-2', refresh_token: 'rt-2' })
  })

  test('R10 and R13 keep the old id token and refresh token when the answer has none', async () => {
    const { outcome } = await renewWith({ token: without('id_token', 'refresh_token') })
    const user = await outcome
    expect(user).toMatchObject({ access_token: 'at-2', refresh_token: 'rt-1' })
    expect(user?.profile).toMatchObject({ sub: 'owner', name: 'Olive Owner' })
  })

  test('a role taken away at the provider does not survive', async () => {
    const { outcome } = await renewWith({ token: without('id_token'), userInfo: (honest) => ({ status: 200, body: honest }) })
    expect(Object.keys((await outcome)?.profile ?? {})).not.toContain('urn:zitadel:iam:org:project:p:roles')
  })

  test('R14 survives a failing user info, with the new refresh token and the name of before', async () => {
    const { outcome } = await renewWith({ userInfo: () => ({ status: 500, body: {} }) })
    const user = await outcome
    expect(user).toMatchObject({ refresh_token: 'rt-2' })
    expect(user?.profile.name).toBe('Olive Owner')
  })

  test('R16 two at once are one request', async () => {
    const { manager, outcome } = await renewWith({})
    const [first, second] = await Promise.all([outcome, manager.signinSilent()])
    expect(first?.access_token).toBe(second?.access_token)
    expect(provider.state.tokenCalls).toBe(2)
  })

  test('R15 gives up on a provider that does not answer after 10 seconds', async () => {
    const { manager, signIn } = client()
    await signIn()
    provider.state.mutate = { hang: true }
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() })
    const outcome = manager.signinSilent()
    const failed = expect(outcome).rejects.toThrow(/timed out/i)
    while (provider.state.tokenCalls < 2) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(10_000)
    await failed
  })

  test('N26 fetches the keys again when the provider changed them', async () => {
    const { manager, signIn } = client()
    await signIn()
    await provider.rotate()
    // A known name with another key: refused at first, accepted once the keys are ten minutes old.
    vi.setSystemTime(Date.now() + 601_000)
    expect((await manager.signinSilent())?.access_token).toBe('at-2')
  })
})
