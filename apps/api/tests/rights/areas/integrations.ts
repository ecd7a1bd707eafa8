import type { integrationsActions, integrationsData } from '@guildhall/contract/features/integrations'
import type { apiKeysData } from '@guildhall/contract/features/integrations.keys'
import type { metricsData } from '@guildhall/contract/features/integrations.metrics'
import type { scimData } from '@guildhall/contract/features/integrations.scim'
import type { webhooksActions, webhooksData } from '@guildhall/contract/features/integrations.webhooks'
import { right } from '../grid.ts'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { rights } from '../rights.ts'
import { keysKinds, keysPolicy, keysRights, keysRowsOf } from './integrations/keys.ts'
import { webhooksActionsPolicy, webhooksKinds, webhooksPolicy, webhooksRights, webhooksRowsOf } from './integrations/webhooks.ts'
import { scimPolicy, scimRights, scimRowsOf } from './integrations/scim.ts'
import { metricsKindsOf, metricsPolicyOf, metricsRights, metricsRowsOf } from './integrations/metrics.ts'

export const integrationsRights = {
  ...keysRights,
  ...metricsRights,
  ...scimRights,
  ...webhooksRights,
  /** Those of the stage send mail: who writes messages sees them. */
  seeConnections: right(
    'See connections to other systems, their runs and their metrics',
    `                west below east
     officer         x    x     -
     communications  x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  manageConnections: right(
    'Connect other systems, map fields, run, decide about changes and disconnect',
    `                west below east
     officer         x    x     -
     admin           x    x     x
     owner           x    x     x`,
  ),
}
const { seeConnections, manageConnections } = integrationsRights

export const integrationsKinds = {
  connection: seeConnections,
  connectionInside: manageConnections,
  tracedValue: seeConnections,
  ...keysKinds,
  ...webhooksKinds,
  ...metricsKindsOf(seeConnections),
}

export const integrationsRows: AreaRows = async (place) => {
  const { add, orgId, chapterId, people, canary } = place
  const { personId, otherPersonId } = people
  const one = { org_id: orgId, connector: 'sandbox', category: 'email', syncs: true, chapter_id: chapterId }
  const mapping = JSON.stringify([{ ours: 'givenName', theirs: 'first_name', direction: 'both', rule: 'automatic' }])
  const connect = (name: string, more: Record<string, unknown> = {}) =>
    add('connections', { ...one, name, mapping, match_by: 'primaryEmail', state: 'connected', ...more })
  const inside = canary('connectionInside')
  const owner_account_id = await add('accounts', { org_id: orgId, name: 'Owner of a connection', status: 'suspended' })
  const connectionId = await connect(canary('connection'), {
    settings: JSON.stringify({ note: inside }),
    every_minutes: 60,
    owner_account_id,
  })
  await add('connection_secrets', { org_id: orgId, connection_id: connectionId, name: 'token', sealed: Buffer.from('sealed') })
  const busyConnectionId = await connect('Busy')
  const run = (connection: string, more: Record<string, unknown> = {}) =>
    add('sync_runs', { org_id: orgId, connection_id: connection, trigger: 'manual', mapping_version: 1, is_dry: true, ...more })
  const runId = await run(connectionId, { state: 'partial', finished_at: new Date() })
  const of = { org_id: orgId, connection_id: connectionId, run_id: runId }
  const fields = JSON.stringify([{ field: 'givenName', before: 'Kim', after: inside }])
  const changeId = await add('sync_changes', {
    ...of,
    ...{
      direction: 'in',
      kind: 'conflict',
      state: 'waiting',
      entity: 'person',
      person_id: otherPersonId,
      external_id: 'other',
      name: 'Kim',
      fields,
    },
  })
  const errorId = await add('sync_errors', {
    ...of,
    direction: 'in',
    row: inside,
    code: 'bad_value',
    message: 'This value cannot be read.',
  })
  const agreed = JSON.stringify({ givenName: { value: canary('tracedValue'), at: '2026-11-01T09:00:00Z', run: runId, direction: 'in' } })
  await add('external_refs', {
    org_id: orgId,
    connection_id: connectionId,
    entity: 'person',
    person_id: personId,
    external_id: 'one',
    agreed,
  })
  return {
    ...{ connectionId, busyConnectionId, syncRunId: runId, changeId, errorId },
    ...(await keysRowsOf(place)),
    ...(await webhooksRowsOf(place)),
    ...(await metricsRowsOf(place, connectionId)),
    ...(await scimRowsOf(place)),
    busyRunId: await run(busyConnectionId),
    pausedConnectionId: await connect('Paused', { state: 'paused' }),
  }
}

type Data = typeof integrationsData & {
  keys: typeof apiKeysData
  webhooks: typeof webhooksData
  metrics: typeof metricsData
  scim: typeof scimData
}
const mapping = [{ ours: 'familyName', theirs: 'last_name', direction: 'in', rule: 'review' }]
export const integrationsPolicy: PolicyOf<Data> = {
  list: may(rights.account, { shows: ['connection', 'connectionInside'] }),
  get: may(seeConnections, { shows: ['connection'] }),
  update: may(manageConnections, { send: { everyMinutes: 120 } }),
  pause: may(manageConnections),
  resume: may(manageConnections, { ids: { connectionId: 'pausedConnectionId' } }),
  disconnect: may(manageConnections),
  mapping: may(seeConnections),
  setMapping: may(manageConnections, { send: { mapping } }),
  runs: may(seeConnections),
  run: may(seeConnections, { ids: { runId: 'syncRunId' } }),
  changes: may(manageConnections, { ids: { runId: 'syncRunId' }, shows: ['connectionInside'] }),
  waiting: may(manageConnections, { shows: ['connectionInside'] }),
  decide: may(manageConnections, { send: { accept: false } }),
  errors: may(manageConnections, { shows: ['connectionInside'] }),
  ignore: may(manageConnections),
  trace: may(rights.seePeople),
  keys: keysPolicy,
  webhooks: webhooksPolicy,
  metrics: metricsPolicyOf(seeConnections, manageConnections),
  scim: scimPolicy,
}
export const integrationsActionsPolicy: PolicyOf<typeof integrationsActions & { webhooks: typeof webhooksActions }> = {
  connect: may(manageConnections, { send: { connector: 'sandbox', name: 'Try it out', chapterId: '$chapterId' } }),
  test: may(manageConnections),
  preview: may(manageConnections, { send: { mapping }, changesNothing: true }),
  run: may(manageConnections, { send: { isDry: true } }),
  cancel: may(manageConnections, { ids: { connectionId: 'busyConnectionId', runId: 'busyRunId' } }),
  webhooks: webhooksActionsPolicy,
}
