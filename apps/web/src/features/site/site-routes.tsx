import { createRoute } from '@tanstack/react-router'
import { open, signedIn } from '../../platform/base-routes.tsx'

const menu = createRoute({ getParentRoute: () => signedIn, path: 'menu', staticData: { area: 'site' } }).lazy(() => import('./menu-page.tsx').then((page) => page.route))

const privacy = createRoute({ getParentRoute: () => open, path: 'privacy' }).lazy(() => import('./privacy-page.tsx').then((page) => page.route))

const terms = createRoute({ getParentRoute: () => open, path: 'tos' }).lazy(() => import('./terms-page.tsx').then((page) => page.route))

const contact = createRoute({ getParentRoute: () => open, path: 'contact' }).lazy(() => import('./contact-page.tsx').then((page) => page.route))

export const siteRoutes = [menu] as const
export const publicSiteRoutes = [privacy, terms, contact] as const
