import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'

/** The menu is the application's own map, so it lives where all areas are known. */
export const menuRoute = createRoute({ getParentRoute: () => signedIn, path: 'menu', staticData: { area: 'site' } }).lazy(() =>
  import('./menu-page.tsx').then((page) => page.route),
)
