import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { LinesSearch } from './relationships-search.ts'

/** The page stands among the reports, in the area of that name. */
const lines = createRoute({
  getParentRoute: () => signedIn,
  path: 'reports/parent-child',
  staticData: { area: 'reports' },
  validateSearch: LinesSearch,
}).lazy(() => import('./lines/lines-page.tsx').then((page) => page.route))

export const relationshipsRoutes = [lines] as const
