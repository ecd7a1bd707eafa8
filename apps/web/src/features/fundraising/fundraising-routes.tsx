import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'fundraising', planned: true } as const

const fundraising = createRoute({
  getParentRoute: () => signedIn,
  path: 'fundraising/{-$campaignId}/{-$tab}',
  staticData,
  component: plannedPage(msg`Fundraising`),
})

export const fundraisingRoutes = [fundraising] as const
