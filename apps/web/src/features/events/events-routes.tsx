import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'events', planned: true } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'events', staticData, component: plannedPage(msg`Events`) })

const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: 'event/analytics',
  staticData,
  component: plannedPage(msg`Event analytics`),
})

const create = createRoute({ getParentRoute: () => signedIn, path: 'event/create', staticData, component: plannedPage(msg`New event`) })

const detail = createRoute({ getParentRoute: () => signedIn, path: 'event/$eventId', staticData, component: plannedPage(msg`Event`) })

const edit = createRoute({
  getParentRoute: () => signedIn,
  path: 'event/$eventId/edit',
  staticData,
  component: plannedPage(msg`Edit event`),
})

const oneAnalytics = createRoute({
  getParentRoute: () => signedIn,
  path: 'event/$eventId/analytics',
  staticData,
  component: plannedPage(msg`Event analytics`),
})

export const eventsRoutes = [list, analytics, create, detail, edit, oneAnalytics] as const
