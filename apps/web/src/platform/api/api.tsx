import { createORPCClient } from '@orpc/client'
import type { ClientLink } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { createContext, use } from 'react'
import { actionsRoutes, dataRoutes } from 'virtual:api-routes'
import type { actionsContract, dataContract } from '@guildhall/contract'
import type { AnyContractRouter } from '@orpc/contract'
import { ApiProblem } from './problem.ts'

/** Said with one call: `api.data.people.update.call(input, { context: { ifMatch: person.version } })`. */
export type CallContext = {
  ifMatch?: string | number | undefined
  idempotencyKey?: string | undefined
  /** The browser finishes the request even when the page is closed meanwhile. */
  keepalive?: boolean | undefined
  /** Told which share of a file has been sent. */
  onProgress?: ((share: number) => void) | undefined
}

export type DataClient = ContractRouterClient<typeof dataContract, CallContext>
export type ActionsClient = ContractRouterClient<typeof actionsContract, CallContext>
export type Api = ReturnType<typeof apiFrom>

export function createApi(
  dataUrl: string,
  actionsUrl: string,
  send: (request: Request, onProgress?: (share: number) => void) => Promise<Response>,
) {
  const over = (routes: AnyContractRouter, url: string) =>
    new OpenAPILink<CallContext>(routes, {
      url: new URL(url, location.origin).href.replace(/\/$/, ''),
      fetch: (request, _init, { context: { keepalive = false, onProgress } }, path) =>
        // What stays open for as long as the page is never urgent.
        send(
          keepalive ? new Request(request, { keepalive }) : path.at(-1) === 'changes' ? new Request(request, { priority: 'low' }) : request,
          onProgress,
        ),
      headers: ({ context }) => ({
        ...(context.ifMatch !== undefined && { 'if-match': `"${context.ifMatch}"` }),
        ...(context.idempotencyKey && { 'idempotency-key': context.idempotencyKey }),
      }),
    })
  const link = (routes: AnyContractRouter, later: 'dataRoutes' | 'actionsRoutes', url: string): ClientLink<CallContext> => {
    const first = over(routes, url)
    let rest: typeof first | undefined
    return {
      async call(path, input, options) {
        if (Object.hasOwn(routes, path[0] ?? '')) return first.call(path, input, options)
        rest ??= over((await laterRoutes())[later], url)
        return rest.call(path, input, options)
      },
    }
  }
  return apiFrom(
    createORPCClient<DataClient>(link(dataRoutes, 'dataRoutes', dataUrl)),
    createORPCClient<ActionsClient>(link(actionsRoutes, 'actionsRoutes', actionsUrl)),
  )
}

/** Operations of the areas that the first page asks nothing of; without a network they are asked for again with the next call. */
const laterRoutes = () =>
  import('virtual:api-routes/later').catch((cause: unknown) => {
    throw new ApiProblem(0, {}, { cause })
  })

/** The tests build the same object from fakes that are checked against the contract. */
export function apiFrom(data: DataClient, actions: ActionsClient) {
  return { data: createTanstackQueryUtils(data, { path: ['data'] }), actions: createTanstackQueryUtils(actions, { path: ['actions'] }) }
}

const ApiContext = createContext<Api | undefined>(undefined)
export const ApiProvider = ApiContext

/** `useApi().data.people.list.queryOptions({ input })` and so on, typed by the contract. */
export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi needs an ApiProvider above it')
  return api
}
