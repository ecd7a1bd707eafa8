// @vitest-environment node
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import type { INavigator, SigninRedirectArgs } from 'oidc-client-ts'
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

/** The library as it comes, with the settings of its predecessor: the control that shows what each check of ours is for. */
const stock = UserManager

function client(Manager: typeof UserManager = StrictUserManager) {
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
  const manager = new Manager(
    {
      authority: provider.issuer,
      client_id: 'web',
      redirect_uri: 'http://localhost:3000/auth/signinwin/zitadel',
      scope: 'openid profile email offline_access',
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: new WebStorageStateStore({ store: state }),
      automaticSilentRenew: false,
      staleStateAgeInSeconds: 900,
      loadUserInfo: Manager.name === stock.name,
    },
    leaving,
  )
  return {
    manager,
    state,
    /** Goes to the provider and comes back with an answer that fits. */
    signIn: async (extra: Record<string, string | undefined> = {}, args: SigninRedirectArgs = {}) => {
      await manager.signinRedirect({ state: { to: '/members' }, ...args })
      const asked = new URL(sentTo).searchParams
      provider.state.nonce = asked.get('nonce') ?? ''
      const answer: Record<string, string | undefined> = { code: 'code', state: asked.get('state') ?? '', ...extra }
      const given = Object.entries(answer).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      return manager.signinRedirectCallback(`http://localhost:3000/auth/signinwin/zitadel?${new URLSearchParams(given)}`)
    },
  }
}

const signInWith = (mutate: Mutations, extra?: Record<string, string | undefined>, Manager?: typeof UserManager) => {
  provider.state.mutate = mutate
  return client(Manager).signIn(extra)
}
const stockSignIn = (mutate: Mutations, extra?: Record<string, string | undefined>) => signInWith(mutate, extra, stock)

/** What the stock library does with the same answer, so that no row passes without its guard. */
async function expectStock(result: StockResult, outcome: Promise<unknown>) {
  if (result === 'accepts') await expect(outcome).resolves.toBeDefined()
  else await expect(outcome).rejects.toThrow(Error)
}
type StockResult = 'accepts' | 'refuses'
const without =
  (...names: string[]) =>
  (answer: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)))
const now = () => Math.floor(Date.now() / 1000)
const claim = (changes: Record<string, unknown>): Mutations => ({ claims: (honest) => ({ ...honest, ...changes }) })

test('S3-3 an honest provider signs somebody in, with a nonce, a name and without protocol claims', async () => {
  const user = await client().signIn()
  expect(provider.state.nonce).toMatch(/^[0-9a-f-]{36}$/)
  expect(user.profile).toMatchObject({ iss: provider.issuer, sub: 'owner', name: 'Olive Owner' })
  expect(user.profile).not.toHaveProperty('nonce')
  expect(user.state).toEqual({ to: '/members' })
})

const other = 'https://evil.example'
test.each<[string, Mutations, StockResult]>([
  ['N06 another nonce', claim({ nonce: 'other' }), 'accepts'],
  ['N07 no nonce', claim({ nonce: undefined }), 'accepts'],
  ['N08 another issuer', claim({ iss: other }), 'accepts'],
  ['N09 no issuer', claim({ iss: undefined }), 'accepts'],
  ['N12 discovery of another issuer', { discovery: (honest) => ({ ...honest, issuer: other }) }, 'accepts'],
  ['N13 another audience', claim({ aud: 'other' }), 'accepts'],
  ['N15 several audiences without azp', claim({ aud: ['web', 'project'], azp: undefined }), 'accepts'],
  ['N16 another azp', claim({ azp: 'other' }), 'accepts'],
  ['N17 no iat', claim({ iat: undefined }), 'accepts'],
  ['N20 no exp', claim({ exp: undefined }), 'accepts'],
  ['N21 no signature', { signing: 'none' }, 'accepts'],
  ['N22 the public key used as a secret', { signing: 'public key as secret' }, 'accepts'],
  ['N23 a payload altered after signing', { signing: 'altered payload' }, 'accepts'],
  ['N24 a foreign key under a known name', { signing: 'other key' }, 'accepts'],
  ['N25 an unknown key', { signing: 'unknown kid' }, 'accepts'],
  ['N27 no subject', claim({ sub: undefined }), 'refuses'],
  ['N28 user info of somebody else', { userInfo: (honest) => ({ status: 200, body: { ...honest, sub: 'else' } }) }, 'refuses'],
  ['N29 user info refused', { userInfo: () => ({ status: 401, body: {} }) }, 'refuses'],
  ['N30 no id token', { token: without('id_token') }, 'refuses'],
  ['N32 no expires_in', { token: without('expires_in') }, 'accepts'],
  ['N33 another token type', { token: (honest) => ({ ...honest, token_type: 'mac' }) }, 'accepts'],
  ['N36 a token endpoint that is down', { dead: '/token' }, 'refuses'],
  ['N37 a page of a proxy in place of tokens', { html: '/token' }, 'refuses'],
  ['N38 no discovery', { dead: '/.well-known/openid-configuration' }, 'refuses'],
])('refuses %s', async (_, mutate, stockResult) => {
  const { manager, signIn } = client()
  provider.state.mutate = mutate
  await expect(signIn()).rejects.toThrow(Error)
  expect(await manager.getUser()).toBeNull()
  await expectStock(stockResult, stockSignIn(mutate))
})

test('the library compares a nonce only when it is given one, which its own renewals are not', async () => {
  provider.state.mutate = claim({ nonce: 'other' })
  await expect(client(stock).signIn({}, { nonce: 'ours' })).rejects.toThrow('nonce')
})

test('N31 S8-12 an answer without access token is refused by its name', async () => {
  const mutate = { token: without('access_token') }
  await expect(signInWith(mutate)).rejects.toThrow('No access token returned from token endpoint')
  // Without a token to ask with, the library skips user info and keeps an empty one.
  expect(await stockSignIn(mutate)).toMatchObject({ access_token: '' })
})

describe('issuer in the answer', () => {
  const advertised: Mutations = { discovery: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }) }
  test('N10 a wrong one is refused, and its state can never be tried again', async () => {
    const { state, signIn } = client()
    await expect(signIn({ iss: other })).rejects.toThrow('names another issuer')
    expect(state.length).toBe(0)
    expect(provider.state.tokenCalls).toBe(0)
    await expectStock('accepts', stockSignIn({}, { iss: other }))
  })
  test('N11 a missing one is refused when it was announced', async () => {
    await expect(signInWith(advertised)).rejects.toThrow('does not name its issuer')
    await expectStock('accepts', stockSignIn(advertised))
  })
  test('a right one is accepted', async () => expect((await signInWith(advertised, { iss: provider.issuer })).profile.sub).toBe('owner'))
})

test('N14 more audiences are fine when the token was made for us', async () => {
  expect((await signInWith(claim({ aud: ['web', 'project'] }))).profile.sub).toBe('owner')
})

describe('S5-6 clocks may differ by 300 seconds and not by one more', () => {
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
    const mutate = claim({ [name]: now() + seconds })
    const outcome = signInWith(mutate)
    if (accepted) await expect(outcome).resolves.toBeDefined()
    else await expect(outcome).rejects.toThrow(Error)
    await expectStock('accepts', stockSignIn(mutate))
  })
})

describe('a kept sign-in', () => {
  test.each([
    [899, true],
    [901, false],
  ])('N05 of %i seconds ago is usable: %s', async (age, usable) => {
    const late = (Manager?: typeof UserManager) => signInLater(client(Manager), age)
    if (usable) await expect(late()).resolves.toBeDefined()
    else await expect(late()).rejects.toThrow('No matching state found in storage')
    await expectStock('accepts', late(stock))
  })

  function signInLater({ manager, signIn }: ReturnType<typeof client>, age: number) {
    const leave = manager.signinRedirect.bind(manager)
    manager.signinRedirect = async (args) => {
      await leave(args)
      vi.setSystemTime(Date.now() + age * 1000)
    }
    return signIn()
  }

  test.each<[string, Record<string, string | undefined>]>([
    ['N01 with a forged state', { state: 'forged' }],
    ['N02 without a state', { state: undefined }],
    ['N34 that the provider denied', { code: undefined, error: 'access_denied' }],
    ['N35 answered without a code', { code: undefined }],
  ])('%s leads nowhere', async (_, answer) => {
    await expect(signInWith({}, answer)).rejects.toThrow(Error)
    expect(provider.state.tokenCalls).toBe(0)
    await expectStock('refuses', stockSignIn({}, answer))
  })

  test('N03 works once: the same address again finds nothing', async () => {
    const { manager, signIn } = client()
    const answer = vi.spyOn(manager, 'signinRedirectCallback')
    await signIn()
    await expect(manager.signinRedirectCallback(answer.mock.calls[0]?.[0])).rejects.toThrow('No matching state')
  })

  test('N04 refuses a code that was used before, under whatever state', async () => {
    const used: Mutations = { codes: 'once' }
    await signInWith(used)
    await expect(client().signIn()).rejects.toThrow('invalid_grant')
    await expectStock('refuses', client(stock).signIn())
  })
})

describe('renewal', () => {
  const renewWith = async (mutate: Mutations, Manager?: typeof UserManager) => {
    const { manager, signIn } = client(Manager)
    provider.state.mutate = {}
    await signIn()
    provider.state.mutate = mutate
    return { manager, outcome: manager.signinSilent() }
  }

  test.each<[string, Mutations, StockResult]>([
    ['R02 another subject', claim({ sub: 'else' }), 'refuses'],
    ['R03 another moment of sign-in', claim({ auth_time: 1 }), 'refuses'],
    ['R04 another azp', claim({ azp: 'other' }), 'refuses'],
    ['R05 an azp that vanished', claim({ azp: undefined }), 'refuses'],
    ['R06 another issuer', claim({ iss: other }), 'accepts'],
    ['R07 another audience', claim({ aud: 'other' }), 'accepts'],
    ['R08 an id token that ended 301 seconds ago', { claims: (honest) => ({ ...honest, exp: now() - 301 }) }, 'accepts'],
    ['R09 no access token', { token: without('access_token') }, 'accepts'],
    ['R12 no expires_in', { token: without('expires_in') }, 'accepts'],
  ])('refuses %s', async (_, mutate, stockResult) => {
    await expect((await renewWith(mutate)).outcome).rejects.toThrow(Error)
    await expectStock(stockResult, (await renewWith(mutate, stock)).outcome)
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
    const mutate: Mutations = { userInfo: () => ({ status: 500, body: {} }) }
    const { outcome } = await renewWith(mutate)
    const user = await outcome
    expect(user).toMatchObject({ refresh_token: 'rt-2' })
    expect(user?.profile.name).toBe('Olive Owner')
    // The library fails and keeps a refresh token that the provider has already replaced.
    const { manager, outcome: failing } = await renewWith(mutate, stock)
    await expect(failing).rejects.toThrow(Error)
    expect(await manager.getUser()).toMatchObject({ refresh_token: 'rt-3' })
    expect(provider.state.tokenCalls).toBe(4)
  })

  test('R16 two at once are one request', async () => {
    const { manager, outcome } = await renewWith({ rotation: 'strict' })
    const [first, second] = await Promise.all([outcome, manager.signinSilent()])
    expect(first?.access_token).toBe(second?.access_token)
    expect(provider.state.tokenCalls).toBe(2)
    // The library spends the same refresh token twice, and a provider that guards against theft then ends the sign-in.
    const other = await renewWith({ rotation: 'strict' }, stock)
    const both = await Promise.allSettled([other.outcome, other.manager.signinSilent()])
    expect(both.map(({ status }) => status)).toContain('rejected')
    await expect(other.manager.signinSilent()).rejects.toThrow('invalid_grant')
  })

  test('R15 gives up on a provider that does not answer after 10 seconds', async () => {
    const { outcome, advance } = await hanging()
    const failed = expect(outcome).rejects.toThrow('Network timed out')
    await advance(9_900)
    expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting')
    await advance(100)
    await failed
  })

  test('R15 control: the library waits for ever', async () => {
    const { outcome, advance } = await hanging(stock)
    await advance(60_000)
    expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting')
  })

  async function hanging(Manager?: typeof UserManager) {
    const { manager, signIn } = client(Manager)
    await signIn()
    provider.state.mutate = { hang: true }
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() })
    const outcome = manager.signinSilent()
    outcome.catch(() => {})
    while (provider.state.tokenCalls < 2) await new Promise((resolve) => setImmediate(resolve))
    return { outcome, advance: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
  }

  test('N26 fetches the keys again when the provider changed them', async () => {
    const { manager, signIn } = client()
    await signIn()
    await provider.rotate()
    // A known name with another key: refused at first, accepted once the keys are ten minutes old.
    vi.setSystemTime(Date.now() + 601_000)
    expect((await manager.signinSilent())?.access_token).toBe('at-2')
  })
})
