import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { ReportsSearch } from './reports-search.ts'

const staticData = { area: 'reports' } as const
const shared = { getParentRoute: () => signedIn, staticData, validateSearch: ReportsSearch } as const

const gallery = createRoute({ ...shared, path: 'reports' }).lazy(() => import('./gallery/reports-page.tsx').then((page) => page.route))

const builder = createRoute({ ...shared, path: 'reports/new' }).lazy(() => import('./builder/builder-page.tsx').then((page) => page.route))

/** One that comes with the product by its key, a saved one by its id. */
const report = createRoute({ ...shared, path: 'reports/$reportKey' }).lazy(() =>
  import('./answer/report-page.tsx').then((page) => page.route),
)

export const reportsRoutes = [gallery, builder, report] as const
