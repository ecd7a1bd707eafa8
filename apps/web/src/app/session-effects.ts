import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../platform/api.tsx'
import type { Auth } from '../platform/auth/auth.ts'
import { forgetProgress } from '../platform/progress.ts'
import { forgetChanges } from '../platform/recent-changes.ts'
import { forgetRecords } from '../platform/recent-records.ts'
import type { AppRouter } from './router.tsx'

/** What the rest of the application does when somebody comes or goes. */
export function followSession(auth: Auth, api: Api, queries: QueryClient, router: AppRouter) {
  auth.on('loaded', () => {
    api.data.account.updateLogin.call().catch(() => console.error('Failed to update last_login and status for account'))
  })
  auth.on('unloaded', () => {
    queries.clear()
    forgetChanges()
    forgetRecords()
    forgetProgress()
  })
  auth.on('ended', (why) => {
    // By time the visitor starts again at the front page; signed out at the provider, where he was.
    const gone = why === 'expired' ? router.navigate({ to: '/' }) : Promise.resolve()
    void gone.then(() => router.invalidate())
  })
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    auth.restored()
    void router.invalidate()
  })
}
