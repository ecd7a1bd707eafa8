// @vitest-environment node
import { InMemoryWebStorage, WebStorageStateStore } from 'oidc-client-ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hostileProvider } from '../../testing/hostile-provider.ts'
import { createAuth, hasRole } from './auth.ts'
import type { Auth } from './auth.ts'
import { callbackKind, callbackUrl, slugOf } from './callback-paths.ts'
import { authConstants, scopesFor } from './constants.ts'
import { safeReturnRoute } from './return-route.ts'

const silent = { error: vi.fn(), warn: () => {}, info: () => {}, debug: () => {} }
const config = { issuer: 'https://id.example/', client_id: 'web', project_resource_id: 'p', org_id: 'o' }

describe('construction refuses in this order', () => {
  test('a missing name', () => expect(() => createAuth('', 'window', '', config)).toThrow('Auth name is required.'))
  test('another type', () => {
    expect(() => createAuth('zitadel', 'tab', '', config)).toThrow('Only window or popup are valid default signin types.')
  })
  test('a missing base url', () => expect(() => createAuth('zitadel', 'window', '', config)).toThrow('App base url is required.'))
  test('a missing config', () => {
    expect(() => createAuth('zitadel', 'window', 'http://localhost/', undefined)).toThrow('No config provided to oidc auth.')
  })
})

test('the figures of the specification', () => {
  expect(authConstants).toMatchObject({
    silentRequestTimeoutSeconds: 10,
    popupClosedCheckMs: 500,
    expiringNoticeSeconds: 60,
    sessionCheckSeconds: 2,
    retryMs: 5000,
    staleStateSeconds: 900,
    clockSkewSeconds: 300,
    responseType: 'code',
  })
  expect(authConstants.popupWindow).toMatchObject({ width: 500, height: 500 })
})

test('scopes follow from what is configured', () => {
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

// N39
test.each([
  ['/members?q=a#b', '/members?q=a#b'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/auth/signinwin/zitadel', '/'],
  ['/AUTH/x', '/'],
  ['/authors', '/authors'],
  ['/\t/evil.example', '/'],
  [undefined, '/'],
  [{ to: '/x' }, '/'],
])('coming back to %j leads to %s', (to, expected) => {
  expect(safeReturnRoute(to, 'http://localhost:3000')).toBe(expected)
})

describe('roles', () => {
  const claim = 'urn:zitadel:iam:org:project:p:roles'
  test('are own keys of an object, or of any object in a list', () => {
    expect(hasRole({ [claim]: { admin: {} } }, 'p', 'admin')).toBe(true)
    expect(hasRole({ [claim]: [{ x: {} }, { admin: {} }] }, 'p', 'admin')).toBe(true)
    expect(hasRole({}, 'p', 'admin')).toBe(false)
  })
  test('constructor and __proto__ are none', () => {
    expect(hasRole({ [claim]: {} }, 'p', 'constructor')).toBe(false)
    expect(hasRole({ [claim]: [{}] }, 'p', '__proto__')).toBe(false)
  })
  test('cannot be asked for without a project', () =>
    expect(() => hasRole({}, null, 'admin')).toThrow('projectResourceID is required for hasRole'))
})

describe('a session', () => {
  let provider: Awaited<ReturnType<typeof hostileProvider>>
  const storage = new InMemoryWebStorage()
  const assign = vi.fn()

  beforeEach(async () => {
    provider = await hostileProvider()
    storage.clear()
    vi.stubGlobal('sessionStorage', storage)
    vi.stubGlobal('location', { assign, origin: 'http://localhost:3000', href: 'http://localhost:3000/' })
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
  const auth = () => {
    const session = createSession()
    open.push(session)
    return session
  }
  const createSession = () =>
    createAuth(
      'zitadel',
      'window',
      'http://localhost:3000',
      {
        issuer: `${provider.issuer}/`,
        client_id: 'web',
        settings: {
          automaticSilentRenew: false,
          userStore: new WebStorageStateStore({ store: storage }),
          stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
        },
      },
      silent,
    )

  test('is taken over from the store and announced, so that the first calls carry the token', async () => {
    stored()
    const session = auth()
    const loaded = vi.fn()
    session.on('loaded', loaded)
    await session.start()
    expect(session.isAuthenticated()).toBe(true)
    expect(session.accessToken()).toBe('at-0')
    expect(loaded).toHaveBeenCalledOnce()
  })

  test('that has expired, or says not when it will, is none', async () => {
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

  test('R11 whose refresh token is refused ends at once, without another try', async () => {
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

  test('S4-7 that could not be renewed is tried again after five seconds while it still holds', async () => {
    stored()
    const session = auth()
    await session.start()
    provider.stop()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await session.renew()).toBe(false)
    expect(session.isAuthenticated()).toBe(true)
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

  test('that is signed out in one tab is over in the others', async () => {
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
