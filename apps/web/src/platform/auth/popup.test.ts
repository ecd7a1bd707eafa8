import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
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
