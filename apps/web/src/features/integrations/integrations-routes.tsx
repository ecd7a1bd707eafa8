import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'integrations', planned: true } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'integrations', staticData, component: plannedPage(msg`Integrations`) })

const detail = createRoute({
  getParentRoute: () => signedIn,
  path: 'integrations/$integrationId',
  staticData,
  component: plannedPage(msg`Integration`),
})

const metrics = createRoute({
  getParentRoute: () => signedIn,
  path: 'integrations/$integrationName/metrics/$metricType',
  staticData,
  component: plannedPage(msg`Integration metrics`),
})

export const integrationsRoutes = [list, detail, metrics] as const
