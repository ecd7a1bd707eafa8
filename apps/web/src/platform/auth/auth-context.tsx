import { createContext, use, useSyncExternalStore } from 'react'
import type { Auth } from './auth.ts'

const AuthContext = createContext<Auth | undefined>(undefined)
export const AuthProvider = AuthContext

export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth needs an AuthProvider above it')
  return auth
}

/** Renders again whenever the visitor signs in or out. */
export function useIsAuthenticated(): boolean {
  const auth = useAuth()
  return useSyncExternalStore(auth.subscribe, auth.isAuthenticated)
}

export function useAuthPhase() {
  const auth = useAuth()
  return useSyncExternalStore(auth.subscribe, auth.phase)
}
