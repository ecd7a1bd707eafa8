import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
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
  // Asked again, on a look back at this window say, the former answer is gone; what was typed below it must not go with it.
  const [last, setLast] = useState<ApiProblem | null>(null)
  const isRefused = error instanceof ApiProblem && error.status === 403
  const refusal = !authenticated ? null : isRefused ? error : me ? null : last
  if (refusal !== last) setLast(refusal)
  if (!authenticated) return <SignInHandOff />
  if (refusal) {
    return (
      <Suspense>
        <AccountClosed problem={refusal} />
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
