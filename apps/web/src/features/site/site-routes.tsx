import { createRoute } from '@tanstack/react-router'
import { open } from '../../platform/navigation/base-routes.tsx'
import { ContactSearch } from './contact-search.ts'

const privacy = createRoute({ getParentRoute: () => open, path: 'privacy' }).lazy(() =>
  import('./privacy-page.tsx').then((page) => page.route),
)

const terms = createRoute({ getParentRoute: () => open, path: 'tos' }).lazy(() => import('./terms-page.tsx').then((page) => page.route))

const contact = createRoute({ getParentRoute: () => open, path: 'contact', validateSearch: ContactSearch }).lazy(() =>
  import('./contact-page.tsx').then((page) => page.route),
)

export const publicSiteRoutes = [privacy, terms, contact] as const
