declare module 'virtual:api-routes' {
  import type { AnyContractRouter } from '@orpc/contract'
  export const dataRoutes: AnyContractRouter
  export const actionsRoutes: AnyContractRouter
}

/** Of the areas that the first page asks nothing of. */
declare module 'virtual:api-routes/later' {
  export * from 'virtual:api-routes'
}

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
