import { data } from '../../platform/procedures/procedures.ts'
import { connectionsData } from './connections/integrations.connections.data.ts'
import { connectionMappingData, connectionRunsData } from './connections/integrations.runs.data.ts'
import { scimData } from './scim/integrations.scim.data.ts'
import { keysData } from './keys/integrations.keys.data.ts'
import { metricsData } from './metrics/integrations.metrics.data.ts'
import { webhooksData } from './webhooks/integrations.webhooks.data.ts'

export const integrationsData = data.integrations.router({
  ...connectionsData,
  ...connectionMappingData,
  ...connectionRunsData,
  keys: keysData,
  metrics: metricsData,
  scim: scimData,
  webhooks: webhooksData,
})
