import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { PeopleSearch } from './people-search.ts'

const staticData = { area: 'people' } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'members', staticData, validateSearch: PeopleSearch }).lazy(() =>
  import('./list/people-list-page.tsx').then((page) => page.route),
)

const person = createRoute({ getParentRoute: () => signedIn, path: 'person/$personId/{-$tab}', staticData }).lazy(() =>
  import('./page/person-page.tsx').then((page) => page.route),
)

export const peopleRoutes = [list, person] as const
