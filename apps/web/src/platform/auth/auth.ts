import { ErrorResponse, Log, SessionMonitor, WebStorageStateStore } from 'oidc-client-ts'
import type { ILogger, StateStore, User, UserManagerSettings } from 'oidc-client-ts'
import { AuthError, endsSession, toAuthError } from './auth-error.ts'
import { callbackUrl } from './callback-paths.ts'
import { authConstants } from '../../constants.ts'
import { safeReturnRoute } from './return-route.ts'
import { hasRole } from './roles.ts'
import { scopesFor } from './scopes.ts'
import { isCopiedTab } from './tab-clone.ts'
import { blankProfile } from './user-info.ts'
import { StrictUserManager } from './user-manager.ts'

/**
 * blocked: signing in could not start or end, and is tried again. refused: the provider or our checks said no, which asking
 * again does not change. left: the visitor has just signed out. In the last two only a press of the button goes on.
 */
export type AuthPhase = 'idle' | 'redirecting' | 'blocked' | 'refused' | 'left'

/** Why a sign-in in a window came to nothing. */
export type SignInFault = 'blocked' | 'closed' | 'somebody else' | 'failed'

const leftKey = 'guildhall.left'

export type AuthConfig = {
  issuer: string
  client_id: string
  project_resource_id?: string | null | undefined
  org_id?: string | null | undefined
  /** The provider is of the same site: only then can its frame tell that the session there has ended. Elsewhere it would say so falsely. */
  monitor_session?: boolean
  /** Where the roles stand in the profile, if not in the claim that Zitadel gives the project; dots lead inwards. */
  roles_claim?: string | null
  /** Asked for instead of what follows from project and organisation: other providers know other scopes. */
  scopes?: string | null
  /** Anything of the library's settings; wins over ours. */
  settings?: Partial<UserManagerSettings>
  /** A provider page that isolates itself makes a living popup look closed; then this must be off. */
  popupAbortOnClose?: boolean
}

type Events = {
  /** A user is there: after sign-in, after every renewal and at start. */
  loaded: (user: User) => void
  unloaded: () => void
  /** The session ended: by time, at the provider, or by a sign-out that left this page standing. */
  ended: (why: 'expired' | 'provider' | 'signed out') => void
}

export type Auth = ReturnType<typeof createAuth>

/** Nothing is taken for granted of its arguments: they come from a configuration that nobody may have checked. */
export function createAuth(
  name: string,
  type: string,
  baseUrl: string,
  config: AuthConfig | undefined,
  logger: ILogger = console,
  level = Log.ERROR,
) {
  if (!name) throw new Error('Auth name is required.')
  if (type !== 'window' && type !== 'popup') throw new Error('Only window or popup are valid default signin types.')
  if (!baseUrl) throw new Error('App base url is required.')
  if (!config) throw new Error('No config provided to oidc auth.')
  Log.setLogger(logger)
  Log.setLevel(level)

  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  const manager = new StrictUserManager(settingsFor(name, base, config))
  if (config.popupAbortOnClose !== false) manager.abortClosedPopups()

  const events: { [Name in keyof Events]: Set<Events[Name]> } = { loaded: new Set(), unloaded: new Set(), ended: new Set() }
  const watchers = new Set<() => void>()
  const callbacks = new Map<string, Promise<string>>()
  let monitor: SessionMonitor | undefined
  let failed: AuthPhase | undefined
  let user: User | null = null
  let phase: AuthPhase = 'idle'
  let hasSignedInAgain = false
  let flight: Promise<void> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const isAuthenticated = () => user !== null && typeof user.expires_at === 'number' && user.expires_at > Date.now() / 1000
  const tell = () => watchers.forEach((watcher) => watcher())
  const enter = (next: AuthPhase) => {
    phase = next
    tell()
  }
  const log = (cause: unknown, what: string) => logger.error(what, toAuthError(cause).message)

  function adopt(next: User) {
    clearTimeout(retry)
    failed = undefined
    user = next
    enter('idle')
    for (const handler of events.loaded) {
      try {
        handler(next)
      } catch (cause) {
        // The user is there already: a tool that fails must not turn the sign-in into a failed one.
        log(cause, 'A part of the page could not be told who is signed in')
      }
    }
  }

  function drop() {
    clearTimeout(retry)
    if (!user) return
    user = null
    tell()
    for (const handler of events.unloaded) handler()
  }

  async function end(why: 'expired' | 'provider') {
    if (!user) return
    clearTimeout(retry)
    await manager.removeUser().catch((cause: unknown) => log(cause, 'The stored user could not be removed'))
    drop()
    for (const handler of events.ended) handler(why)
  }

  // Signing out in one tab ends the session at the provider, so it is over in all of them. Told by the page that comes back from
  // there: earlier, the others would still find a session and begin a new one with it.
  const tabs = new BroadcastChannel(`guildhall.signed-out.${config.client_id}`)
  tabs.addEventListener('message', () => void end('provider'))

  manager.events.addUserLoaded(adopt)
  manager.events.addUserUnloaded(drop)
  manager.events.addAccessTokenExpired(() => void end('expired'))
  manager.events.addUserSignedOut(() => void end('provider'))
  manager.events.addSilentRenewError((cause) => void renewalFailed(cause))

  async function renewalFailed(cause: unknown) {
    log(cause, 'Silent renewal failed')
    if (endsSession(toAuthError(cause))) return end('provider')
    if (!isAuthenticated()) return end('expired')
    clearTimeout(retry)
    retry = setTimeout(() => void renew(), authConstants.retryMs)
  }

  /** True when a fresh token is there. Everybody who asks meanwhile gets the same answer. */
  async function renew(): Promise<boolean> {
    try {
      await manager.signinSilent()
    } catch (cause) {
      await renewalFailed(cause)
      return false
    }
    return isAuthenticated()
  }

  /** Takes the stored user over. A broken store must not keep anybody out: it is emptied and the visitor starts anew. */
  async function start() {
    if (sessionStorage.getItem(leftKey)) tabs.postMessage('signed out')
    await restore()
    // Not before: it reads the store too, and a broken one would end up in the log twice.
    if (config?.monitor_session) monitor ??= new SessionMonitor(manager)
  }

  async function restore() {
    try {
      const copied = await isCopiedTab(sessionStorage, navigator.locks)
      const stored = await manager.getUser()
      if (!stored) return
      if (copied && stored.refresh_token) {
        delete stored.refresh_token
        await manager.storeUser(stored)
      }
      user = stored
      if (isAuthenticated()) adopt(stored)
      else user = null
      if (copied && user) void renew()
    } catch (cause) {
      log(cause, 'The stored sign-in could not be read')
      await manager.removeUser().catch(() => undefined)
    }
  }

  /** Starts signing in and remembers where the visitor wanted to go. One at a time; a start that fails leaves a button to press. */
  function signIn(to: string): Promise<void> {
    flight ??= begin(to).finally(() => (flight = undefined))
    return flight
  }

  async function begin(to: string) {
    if (sessionStorage.getItem(leftKey)) {
      sessionStorage.removeItem(leftKey)
      return enter('left')
    }
    if (failed) {
      const phaseNow = failed
      failed = undefined
      return enter(phaseNow)
    }
    // A popup that nobody clicked for is blocked, and asking again every few seconds would not change that.
    if (type === 'popup' && !navigator.userActivation.isActive) return enter('blocked')
    enter('redirecting')
    try {
      if (type === 'popup') await manager.signinPopup({ state: { to } })
      else await manager.signinRedirect({ state: { to } })
    } catch (cause) {
      log(cause, 'Sign-in could not be started')
      enter('blocked')
    }
  }

  /** Finishes a redirect sign-in and says where to go. One exchange per address, however often it is asked for. */
  function completeSignIn(url: string): Promise<string> {
    const known = callbacks.get(url)
    if (known) return known
    const answer = manager.signinRedirectCallback(url).then(
      (signedIn) => safeReturnRoute(returnRouteIn(signedIn.state), new URL(base).origin),
      (cause: unknown) => {
        log(cause, 'Sign-in could not be completed')
        // The front page needs sign-in itself: without a pause a provider that keeps failing would be asked in a circle.
        if (!isAuthenticated()) failed = isVerdict(cause) ? 'refused' : 'blocked'
        return '/'
      },
    )
    callbacks.set(url, answer)
    return answer
  }

  /**
   * Asks the person at the keyboard to prove who they are, in a window that has to be opened by a press: the page and what was typed
   * into it stay. Answers why it came to nothing, or null.
   */
  async function signInAgain(): Promise<SignInFault | null> {
    if (!user) return 'failed'
    const { sub, email } = user.profile
    try {
      await manager.signInAgain({ sub, email })
      hasSignedInAgain = true
      return null
    } catch (cause) {
      log(cause, 'The sign-in could not be repeated')
      const { code, message } = toAuthError(cause)
      // What the library says of a window that the browser did not open.
      if (message.includes('disposed window')) return 'blocked'
      return code === 'popup_closed' ? 'closed' : code === 'login_required' ? 'somebody else' : 'failed'
    }
  }

  async function signOut() {
    clearTimeout(retry)
    sessionStorage.setItem(leftKey, 'yes')
    if (type === 'popup') return signOutInPopup()
    manager.stopSilentRenew()
    await revoke(manager, user, log)
    await manager.signoutRedirect().catch(async (cause: unknown) => {
      log(cause, 'Sign-out at the provider failed')
      await manager.removeUser().catch(() => undefined)
      location.assign(base)
    })
  }

  /** The window is opened first, while the click that asks for it still counts. However it ends, the session here has ended. */
  async function signOutInPopup() {
    const leaving = user
    const popup = manager.signoutPopup()
    await Promise.all([
      revoke(manager, leaving, log),
      popup.catch(async (cause: unknown) => {
        log(cause, 'Sign-out at the provider failed')
        await manager.removeUser().catch(() => undefined)
      }),
    ])
    tabs.postMessage('signed out')
    for (const handler of events.ended) handler('signed out')
  }

  return {
    name,
    type,
    baseUrl: base,
    start,
    signIn,
    completeSignIn,
    renew,
    signInAgain,
    hasSignedInAgain: () => hasSignedInAgain,
    signOut,
    isAuthenticated,
    end,
    phase: () => phase,
    user: () => user,
    profile: () => (isAuthenticated() ? (user?.profile ?? blankProfile) : blankProfile),
    /** Read at the moment of the request; an expired token is never sent. */
    accessToken: () => (isAuthenticated() ? (user?.access_token ?? '') : ''),
    /** Says when this person signed in; sent only where the server asks for it. */
    idToken: () => (isAuthenticated() ? (user?.id_token ?? '') : ''),
    hasRole: (role: string) => hasRole(isAuthenticated() ? user?.profile : blankProfile, config, role),
    /** For what ends with its page anyway: lets go of timers and of the other tabs. */
    stop() {
      clearTimeout(retry)
      manager.stopSilentRenew()
      tabs.close()
    },
    /** A back-forward restore brings a page that believes it is still leaving. */
    restored: () => enter('idle'),
    on: <Name extends keyof Events>(event: Name, handler: Events[Name]) => {
      events[event].add(handler)
      return () => events[event].delete(handler)
    },
    subscribe: (watcher: () => void) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

function settingsFor(
  name: string,
  base: string,
  { issuer, client_id, project_resource_id, org_id, scopes, settings }: AuthConfig,
): UserManagerSettings {
  const store = (kind: 'sessionStorage' | 'localStorage'): StateStore => new WebStorageStateStore({ store: globalThis[kind] })
  const built: UserManagerSettings = {
    authority: issuer.replace(/\/$/, ''),
    client_id,
    scope: scopes ?? scopesFor(project_resource_id, org_id),
    response_type: authConstants.responseType,
    redirect_uri: callbackUrl(base, 'signinwin', name),
    popup_redirect_uri: callbackUrl(base, 'signinpop', name),
    silent_redirect_uri: callbackUrl(base, 'signinsilent', name),
    post_logout_redirect_uri: base,
    popup_post_logout_redirect_uri: callbackUrl(base, 'signoutpop', name),
    staleStateAgeInSeconds: authConstants.staleStateSeconds,
    accessTokenExpiringNotificationTimeInSeconds: authConstants.expiringNoticeSeconds,
    silentRequestTimeoutInSeconds: authConstants.silentRequestTimeoutSeconds,
    checkSessionIntervalInSeconds: authConstants.sessionCheckSeconds,
    requestTimeoutInSeconds: authConstants.requestTimeoutSeconds,
    monitorSession: false,
    automaticSilentRenew: true,
    includeIdTokenInSilentRenew: true,
    validateSubOnSilentRenew: true,
    loadUserInfo: false,
    revokeTokensOnSignout: false,
    // Zero, so that a time-out is an error we hear of and answer with our own timer.
    maxSilentRenewTimeoutRetries: 0,
    popupWindowFeatures: authConstants.popupWindow,
    ...(settings?.userStore ? {} : { userStore: new WebStorageStateStore({ store: sessionStorage }) }),
    ...(settings?.stateStore ? {} : { stateStore: store('localStorage') }),
    ...settings,
  }
  if (!built.silent_redirect_uri) throw new AuthError('no_silent_redirect_uri', 'No silent_redirect_uri configured')
  if (!built.popup_redirect_uri && !built.redirect_uri)
    throw new AuthError('no_popup_redirect_uri', 'No popup_redirect_uri or redirect_uri configured')
  return built
}

/** A refusal, by the provider or by our checks; anything else may pass by itself. */
const isVerdict = (cause: unknown) => cause instanceof ErrorResponse || cause instanceof AuthError

function returnRouteIn(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'to' in state ? state.to : undefined
}

/** Best effort: the refresh token should not outlive the session, but a provider that refuses must not stop the sign-out. */
async function revoke(manager: StrictUserManager, user: User | null, log: (cause: unknown, what: string) => void) {
  if (!user?.refresh_token) return
  try {
    const endpoint = await manager.metadataService.getRevocationEndpoint()
    if (!endpoint) return
    await fetch(endpoint, {
      method: 'POST',
      body: new URLSearchParams({ token: user.refresh_token, token_type_hint: 'refresh_token', client_id: manager.settings.client_id }),
      signal: AbortSignal.timeout(authConstants.revokeTimeoutMs),
    })
  } catch (cause) {
    log(cause, 'The refresh token could not be revoked')
  }
}
