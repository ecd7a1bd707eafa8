import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'ai', planned: true } as const

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: 'ai-dashboard',
  staticData,
  component: plannedPage(msg`AI dashboard`),
})

const session = createRoute({
  getParentRoute: () => signedIn,
  path: 'ai-dashboard/session/$sessionId',
  staticData,
  component: plannedPage(msg`AI session`),
})

const artifacts = createRoute({
  getParentRoute: () => signedIn,
  path: 'ai-artifacts',
  staticData,
  component: plannedPage(msg`AI artifacts`),
})

export const aiRoutes = [dashboard, session, artifacts] as const
