import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { CommunicationSearch } from './communication-search.ts'

const communication = createRoute({
  getParentRoute: () => signedIn,
  path: 'communication/{-$tab}',
  staticData: { area: 'communication' },
  validateSearch: CommunicationSearch,
}).lazy(() => import('./communication-page.tsx').then((page) => page.route))

export const communicationRoutes = [communication] as const
