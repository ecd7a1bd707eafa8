import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import type { Permission } from '@guildhall/contract/permissions'
import { Application, Frame } from '../app/providers.tsx'
import { slots as app } from '../app/features.tsx'
import { pageSlots } from '../app/page-slots.tsx'
import { createAppRouter } from '../app/router.tsx'
import { ApiProvider } from '../platform/api/api.tsx'
import { AuthProvider } from '../platform/auth/auth-context.tsx'
import { SlotsProvider } from '../platform/navigation/slots.tsx'
import type { Slots } from '../platform/navigation/slots.tsx'
import { fakeApi } from './fake-api.ts'
import type { Handlers } from './fake-api.ts'
import { fakeAuth } from './fake-auth.ts'

/** All of the application, without waiting for the slots of its pages. */
const features: Slots = { ...app, page: () => pageSlots }

export type TestOptions = { signedIn?: boolean; holding?: readonly Permission[]; slots?: Slots }

const createQueries = () => new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })

/** A part of a page with everything around it: theme, language, notifications, session, api and a router without pages. */
export function renderWithApi(ui: ReactNode, handlers: Handlers = {}, { signedIn = true, holding, slots = features }: TestOptions = {}) {
  const { auth, calls } = fakeAuth({ signedIn })
  const root = createRootRoute()
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '$' })]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const queries = createQueries()
  const view = render(
    <AuthProvider value={auth}>
      <ApiProvider value={fakeApi(handlers, holding)}>
        <QueryClientProvider client={queries}>
          <SlotsProvider value={slots}>
            <Frame env="test">
              <RouterContextProvider router={router}>{ui}</RouterContextProvider>
            </Frame>
          </SlotsProvider>
        </QueryClientProvider>
      </ApiProvider>
    </AuthProvider>,
  )
  return { ...view, router, queries, authCalls: calls }
}

/** The whole application opened at an address, as a reader would. */
export function renderPath(path: string, handlers: Handlers = {}, { signedIn = true, holding, slots = features }: TestOptions = {}) {
  const { auth, calls } = fakeAuth({ signedIn })
  const api = fakeApi(handlers, holding)
  const queries = createQueries()
  const router = createAppRouter({ auth, api, queries }, createMemoryHistory({ initialEntries: [path] }))
  const view = render(<Application auth={auth} api={api} queries={queries} router={router} slots={slots} env="test" />)
  return { ...view, router, queries, authCalls: calls }
}
