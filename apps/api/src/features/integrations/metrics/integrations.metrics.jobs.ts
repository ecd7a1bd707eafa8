import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { metricKinds } from '@guildhall/contract/features/integrations.metrics'
import { jobActor } from '../../../platform/jobs/job-progress.ts'
import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import { organisationIds } from '../../../platform/jobs/organisation-ids.ts'
import { notify } from '../../../platform/notify.ts'
import type { Schedule } from '../../../platform/schedules/schedules.ts'
import type { Services } from '../../../platform/services.ts'
import { findCrossings, keepFreshness, noteCrossing, purgeHours, seesConnection } from './integrations.metrics.queries.ts'
import type { Crossing, Late } from './integrations.metrics.queries.ts'

const meanings: Record<string, string> = Object.fromEntries(Object.entries(metricKinds).map(([type, { meaning }]) => [type, meaning]))
const withFreshness = Object.entries(connectors).flatMap(([key, { metrics }]) => (metrics.includes('freshness') ? [key] : []))

/** Every 15 minutes: how old the data of each connection is, whose promise that breaks, and who wants to be told of a metric. */
export const measureConnections =
  (services: Services, clock = () => new Date()): JobHandler =>
  async (_data, { signal }) => {
    const { database } = services
    for (const orgId of await database.withoutActor(organisationIds)) {
      signal.throwIfAborted()
      const at = clock()
      const late = await database.withoutActor((db) => keepFreshness(db, orgId, at, withFreshness))
      for (const connection of late) await tellOwner(services, orgId, connection)
      await tellOfMetrics(services, orgId, at)
    }
  }

/** To the last one: alerts of those who are told nothing any more stay crossed, and are in nobody's way. */
async function tellOfMetrics(services: Services, orgId: string, at: Date) {
  for (let after: string | null = null; ;) {
    const when: { at: Date; after: string | null } = { at, after }
    const crossings = await services.database.withoutActor((db) => findCrossings(db, orgId, when, meanings))
    for (const crossing of crossings) await tellOfMetric(services, orgId, crossing, at)
    after = crossings.at(-1)?.alertId ?? null
    if (after === null) return
  }
}

/** Told once for each time that the data was last brought up to date; again and again does nothing. */
async function tellOwner({ database }: Services, orgId: string, { connectionId, accountId, name, since }: Late) {
  const owner = accountId === null ? null : await jobActor(database, orgId, accountId)
  if (!owner) return
  await database.asActor(owner, async (db) => {
    if (!(await seesConnection(db, connectionId))) return
    await notify(db, {
      kind: 'connection-trouble',
      to: { accountId: owner.accountId },
      about: { recordId: connectionId },
      params: { title: name, trouble: 'fresh' },
      dedupeKey: `connection-fresh:${connectionId}:${since}`,
      toSelf: true,
    })
  })
}

/** As the account whose alert it is: who no longer sees the connection is told nothing of it. */
async function tellOfMetric({ database }: Services, orgId: string, { alertId, accountId, isCrossed, value }: Crossing, at: Date) {
  const actor = await jobActor(database, orgId, accountId)
  if (!actor) return
  await database.asActor(actor, async (db) => {
    const crossed = await noteCrossing(db, alertId, isCrossed ? at : null)
    if (!crossed || !isCrossed) return
    const { connectionId, name, currency, type, above, below } = crossed
    await notify(db, {
      kind: 'connection-metric',
      to: { accountId },
      about: { recordId: connectionId },
      params: {
        ...{ title: name, metric: type, value },
        ...(above === null ? {} : { above }),
        ...(below === null ? {} : { below }),
        ...(metricKinds[type].unit === 'money' && { currency }),
      },
      // A figure that moves around its limit fills no inbox.
      dedupeKey: `metric:${alertId}:${at.toISOString().slice(0, 10)}`,
      toSelf: true,
    })
  })
}

export const metricSchedules = (): Schedule[] => [
  {
    name: 'metric-hours',
    rule: { every: 'day', at: '03:40' },
    missed: 'once',
    run: async (db, { org }) => {
      await purgeHours(db, org)
    },
  },
]
