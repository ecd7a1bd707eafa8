import type { metricsData } from '@guildhall/contract/features/integrations.metrics'
import { right } from '../../grid.ts'
import type { Right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'

/** The stage's alerts are for a connection of the whole organisation, which sends mail. */
export const metricsRights = {
  keepAlerts: right(
    'Remove their own alerts for metrics of connections that they see',
    `                own
     communications  x
     admin           x
     owner           x`,
  ),
}

export const metricsKindsOf = (seeConnections: Right) => ({ metricNote: seeConnections })

type Place = Parameters<AreaRows>[0]
/** What somebody noted, and what was measured. */
export async function metricsRowsOf({ add, orgId, canary }: Place, connectionId: string): Promise<Record<string, string>> {
  const one = { org_id: orgId, connection_id: connectionId }
  const sum = { type: 'records', total: 3, measured: 1, least: 3, greatest: 3, last: 3, last_at: new Date() }
  await add('metric_days', { ...one, ...sum, day: new Date() })
  // On the day that dates of requests are by default.
  return { annotationId: await add('metric_annotations', { ...one, at: '2026-07-01T12:00:00Z', text: canary('metricNote') }) }
}

/** What somebody is told of, beside their other belongings. */
export async function alertsOf(add: Place['add'], { org_id, account_id }: { org_id: string; account_id: string }) {
  const alertConnectionId = await add('connections', {
    org_id,
    connector: 'sandbox',
    category: 'email',
    name: 'Watched',
    state: 'connected',
  })
  const alertId = await add('metric_alerts', { org_id, account_id, connection_id: alertConnectionId, type: 'errors', above: 1 })
  return { alertConnectionId, alertId }
}

export const metricsPolicyOf = (seeConnections: Right, manageConnections: Right): PolicyOf<typeof metricsData> => ({
  list: may(seeConnections),
  get: may(seeConnections, { shows: ['metricNote'] }),
  annotate: may(manageConnections),
  removeAnnotation: may(manageConnections),
  alerts: may(seeConnections),
  addAlert: may(seeConnections),
  removeAlert: may(metricsRights.keepAlerts, { ids: { connectionId: 'alertConnectionId' } }),
})
