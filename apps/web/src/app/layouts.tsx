import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useIsAuthenticated } from '../platform/auth/auth-context.tsx'
import { OpenFrame } from './open-frame.tsx'
import { RouteFocus } from './route-focus.tsx'
import { Shell } from './shell.tsx'
import { SignInHandOff } from './sign-in-hand-off.tsx'

// Rarely seen, so not part of the first page.
const NotFound = lazy(async () => ({ default: (await import('./not-found-page.tsx')).NotFoundPage }))

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
  if (!useIsAuthenticated()) return <SignInHandOff />
  return (
    <Shell>
      <Outlet />
    </Shell>
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
