import { ErrorResponse, ErrorTimeout, InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { describe, expect, test } from 'vitest'
import { AuthError, endsSession, toAuthError } from './auth-error.ts'
import { createAuth } from './auth.ts'

const store = () => new WebStorageStateStore({ store: new InMemoryWebStorage() })
const library = (settings: object = {}) =>
  new UserManager({
    authority: 'http://id.example',
    client_id: 'web',
    redirect_uri: 'http://localhost/',
    userStore: store(),
    stateStore: store(),
    metadata: { issuer: 'http://id.example' },
    ...settings,
  })
const thrown = (run: () => Promise<unknown>) =>
  run().then(
    () => undefined,
    (failure: unknown) => failure,
  )

describe('what the library throws gets the name and text of the catalogue', () => {
  test('S8-5 no address to sign in or out at', async () => {
    for (const cause of [await thrown(() => library().signinRedirect()), new Error('No end session endpoint')]) {
      expect(toAuthError(cause)).toMatchObject({ code: 'no_url', message: 'No url provided', cause })
    }
  })

  test('S8-8 a frame or a request that does not answer', () => {
    for (const cause of [new ErrorTimeout('IFrame timed out without a response'), new ErrorTimeout('Network timed out')]) {
      expect(toAuthError(cause)).toMatchObject({ code: 'renew_timeout', message: 'Frame window timed out', cause })
    }
  })

  test('S8-10 nowhere for a popup to come back to', async () => {
    const manager = library()
    Reflect.set(manager.settings, 'popup_redirect_uri', '')
    const cause = await thrown(() => manager.signinPopup())
    expect(toAuthError(cause)).toMatchObject({
      code: 'no_popup_redirect_uri',
      message: 'No popup_redirect_uri or redirect_uri configured',
    })
  })

  test('S8-9 nowhere for a frame to come back to', async () => {
    const manager = library()
    Reflect.set(manager.settings, 'silent_redirect_uri', '')
    const cause = await thrown(() => manager.signinSilent())
    expect(toAuthError(cause)).toMatchObject({ code: 'no_silent_redirect_uri', message: 'No silent_redirect_uri configured' })
  })

  test.each([
    ['S8-6', 'Popup closed by user', 'popup_closed', 'Popup window closed'],
    ['S8-7', 'Invalid response from window', 'popup_invalid', 'Invalid response from popup'],
  ])('%s %s', (_, text, code, message) => {
    expect(toAuthError(new Error(text))).toMatchObject({ code, message })
  })

  test('S8-11 somebody else is signed in at the provider', () => {
    const error = toAuthError(new ErrorResponse({ error: 'login_required' }))
    expect(error).toMatchObject({ code: 'login_required', message: 'login_required' })
    expect(endsSession(error)).toBe(true)
  })

  test('a refused refresh token ends the session; what may pass by itself does not', () => {
    expect(endsSession(toAuthError(new ErrorResponse({ error: 'invalid_grant' })))).toBe(true)
    for (const cause of [new ErrorTimeout('x'), new TypeError('Failed to fetch'), new ErrorResponse({ error: 'temporarily_unavailable' })])
      expect(endsSession(toAuthError(cause))).toBe(false)
  })

  test('what is ours already stays as it is', () => {
    const ours = new AuthError('no_access_token', 'No access token returned from token endpoint')
    expect(toAuthError(ours)).toBe(ours)
  })
})

test('S8-9 and S8-10 a configuration without a way back is refused when it is made', () => {
  const made = (settings: object) => () =>
    createAuth('zitadel', 'window', 'http://localhost/', {
      issuer: 'http://id.example',
      client_id: 'web',
      settings: { userStore: store(), stateStore: store(), ...settings },
    })
  expect(made({ silent_redirect_uri: '' })).toThrow('No silent_redirect_uri configured')
  expect(made({ redirect_uri: '', popup_redirect_uri: '' })).toThrow('No popup_redirect_uri or redirect_uri configured')
})
