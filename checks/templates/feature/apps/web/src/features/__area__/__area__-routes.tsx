import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { asFlag, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

const staticData = { area: '__area__' } as const

const list = createRoute({
  getParentRoute: () => signedIn,
  path: '__list_url__',
  staticData,
  validateSearch: searchParams({ ...listSearch, new: asFlag }),
}).lazy(() => import('./__record_file__-list-page.tsx').then((page) => page.route))

const record = createRoute({ getParentRoute: () => signedIn, path: '__record_url__/$__record__Id/{-$tab}', staticData }).lazy(() =>
  import('./__record_file__-page.tsx').then((page) => page.route),
)

export const __area__Routes = [list, record] as const
