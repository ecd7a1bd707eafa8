import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, notFound } from '@tanstack/react-router'
import type { Api } from '../api/api.tsx'
import type { Auth } from '../auth/auth.ts'

export type RouterContext = { auth: Auth; api: Api; queries: QueryClient }

/** The layouts' components are given to these routes by the app, which is the only part that knows them. */
export const rootRoute = createRootRouteWithContext<RouterContext>()()

/** Everything below renders, and loads, only for a signed-in visitor. */
export const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location, abortController, preload }) => {
    if (context.auth.isAuthenticated()) return
    // Pointing at a link is not a wish to sign in; there is nothing to fetch ahead for a stranger.
    if (preload) throw notFound()
    void context.auth.signIn(location.href)
    await untilSignedIn(context.auth, abortController.signal)
  },
})

/** Readable by everybody, in the light frame without navigation. */
export const open = createRoute({ getParentRoute: () => rootRoute, id: 'open' })

/** A popup answers later, a redirect never: until then no page below may start. Leaving for another route ends the wait unanswered. */
const untilSignedIn = (auth: Auth, left: AbortSignal) =>
  new Promise<void>((resolve) => {
    const stop = auth.on('loaded', () => {
      stop()
      resolve()
    })
    left.addEventListener('abort', () => void stop())
  })
