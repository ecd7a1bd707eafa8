import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { GroupPageSearch, GroupsSearch } from './groups-search.ts'

const staticData = { area: 'groups' } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'groups', staticData, validateSearch: GroupsSearch }).lazy(() =>
  import('./group-list-page.tsx').then((page) => page.route),
)

const group = createRoute({ getParentRoute: () => signedIn, path: 'groups/$groupId', staticData, validateSearch: GroupPageSearch }).lazy(
  () => import('./group-page.tsx').then((page) => page.route),
)

export const groupsRoutes = [list, group] as const
