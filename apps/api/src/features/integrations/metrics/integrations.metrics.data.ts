import { maxMetricDays, metricKinds } from '@guildhall/contract/features/integrations.metrics'
import { daysFrom } from '@guildhall/contract/moments'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import {
  deleteAlert,
  deleteAnnotation,
  findAlert,
  findAlerts,
  findSubject,
  insertAlert,
  insertAnnotation,
  knownQuery,
  maxAlerts,
  measuredOf,
  metricQuery,
  overviewQuery,
} from './integrations.metrics.queries.ts'
import type { Subject } from './integrations.metrics.queries.ts'
import { bucketFor, isRange, partsOf, rangeBefore, seriesOf, typeOf, typesOf } from './integrations.metrics.rules.ts'

const { metrics } = data.integrations

export const metricsData = metrics.router({
  list: metrics.list.handler(async ({ input, context }) => {
    const [found] = await context.read(overviewQuery(input.connectionId))
    if (!found) throw await noConnection(context)
    const { subject, rows } = found
    const range = { from: daysFrom(subject.today, -29), to: subject.today }
    return {
      items: typesOf(subject.connector).map((type) => {
        const { points, current, total } = seriesOf(type, (rows[type] ?? []).map(measuredOf), range, { bucket: 'day', subject })
        return { type, ...unitOf(type, subject), points, current, total }
      }),
    }
  }),
  get: metrics.get.handler(async ({ input, context }) => {
    const range = { from: input.from, to: input.to }
    if (!isRange(range))
      throw problem('UNPROCESSABLE_CONTENT', {
        reason: 'metric_range',
        params: { days: maxMetricDays },
        detail: `Ask for at most ${maxMetricDays} days, the last one not before the first.`,
      })
    const bucket = bucketFor(range, input.bucket)
    const earlier = input.compare ? rangeBefore(range) : null
    const [found] = await context.read(
      metricQuery(input.connectionId, input.metricType, { hourly: bucket === 'hour', range, before: earlier }),
    )
    if (!found) throw await noConnection(context)
    const { subject, annotations } = found
    const rows = found.rows.map(measuredOf)
    const type = typeOf(subject.connector, input.metricType)
    if (!type) throw noMetric(subject)
    const life = { bucket, subject }
    const previous = earlier && seriesOf(type, found.before.map(measuredOf), earlier, life)
    return {
      connection: { id: subject.id, slug: subject.slug, name: subject.name },
      type,
      ...unitOf(type, subject),
      bucket,
      ...seriesOf(type, rows, range, life),
      parts: input.split ? partsOf(type, rows, range, life) : null,
      previous: previous && { points: previous.points, total: previous.total, average: previous.average },
      annotations,
      types: [...typesOf(subject.connector)],
      mayAnnotate: subject.mayManage,
      at: subject.now,
    }
  }),
  annotate: metrics.annotate.handler(({ input: { connectionId, at, text }, context }) =>
    context.inTx(async (db) => {
      if (!mustFind(await findSubject(db, connectionId)).mayManage) throw problem('FORBIDDEN')
      return mustFind(await insertAnnotation(db, context.actor, connectionId, { at, text }))
    }),
  ),
  removeAnnotation: metrics.removeAnnotation.handler(({ input: { connectionId, annotationId }, context }) =>
    context.inTx(async (db) => {
      mustFind((await deleteAnnotation(db, connectionId, annotationId)) || undefined)
    }),
  ),
  alerts: metrics.alerts.handler(({ input: { connectionId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findSubject(db, connectionId))
      return { items: await findAlerts(db, connectionId) }
    }),
  ),
  addAlert: metrics.addAlert.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const subject = mustFind(await findSubject(db, input.connectionId))
      if (!typeOf(subject.connector, input.metricType)) throw noMetric(subject)
      const alert = await insertAlert(db, context.actor, input)
      if (alert === 'exists') throw problem('CONFLICT', { reason: 'metric_alert_exists', detail: 'You have this alert already.' })
      if (alert !== 'full') return alert
      throw problem('CONFLICT', {
        reason: 'metric_alerts_full',
        params: { max: maxAlerts },
        detail: `There are ${maxAlerts} alerts for this connection already.`,
      })
    }),
  ),
  removeAlert: metrics.removeAlert.handler(({ input: { connectionId, alertId }, context }) =>
    context.inTx(async (db) => {
      await mustTouch(
        await deleteAlert(db, connectionId, alertId, context.ifMatch),
        () => findAlert(db, connectionId, alertId),
        context.ifMatch,
      )
    }),
  ),
})

function unitOf(type: keyof typeof metricKinds, { currency }: Subject) {
  const { unit } = metricKinds[type]
  return { unit, currency: unit === 'money' ? currency : null }
}

const noMetric = ({ connector }: Subject) => {
  const known = [...typesOf(connector)]
  return problem('NOT_FOUND', {
    reason: 'metric_unknown',
    params: { known },
    detail: `This connection has no such metric. It has: ${known.join(', ')}.`,
  })
}

async function noConnection(context: CallerContext) {
  const known = (await context.read(knownQuery())).map(({ slug }) => slug)
  return problem('NOT_FOUND', {
    reason: 'connection_unknown',
    params: { known },
    detail: `There is no such connection. Those you see: ${known.join(', ')}.`,
  })
}
