import { actions } from '../../platform/procedures/procedures.ts'
import { connectionsActions } from './connections/integrations.connections.actions.ts'
import { engineActions } from './engine/integrations.engine.actions.ts'
import { webhooksActions } from './webhooks/integrations.webhooks.actions.ts'

export const integrationsActions = actions.integrations.router({
  ...connectionsActions,
  ...engineActions,
  webhooks: webhooksActions,
})
