import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { CampaignsSearch, FundraisingSearch } from './fundraising-search.ts'

const staticData = { area: 'fundraising' } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'fundraising', staticData, validateSearch: CampaignsSearch }).lazy(() =>
  import('./campaigns/campaign-list-page.tsx').then((page) => page.route),
)

/** A campaign, or `all` of them: tabs across campaigns. */
const record = createRoute({
  getParentRoute: () => signedIn,
  path: 'fundraising/$campaignId/{-$tab}',
  staticData,
  validateSearch: FundraisingSearch,
}).lazy(() => import('./campaigns/campaign-page.tsx').then((page) => page.route))

export const fundraisingRoutes = [list, record] as const
