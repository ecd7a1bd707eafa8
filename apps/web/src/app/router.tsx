import { createBrowserHistory, createRouter } from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { accountRoutes } from '../features/account/account-routes.tsx'
import { aiRoutes } from '../features/ai/ai-routes.tsx'
import { careersRoutes } from '../features/careers/careers-routes.tsx'
import { chaptersRoutes } from '../features/chapters/chapters-routes.tsx'
import { communicationRoutes } from '../features/communication/communication-routes.tsx'
import { eventsRoutes } from '../features/events/events-routes.tsx'
import { fundraisingRoutes } from '../features/fundraising/fundraising-routes.tsx'
import { groupsRoutes } from '../features/groups/groups-routes.tsx'
import { homeRoutes } from '../features/home/home-routes.tsx'
import { integrationsRoutes } from '../features/integrations/integrations-routes.tsx'
import { peopleRoutes } from '../features/people/people-routes.tsx'
import { projectsRoutes } from '../features/projects/projects-routes.tsx'
import { reportsRoutes } from '../features/reports/reports-routes.tsx'
import { publicSiteRoutes } from '../features/site/site-routes.tsx'
import { open, rootRoute, signedIn } from '../platform/base-routes.tsx'
import type { RouterContext } from '../platform/base-routes.tsx'
import { menuRoute } from './menu-route.tsx'
import { NotFoundPage, OpenLayout, RootLayout, RootNotFound, SignedInLayout } from './layouts.tsx'
import { PageFailed } from './page-failed.tsx'
import { SignInHandOff } from './sign-in-hand-off.tsx'

rootRoute.update({ component: RootLayout, notFoundComponent: RootNotFound })
signedIn.update({ component: SignedInLayout, pendingComponent: SignInHandOff, pendingMs: 150 })
open.update({ component: OpenLayout })

/** Every route of the application, in one table. */
const routeTree = rootRoute.addChildren([
  signedIn.addChildren([
    ...homeRoutes,
    ...peopleRoutes,
    ...groupsRoutes,
    ...chaptersRoutes,
    ...accountRoutes,
    ...aiRoutes,
    ...integrationsRoutes,
    ...projectsRoutes,
    ...eventsRoutes,
    ...fundraisingRoutes,
    ...careersRoutes,
    ...communicationRoutes,
    ...reportsRoutes,
    menuRoute,
  ]),
  open.addChildren(publicSiteRoutes),
])

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
