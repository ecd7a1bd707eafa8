import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { IntegrationsSearch } from './integrations-search.ts'
import { MetricSearch } from './metrics/metric-search.ts'

const shared = { getParentRoute: () => signedIn, staticData: { area: 'integrations' } } as const

const list = createRoute({ ...shared, path: 'integrations', validateSearch: IntegrationsSearch }).lazy(() =>
  import('./catalogue/integrations-page.tsx').then((page) => page.route),
)

/** A connection by its id, or by its name in addresses. */
const connection = createRoute({ ...shared, path: 'integrations/$integrationId', validateSearch: IntegrationsSearch }).lazy(() =>
  import('./connections/connection-page.tsx').then((page) => page.route),
)

const metric = createRoute({ ...shared, path: 'integrations/$integrationName/metrics/$metricType', validateSearch: MetricSearch }).lazy(
  () => import('./metrics/metric-page.tsx').then((page) => page.route),
)

export const integrationsRoutes = [list, connection, metric] as const
