import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'reports', planned: true } as const

const index = createRoute({ getParentRoute: () => signedIn, path: 'reports', staticData, component: plannedPage(msg`Reports`) })

const parentChild = createRoute({
  getParentRoute: () => signedIn,
  path: 'reports/parent-child',
  staticData,
  component: plannedPage(msg`Parent-child report`),
})

export const reportsRoutes = [index, parentChild] as const
