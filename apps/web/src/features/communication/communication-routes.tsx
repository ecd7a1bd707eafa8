import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'communication', planned: true } as const

const communication = createRoute({
  getParentRoute: () => signedIn,
  path: 'communication/{-$tab}',
  staticData,
  component: plannedPage(msg`Communication`),
})

export const communicationRoutes = [communication] as const
