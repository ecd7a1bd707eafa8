import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import {
  EventAnalyticsSearch,
  EventComparisonSearch,
  EventCreateSearch,
  EventEditSearch,
  EventSearch,
  EventsSearch,
} from './events-search.ts'

const staticData = { area: 'events' } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'events', staticData, validateSearch: EventsSearch }).lazy(() =>
  import('./list/event-list-page.tsx').then((page) => page.route),
)

const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: 'event/analytics',
  staticData,
  validateSearch: EventComparisonSearch,
}).lazy(() => import('./analytics/event-comparison-page.tsx').then((page) => page.route))

const create = createRoute({ getParentRoute: () => signedIn, path: 'event/create', staticData, validateSearch: EventCreateSearch }).lazy(
  () => import('./edit/event-create-page.tsx').then((page) => page.route),
)

const detail = createRoute({ getParentRoute: () => signedIn, path: 'event/$eventId', staticData, validateSearch: EventSearch }).lazy(() =>
  import('./page/event-page.tsx').then((page) => page.route),
)

const edit = createRoute({ getParentRoute: () => signedIn, path: 'event/$eventId/edit', staticData, validateSearch: EventEditSearch }).lazy(
  () => import('./edit/event-edit-page.tsx').then((page) => page.route),
)

const oneAnalytics = createRoute({
  getParentRoute: () => signedIn,
  path: 'event/$eventId/analytics',
  staticData,
  validateSearch: EventAnalyticsSearch,
}).lazy(() => import('./analytics/event-analytics-page.tsx').then((page) => page.route))

export const eventsRoutes = [list, analytics, create, detail, edit, oneAnalytics] as const
