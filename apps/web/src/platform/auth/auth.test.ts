// @vitest-environment node
import { InMemoryWebStorage, WebStorageStateStore } from 'oidc-client-ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hostileProvider } from '../../testing/hostile-provider.ts'
import type { Mutations } from '../../testing/hostile-provider.ts'
import { createAuth } from './auth.ts'
import type { Auth } from './auth.ts'
import { callbackKind, callbackUrl, slugOf } from './callback-paths.ts'
import { hasRole } from './roles.ts'
import { scopesFor } from './scopes.ts'

const silent = { error: vi.fn(), warn: () => {}, info: () => {}, debug: () => {} }
const config = { issuer: 'https://id.example/', client_id: 'web', project_resource_id: 'p', org_id: 'o' }

describe('construction refuses in this order', () => {
  test('S5-1 a missing name', () => expect(() => createAuth('', 'window', '', config)).toThrow('Auth name is required.'))
  test('S5-2 another type', () => {
    expect(() => createAuth('zitadel', 'tab', '', config)).toThrow('Only window or popup are valid default signin types.')
  })
  test('S5-3 a missing base url', () => expect(() => createAuth('zitadel', 'window', '', config)).toThrow('App base url is required.'))
  test('S5-4 a missing config', () => {
    expect(() => createAuth('zitadel', 'window', 'http://localhost/', undefined)).toThrow('No config provided to oidc auth.')
  })
})

test('S6-2 scopes follow from what is configured', () => {
  expect(scopesFor(null, null)).toBe('openid profile email offline_access urn:zitadel:iam:user:metadata')
  expect(scopesFor('p', 'o')).toBe(
    'openid profile email offline_access urn:zitadel:iam:org:project:id:p:aud urn:zitadel:iam:org:projects:roles urn:zitadel:iam:org:id:o urn:zitadel:iam:user:metadata',
  )
})

test.each([
  ['Zitadel', 'zitadel'],
  [' My Auth_Name, Inc/x ', 'my-auth-name-inc-x'],
  ['Ñandú', 'nandu'],
  ['a!b', 'ab'],
  ['a -- b', 'a-b'],
])('%s becomes %s in an address', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('callback addresses are built and recognised, in any case', () => {
  expect(callbackUrl('http://localhost:3000/', 'signinwin', 'Zitadel')).toBe('http://localhost:3000/auth/signinwin/zitadel')
  expect(callbackKind('/Auth/SigninPop/zitadel')).toBe('signinpop')
  expect(callbackKind('/auth/signinsilent/zitadel/')).toBe('signinsilent')
  expect(callbackKind('/auth/signinpop')).toBeUndefined()
  expect(callbackKind('/members')).toBeUndefined()
})

describe('S6-1 roles', () => {
  const claim = 'urn:zitadel:iam:org:project:p:roles'
  const zitadel = { project_resource_id: 'p' }
  const keycloak = { project_resource_id: 'p', roles_claim: 'resource_access.guildhall-web.roles' }
  test('are own keys of an object, or of any object in a list', () => {
    expect(hasRole({ [claim]: { admin: {} } }, zitadel, 'admin')).toBe(true)
    expect(hasRole({ [claim]: [{ x: {} }, { admin: {} }] }, zitadel, 'admin')).toBe(true)
    expect(hasRole({}, zitadel, 'admin')).toBe(false)
  })
  test('stand where the operator says, also nested, keyed, listed or named', () => {
    const at = (roles: unknown) => ({ resource_access: { 'guildhall-web': { roles } }, [claim]: { other: {} } })
    for (const roles of [{ admin: {} }, [{ x: {} }, { admin: {} }], ['x', 'admin']]) {
      expect(hasRole(at(roles), keycloak, 'admin')).toBe(true)
      expect(hasRole(at(roles), keycloak, 'other')).toBe(false)
    }
    expect(hasRole({ 'a.b': { admin: {} } }, { project_resource_id: 'p', roles_claim: 'a.b' }, 'admin')).toBe(true)
  })
  test('constructor and __proto__ are none', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(hasRole({ [claim]: {} }, zitadel, name)).toBe(false)
      expect(hasRole({ [claim]: [{}] }, zitadel, name)).toBe(false)
    }
    expect(hasRole({}, { project_resource_id: 'p', roles_claim: '__proto__' }, 'toString')).toBe(false)
  })
  test('S5-5 cannot be asked for without a project', () =>
    expect(() => hasRole({}, {}, 'admin')).toThrow('projectResourceID is required for hasRole'))
})

describe('a session', () => {
  let provider: Awaited<ReturnType<typeof hostileProvider>>
  const storage = new InMemoryWebStorage()
  const states = new InMemoryWebStorage()
  const assign = vi.fn()

  beforeEach(async () => {
    provider = await hostileProvider()
    storage.clear()
    vi.stubGlobal('sessionStorage', storage)
    const location = { assign, origin: 'http://localhost:3000', href: 'http://localhost:3000/' }
    vi.stubGlobal('location', location)
    vi.stubGlobal('window', { self: { location, stop: () => {} }, location, addEventListener: () => {} })
    assign.mockClear()
    silent.error.mockClear()
  })
  afterEach(() => {
    for (const session of open.splice(0)) session.stop()
    provider.stop()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  const key = () => `oidc.user:${provider.issuer}:web`
  const stored = (changes: object = {}) =>
    storage.setItem(
      key(),
      JSON.stringify({
        access_token: 'at-0',
        refresh_token: 'rt-0',
        token_type: 'Bearer',
        scope: 'openid',
        profile: { sub: 'owner', iss: provider.issuer, aud: 'web', exp: 1, iat: 1 },
        expires_at: Math.floor(Date.now() / 1000) + 600,
        ...changes,
      }),
    )
  const open: Auth[] = []
  const auth = (more: { scopes?: string } = {}) => {
    const session = createSession(more)
    open.push(session)
    return session
  }
  const createSession = (more: { scopes?: string }) =>
    createAuth(
      'zitadel',
      'window',
      'http://localhost:3000',
      {
        issuer: `${provider.issuer}/`,
        client_id: 'web',
        ...more,
        settings: {
          automaticSilentRenew: false,
          userStore: new WebStorageStateStore({ store: storage }),
          stateStore: new WebStorageStateStore({ store: states }),
          redirectMethod: 'assign',
        },
      },
      silent,
    )

  test('S4-1 S3-4 is taken over from the store and announced, so that the first calls carry the token', async () => {
    stored()
    const session = auth()
    const loaded = vi.fn()
    session.on('loaded', loaded)
    await session.start()
    expect(session.isAuthenticated()).toBe(true)
    expect(session.accessToken()).toBe('at-0')
    expect(loaded).toHaveBeenCalledOnce()
  })

  test('S3-2 that has expired, or says not when it will, is none', async () => {
    for (const expires_at of [1, undefined]) {
      stored({ expires_at })
      const session = auth()
      await session.start()
      expect(session.isAuthenticated()).toBe(false)
      expect(session.accessToken()).toBe('')
      expect(session.profile()).toEqual({ iss: '', sub: '', aud: '', exp: 0, iat: 0 })
    }
  })

  test('C04 that cannot be read is removed and the visitor starts anew', async () => {
    storage.setItem(key(), '{broken')
    const session = auth()
    await session.start()
    expect(session.isAuthenticated()).toBe(false)
    expect(storage.getItem(key())).toBeFalsy()
    expect(silent.error).toHaveBeenCalled()
  })

  test.each([
    ['the same person', {}, null, 'at-1'],
    ['somebody else', { sub: 'member' }, 'somebody else', 'at-0'],
  ])('that is signed in to again is only replaced by the same person: %s', async (_, other, fault, token) => {
    stored()
    const session = auth()
    await session.start()
    const heard: ((event: object) => void)[] = []
    const replace = vi.fn()
    const popup = { closed: false, location: { replace }, focus: () => {}, close: () => {} }
    const listen = { addEventListener: (_name: string, hears: (event: object) => void) => heard.push(hears), removeEventListener: () => {} }
    vi.stubGlobal('window', { location, ...listen, open: () => popup })
    provider.state.mutate = {
      claims: (honest) => ({ ...honest, ...other }),
      userInfo: () => ({ status: 200, body: { sub: 'owner', ...other } }),
    }
    const done = session.signInAgain()
    await vi.waitFor(() => expect(replace).toHaveBeenCalled())
    const asked = new URL(String(replace.mock.calls[0]?.[0])).searchParams
    provider.state.nonce = asked.get('nonce') ?? ''
    const url = `http://localhost:3000/auth/signinpop/zitadel?code=c&state=${asked.get('state') ?? ''}`
    for (const hears of heard) hears({ origin: location.origin, source: popup, data: { source: 'oidc-client', url, keepOpen: false } })
    expect(await done).toBe(fault)
    expect(session.accessToken()).toBe(token)
    expect(session.hasSignedInAgain()).toBe(fault === null)
    expect(JSON.parse(storage.getItem(key()))).toMatchObject({ access_token: token, profile: { sub: 'owner' } })
  })

  test('R11 S4-8 whose refresh token is refused ends at once, without another try', async () => {
    stored()
    const session = auth()
    const ended = vi.fn()
    session.on('ended', ended)
    await session.start()
    provider.state.mutate = { tokenStatus: 400 }
    expect(await session.renew()).toBe(false)
    expect(ended).toHaveBeenCalledWith('provider')
    expect(session.isAuthenticated()).toBe(false)
    expect(storage.getItem(key())).toBeFalsy()
    expect(provider.state.tokenCalls).toBe(1)
  })

  test.each<[string, Mutations]>([
    ['R02 another subject', { claims: (honest) => ({ ...honest, sub: 'else' }) }],
    ['R03 another moment of sign-in', { claims: (honest) => ({ ...honest, auth_time: 1 }) }],
    ['R04 another azp', { claims: (honest) => ({ ...honest, azp: 'other' }) }],
    ['R05 an azp that vanished', { claims: (honest) => ({ ...honest, azp: undefined }) }],
    ['R06 another issuer', { claims: (honest) => ({ ...honest, iss: 'https://evil.example' }) }],
    ['a forged signature', { signing: 'other key' }],
  ])('S5-7 that is renewed with %s ends at once, and is not tried again', async (_, mutate) => {
    const session = auth()
    await session.start()
    await signIn(session)
    const ended = vi.fn()
    session.on('ended', ended)
    provider.state.mutate = mutate
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await session.renew()).toBe(false)
    expect(ended).toHaveBeenCalledExactlyOnceWith('provider')
    expect(storage.getItem(key())).toBeFalsy()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(provider.state.tokenCalls).toBe(2)
  })

  test('C02 is announced after the sign-in, after each renewal and at a start, each time with the token of the moment', async () => {
    const bearers: string[] = []
    const first = auth()
    first.on('loaded', () => bearers.push(first.accessToken()))
    await first.start()
    await signIn(first)
    for (let count = 0; count < 3; count++) expect(await first.renew()).toBe(true)
    first.stop()
    const second = auth()
    second.on('loaded', () => bearers.push(second.accessToken()))
    await second.start()
    expect(bearers).toEqual(['at-1', 'at-2', 'at-3', 'at-4', 'at-4'])
  })

  test('S2-9 S2-10 begins where its visitor wanted to go, or at the base when nothing was kept', async () => {
    expect(await signIn(auth(), '/members?q=a#b')).toBe('/members?q=a#b')
    expect(await signIn(auth(), '//evil.example')).toBe('/')
    expect(await signIn(auth(), '')).toBe('/')
  })

  test.each<[string, Mutations, Record<string, string>, string]>([
    ['the provider denied it', {}, { error: 'access_denied' }, 'refused'],
    ['its id token is forged', { signing: 'other key' }, {}, 'refused'],
    ['the provider is down', { dead: '/token' }, {}, 'blocked'],
    ['its state is unknown', {}, { state: 'unknown' }, 'blocked'],
  ])('S2-11 that failed because %s leads to the base, where a button waits and no circle begins', async (_, mutate, changes, phase) => {
    const session = auth()
    await session.start()
    provider.state.mutate = mutate
    expect(await signIn(session, '/members', changes)).toBe('/')
    expect(silent.error).toHaveBeenCalledWith('Sign-in could not be completed', expect.any(String))
    assign.mockClear()
    await session.signIn('/')
    expect(session.phase()).toBe(phase)
    expect(assign).not.toHaveBeenCalled()
    // Pressed, it goes on.
    provider.state.mutate = {}
    void session.signIn('/')
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining('/authorize?')))
  })

  test('goes on when a part of the page fails to hear of it', async () => {
    const session = auth()
    session.on('loaded', () => {
      throw new Error('broken tool')
    })
    expect(await signIn(session, '/members')).toBe('/members')
    expect(session.isAuthenticated()).toBe(true)
    expect(silent.error).toHaveBeenCalledWith(expect.stringContaining('could not be told'), 'broken tool')
  })

  test('S7-2 asks with code, proof key, nonce and every scope', async () => {
    const session = auth()
    void session.signIn('/')
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    const asked = Object.fromEntries(new URL(String(assign.mock.calls[0]?.[0])).searchParams)
    expect(asked).toMatchObject({
      client_id: 'web',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/auth/signinwin/zitadel',
      scope: scopesFor(null, null),
    })
    expect(asked['nonce']).toMatch(/^[0-9a-f-]{36}$/)
    expect(asked['code_challenge']).toMatch(/^[\w-]{43}$/)
  })

  test('asks for the scopes that the operator names instead, as other providers know others', async () => {
    void auth({ scopes: 'openid email' }).signIn('/')
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    expect(new URL(String(assign.mock.calls[0]?.[0])).searchParams.get('scope')).toBe('openid email')
  })

  /** One page leaves for the provider, the next one comes back with its answer. */
  async function signIn(session: Auth, to = '/', changes: Record<string, string> = {}) {
    assign.mockClear()
    void auth().signIn(to)
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    const asked = new URL(String(assign.mock.calls[0]?.[0])).searchParams
    provider.state.nonce = asked.get('nonce') ?? ''
    const answer = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', ...changes })
    return session.completeSignIn(`http://localhost:3000/auth/signinwin/zitadel?${answer}`)
  }

  test('S4-7 S8-2 that could not be renewed is logged and tried again after five seconds while it still holds', async () => {
    stored()
    const session = auth()
    await session.start()
    provider.stop()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await session.renew()).toBe(false)
    expect(silent.error).toHaveBeenCalledWith('Silent renewal failed', expect.any(String))
    expect(session.isAuthenticated()).toBe(true)
    expect(session.phase()).toBe('idle')
    const before = silent.error.mock.calls.length
    await vi.advanceTimersByTimeAsync(4999)
    expect(silent.error.mock.calls.length).toBe(before)
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    await vi.waitUntil(() => silent.error.mock.calls.length > before, { timeout: 3000 })
  })

  test('C03 a callback address is exchanged once, however often it is asked for', async () => {
    const session = auth()
    const url = 'http://localhost:3000/auth/signinwin/zitadel?code=x&state=unknown'
    const [first, second] = await Promise.all([session.completeSignIn(url), session.completeSignIn(url)])
    expect([first, second]).toEqual(['/', '/'])
    expect(silent.error.mock.calls.filter(([what]) => what === 'Sign-in could not be completed')).toHaveLength(1)
  })

  test('S2-8 a sign-in that cannot start leaves a button and no error', async () => {
    provider.stop()
    const session = auth()
    await session.signIn('/members')
    expect(session.phase()).toBe('blocked')
  })

  test('S4-9 sign-out always ends at the base, also when the provider cannot be reached', async () => {
    stored()
    const session = auth()
    await session.start()
    provider.stop()
    await session.signOut()
    expect(session.isAuthenticated()).toBe(false)
    expect(assign).toHaveBeenCalledWith('http://localhost:3000/')
    // The base needs sign-in itself; who just left is asked first.
    await session.signIn('/')
    expect(session.phase()).toBe('left')
  })

  test('S4-4 whose time is up ends within seconds and is gone from the store', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    stored({ expires_at: Math.floor(Date.now() / 1000) + 30 })
    const session = auth()
    const ended = vi.fn()
    session.on('ended', ended)
    await session.start()
    await vi.advanceTimersByTimeAsync(29_000)
    expect(session.isAuthenticated()).toBe(true)
    await vi.advanceTimersByTimeAsync(8000)
    expect(ended).toHaveBeenCalledExactlyOnceWith('expired')
    expect(storage.getItem(key())).toBeFalsy()
  })

  test('S4-6 that is signed out in one tab is over in the others', async () => {
    stored()
    const here = auth()
    await here.start()
    const there = auth()
    await there.start()
    const ended = vi.fn()
    there.on('ended', ended)
    provider.stop()
    await here.signOut()
    // The provider sends back to the base, where the application starts anew.
    await auth().start()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledExactlyOnceWith('provider'))
    expect(there.isAuthenticated()).toBe(false)
  })

  test('R17 a copied tab gives the refresh token up and asks for its own', async () => {
    stored()
    const first = auth()
    await first.start()
    const kept = storage.getItem('guildhall.tab')
    expect(kept).toBeTruthy()
    // The copy starts with everything the first tab had stored.
    const copy = auth()
    await copy.start()
    expect(storage.getItem('guildhall.tab')).not.toBe(kept)
    expect(storage.getItem(key())).not.toContain('rt-0')
  })
})
