import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useIsAuthenticated } from '../../platform/auth/auth-context.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { useMe } from '../../platform/session/session.ts'
import { OrganisationZone } from '../../ui/display/zone-times.tsx'
import { OpenFrame } from './open-frame.tsx'
import { RouteFocus } from './route-focus.tsx'
import { Shell } from './shell.tsx'
import { SignInHandOff } from '../session/sign-in-hand-off.tsx'

// Rarely seen, so not part of the first page.
const NotFound = lazy(async () => ({ default: (await import('./not-found-page.tsx')).NotFoundPage }))

const AccountClosed = lazy(async () => ({ default: (await import('../session/account-closed.tsx')).AccountClosed }))

export const NotFoundPage = () => (
  <Suspense>
    <NotFound />
  </Suspense>
)

export const RootLayout = () => (
  <>
    <RouteFocus />
    <Outlet />
  </>
)

/** The guard lets nobody in; this takes the page away from whoever is signed out while looking at it. */
export function SignedInLayout() {
  const authenticated = useIsAuthenticated()
  const { data: me, error } = useMe()
  if (!authenticated) return <SignInHandOff />
  if (error instanceof ApiProblem && error.status === 403) {
    return (
      <Suspense>
        <AccountClosed problem={error} />
      </Suspense>
    )
  }
  return (
    <OrganisationZone value={me?.organisation.timezone ?? null}>
      <Shell>
        <Outlet />
      </Shell>
    </OrganisationZone>
  )
}

export const OpenLayout = () => (
  <OpenFrame>
    <Outlet />
  </OpenFrame>
)

/** An unknown path needs no sign-in; who is signed in keeps the navigation. */
export function RootNotFound() {
  const Layout = useIsAuthenticated() ? Shell : OpenFrame
  return (
    <Layout>
      <NotFoundPage />
    </Layout>
  )
}
