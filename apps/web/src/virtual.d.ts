declare module 'virtual:api-routes' {
  import type { AnyContractRouter } from '@orpc/contract'
  export const dataRoutes: AnyContractRouter
  export const actionsRoutes: AnyContractRouter
}

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
