import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { AccountSearch } from './account-search.ts'
import { ProfileSearch } from './profile-search.ts'

const staticData = { area: 'account' } as const

const profile = createRoute({ getParentRoute: () => signedIn, path: 'profile', validateSearch: ProfileSearch }).lazy(() =>
  import('./profile-page.tsx').then((page) => page.route),
)

const management = createRoute({
  getParentRoute: () => signedIn,
  path: 'account-management/{-$tab}',
  staticData,
  validateSearch: AccountSearch,
}).lazy(() => import('./account-page.tsx').then((page) => page.route))

export const accountRoutes = [profile, management] as const
