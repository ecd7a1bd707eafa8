import type { Auth } from '../platform/auth/auth.ts'
import { blankProfile } from '../platform/auth/user-info.ts'

/** A session that is signed in, or not, and otherwise does nothing; `calls` tells what was asked of it. */
export function fakeAuth({ signedIn = true } = {}) {
  const calls: string[] = []
  const note = (name: string) => {
    calls.push(name)
    return Promise.resolve()
  }
  const auth: Auth = {
    name: 'zitadel',
    type: 'window',
    baseUrl: 'http://localhost:3000/',
    start: () => note('start'),
    signIn: (to) => note(`signIn ${to}`),
    completeSignIn: () => Promise.resolve('/'),
    renew: () => Promise.resolve(true),
    signInAgain: () => note('signInAgain').then(() => null),
    hasSignedInAgain: () => false,
    signOut: () => note('signOut'),
    isAuthenticated: () => signedIn,
    end: () => note('end'),
    phase: () => 'idle',
    user: () => null,
    profile: () => blankProfile,
    idToken: () => '',
    accessToken: () => (signedIn ? 'token' : ''),
    hasRole: () => false,
    restored: () => {},
    stop: () => {},
    on: () => () => true,
    subscribe: () => () => true,
  }
  return { auth, calls }
}
