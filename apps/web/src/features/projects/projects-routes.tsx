import { msg } from '@lingui/core/macro'
import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { plannedPage } from '../../platform/navigation/planned-route.tsx'

const staticData = { area: 'projects', planned: true } as const

const list = createRoute({ getParentRoute: () => signedIn, path: 'projects', staticData, component: plannedPage(msg`Projects`) })

export const projectsRoutes = [list] as const
