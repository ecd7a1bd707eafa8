import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { HomeSearch } from './home-search.ts'

const home = createRoute({ getParentRoute: () => signedIn, path: '/', staticData: { area: 'home' }, validateSearch: HomeSearch }).lazy(() =>
  import('./home-page.tsx').then((page) => page.route),
)

export const homeRoutes = [home] as const
