import { createBrowserHistory, createRouter } from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { open, rootRoute, signedIn } from '../platform/navigation/base-routes.tsx'
import type { RouterContext } from '../platform/navigation/base-routes.tsx'
import { publicRoutes, signedInRoutes } from './features.tsx'
import { menuRoute } from './navigation/menu-route.tsx'
import { NotFoundPage, OpenLayout, RootLayout, RootNotFound, SignedInLayout } from './shell/layouts.tsx'
import { PageFailed } from './shell/page-failed.tsx'
import { SignInHandOff } from './session/sign-in-hand-off.tsx'

rootRoute.update({ component: RootLayout, notFoundComponent: RootNotFound })
signedIn.update({ component: SignedInLayout, pendingComponent: SignInHandOff, pendingMs: 150 })
open.update({ component: OpenLayout })

/** Every route of the application, in one table. */
const routeTree = rootRoute.addChildren([signedIn.addChildren([...signedInRoutes, menuRoute]), open.addChildren(publicRoutes)])

export const createAppRouter = (context: RouterContext, history: RouterHistory = createBrowserHistory()) =>
  createRouter({
    routeTree,
    context,
    history,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    // "/members/x" is as unknown as "/x": answered by the root, without asking anybody to sign in.
    notFoundMode: 'root',
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageFailed,
    trailingSlash: 'never',
    scrollRestoration: false,
  })

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
