import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../platform/api/api.tsx'
import { acting } from '../../platform/api/acting.ts'
import { ApiProblem } from '../../platform/api/problem.ts'
import type { Auth } from '../../platform/auth/auth.ts'
import { forgetProgress } from '../../platform/activity/progress.ts'
import { forgetChanges } from '../../platform/activity/recent-changes.ts'
import { forgetRecords } from '../../platform/activity/recent-records.ts'
import { forgetDrafts } from '../../ui/form/form-drafts.ts'
import { identityOf } from '../../platform/session/session-tools.ts'
import type { SessionTool } from '../../platform/session/session-tools.ts'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import type { AppRouter } from '../router.tsx'

/** Nothing that one person did or saw stays on the page for the next. */
export function forgetSession() {
  forgetChanges()
  forgetDrafts()
  forgetRecords()
  forgetProgress()
}

/** What the rest of the application does when somebody comes or goes. */
export function followSession(auth: Auth, api: Api, queries: QueryClient, router: AppRouter, tools: readonly SessionTool[] = []) {
  auth.on('loaded', ({ profile }) => {
    for (const tool of tools) tool.identify(identityOf(profile))
    const noted = api.data.account.updateLogin.call()
    noted.catch(() => console.error('Failed to update last_login and status for account'))
    const asking = api.data.account.me.queryOptions()
    const me: typeof asking.queryFn = async (context) => {
      try {
        return await asking.queryFn(context)
      } catch (refusal) {
        // The first sign-in of somebody who was invited is what opens the account: refused before that, they are asked for again.
        const isRefused = refusal instanceof ApiProblem && refusal.status === 403
        const isOpen = isRefused && (await noted.then(() => true).catch(() => false))
        if (!isOpen) throw refusal
        const answer = await asking.queryFn(context)
        // Whatever else was asked meanwhile was refused too.
        void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
        return answer
      }
    }
    // Asked while the page's code is still on its way. Whoever needs them asks again when this fails, and says so.
    queries.query({ ...asking, queryFn: me, staleTime: 60_000 }).catch(() => {})
    queries.query({ ...api.data.site.menu.queryOptions(), staleTime: 30_000 }).catch(() => {})
  })
  // As on a new page, from the front: nothing that was read or begun as the one is left for the other.
  acting.subscribe(() => {
    forgetSession()
    if (auth.isAuthenticated()) location.assign('/')
  })
  auth.on('unloaded', () => {
    for (const tool of tools) tool.reset()
    if (acting.get() !== null) acting.set(null)
    queries.clear()
    forgetSession()
  })
  auth.on('ended', (why) => {
    const isProtected = router.state.matches.some(({ routeId }) => routeId === signedIn.id)
    if (why === 'signed out' && !isProtected) return location.assign(auth.baseUrl)
    // By time or by signing out the visitor starts again at the front page; signed out at the provider, where he was.
    const gone = why === 'provider' ? Promise.resolve() : router.navigate({ to: '/' })
    void gone.then(() => router.invalidate())
  })
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    auth.restored()
    void router.invalidate()
  })
}
