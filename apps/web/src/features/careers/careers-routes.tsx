import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'careers', planned: true } as const

const careers = createRoute({ getParentRoute: () => signedIn, path: 'careers', staticData, component: plannedPage(msg`Careers`) })

export const careersRoutes = [careers] as const
