import { InMemoryWebStorage, User, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuth } from './auth.ts'
import { authConstants } from '../../constants.ts'

const issuer = 'http://id.example'
const store = () => new WebStorageStateStore({ store: new InMemoryWebStorage() })
const settings = () => ({
  userStore: store(),
  stateStore: store(),
  automaticSilentRenew: false,
  metadata: { issuer, authorization_endpoint: `${issuer}/authorize`, end_session_endpoint: `${issuer}/end` },
})
const log = { error: vi.fn(), warn: () => {}, info: () => {}, debug: () => {} }

/** A window as far as sign-in looks at it. */
const popup = { closed: false, location: { replace: vi.fn() }, focus: () => {}, close: () => {} }
const open = vi.fn<() => typeof popup | null>(() => popup)
const activation = { isActive: true }
const auth = () => createAuth('zitadel', 'popup', 'http://localhost/', { issuer, client_id: 'web', settings: settings() }, log)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  Object.assign(popup, { closed: false })
  activation.isActive = true
  vi.stubGlobal('open', open)
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: activation })
  open.mockClear()
  log.error.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const opened = () => vi.waitFor(() => expect(popup.location.replace).toHaveBeenCalled(), { interval: 1 })

describe('a sign-in window', () => {
  test('P01 that is closed is noticed within half a second, and leaves a button', async () => {
    const session = auth()
    const done = session.signIn('/members')
    await opened()
    popup.closed = true
    await vi.advanceTimersByTimeAsync(authConstants.popupClosedCheckMs)
    await done
    expect(session.phase()).toBe('blocked')
    expect(log.error).toHaveBeenCalledWith('Sign-in could not be started', 'Popup window closed')
  })

  test('P01 control: the library waits for ever', async () => {
    const redirect_uri = 'http://localhost/auth/signinpop/zitadel'
    const manager = new UserManager({ authority: issuer, client_id: 'web', redirect_uri, ...settings() })
    const done = manager.signinPopup().catch(() => 'ended')
    await opened()
    popup.closed = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await Promise.race([done, Promise.resolve('waiting')])).toBe('waiting')
  })

  test('has 500 by 500 pixels', async () => {
    void auth().signIn('/')
    await opened()
    expect(open).toHaveBeenCalledWith(undefined, '_blank', expect.stringMatching(/height=500.*width=500/))
  })

  test('P02 that the browser blocks leaves a button', async () => {
    open.mockReturnValueOnce(null)
    const session = auth()
    await session.signIn('/')
    expect(session.phase()).toBe('blocked')
  })

  test('S4-5 is never opened without a press: a browser would block it, and again every five seconds', async () => {
    activation.isActive = false
    const session = auth()
    await session.signIn('/')
    expect(session.phase()).toBe('blocked')
    expect(open).not.toHaveBeenCalled()
  })
})

test('P03 S4-9 a sign-out window that is closed ends the session here all the same', async () => {
  const session = auth()
  const ended = vi.fn()
  session.on('ended', ended)
  const done = session.signOut()
  await opened()
  popup.closed = true
  await vi.advanceTimersByTimeAsync(authConstants.popupClosedCheckMs)
  await done
  expect(ended).toHaveBeenCalledExactlyOnceWith('signed out')
  expect(sessionStorage).toHaveLength(1)
})

test('P03 control: the library waits for ever', async () => {
  const redirect_uri = 'http://localhost/'
  const manager = new UserManager({ authority: issuer, client_id: 'web', redirect_uri, ...settings() })
  const done = manager.signoutPopup().catch(() => 'ended')
  await opened()
  popup.closed = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.race([done, Promise.resolve('waiting')])).toBe('waiting')
})

describe('a sign-in that is repeated', () => {
  const signedIn = async () => {
    const users = store()
    const user = new User({
      ...{ access_token: 'at', token_type: 'Bearer', expires_at: Math.floor(Date.now() / 1000) + 600 },
      profile: { iss: issuer, sub: 'owner', aud: 'web', exp: 0, iat: 0, email: 'owner@demo.example' },
    })
    await users.set(`user:${issuer}:web`, user.toStorageString())
    const config = { issuer, client_id: 'web', settings: { ...settings(), userStore: users } }
    const session = createAuth('zitadel', 'window', 'http://localhost/', config, log)
    await session.start()
    return session
  }

  test('asks for the person at the keyboard, in a window, and for the time of it', async () => {
    const session = await signedIn()
    popup.location.replace.mockClear()
    const done = session.signInAgain()
    await opened()
    const asked = new URL(String(popup.location.replace.mock.calls[0]?.[0])).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({ prompt: 'login', max_age: '0', login_hint: 'owner@demo.example' })
    expect(asked.get('redirect_uri')).toBe('http://localhost/auth/signinpop/zitadel')
    popup.closed = true
    await vi.advanceTimersByTimeAsync(authConstants.popupClosedCheckMs)
    expect(await done).toBe('closed')
    expect(session.isAuthenticated()).toBe(true)
  })

  test('says that the browser opened no window', async () => {
    const session = await signedIn()
    open.mockReturnValueOnce(null)
    expect(await session.signInAgain()).toBe('blocked')
    expect(session.isAuthenticated()).toBe(true)
  })
})
