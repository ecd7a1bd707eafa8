import * as z from 'zod'
import { act, del, get, post } from '../base.ts'
import { refusal } from '../reasons.ts'
import { CalendarDate, Id, Instant, Version, text } from '../shapes.ts'

const tag = 'Integration metrics'

export const MetricUnit = z.enum(['count', 'milliseconds', 'hours', 'percent', 'money'])
export type MetricUnit = z.infer<typeof MetricUnit>
/** How measurements of a stretch of time become one figure: their sum, their average, or the last one. */
export type MetricMeaning = 'sum' | 'average' | 'last'

const counted = { unit: 'count', meaning: 'sum' } as const
const money = { unit: 'money', meaning: 'sum' } as const

/** What is measured of connections; which of it a connector has says integrations.connectors.ts. */
export const metricKinds = {
  'sync-runs': counted,
  records: counted,
  errors: counted,
  latency: { unit: 'milliseconds', meaning: 'average' },
  freshness: { unit: 'hours', meaning: 'last' },
  quota: { unit: 'count', meaning: 'last' },
  sent: counted,
  delivered: counted,
  opens: counted,
  clicks: counted,
  bounces: counted,
  complaints: counted,
  unsubscribes: counted,
  volume: money,
  'success-rate': { unit: 'percent', meaning: 'average' },
  refunds: money,
  disputes: counted,
  fees: money,
  payouts: money,
  synced: counted,
  conflicts: counted,
  deliveries: counted,
  failures: counted,
} as const satisfies Record<string, { unit: MetricUnit; meaning: MetricMeaning }>
export type MetricType = keyof typeof metricKinds
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- zod wants the keys as a tuple, and they are all of the list
export const MetricType = z.enum(Object.keys(metricKinds) as [MetricType, ...MetricType[]])
export const MetricBucket = z.enum(['hour', 'day', 'week'])
export type MetricBucket = z.infer<typeof MetricBucket>
/** How much a page draws at most; a longer range is answered in a wider bucket. */
export const maxMetricPoints = 500
export const maxMetricDays = 400

const Point = z.object({
  at: z
    .union([Instant, CalendarDate])
    .describe('Of an hour its beginning; of a day or a week the (first) day of the organisation’s calendar'),
  value: z.number().nullable().describe('Null where nothing was measured'),
})
export type MetricPoint = z.infer<typeof Point>

/** What happened to a connection by itself or by somebody’s doing, noted on its figures. */
export const MetricEvent = z.enum(['connected', 'degraded', 'error', 'paused', 'disconnected', 'mapping'])
export type MetricEvent = z.infer<typeof MetricEvent>
export const MetricAnnotation = z.object({
  id: Id,
  at: Instant,
  text: z.string().nullable().describe('What somebody wrote; null of an event'),
  event: MetricEvent.nullable().describe('What happened to the connection; null of a note'),
  by: z.string().nullable(),
})
export type MetricAnnotation = z.infer<typeof MetricAnnotation>

const Figures = z.object({
  current: z.number().nullable().describe('The newest measurement; of sums, that of the last bucket'),
  total: z.number().nullable().describe('Null of what does not add up'),
  average: z.number().nullable().describe('Of all measurements; null of sums and of states'),
  peak: Point.nullable(),
})

export const MetricAnswer = z.object({
  connection: z.object({ id: Id, slug: z.string(), name: z.string() }),
  type: MetricType,
  unit: MetricUnit,
  currency: z.string().nullable().describe('Of money, in its smallest unit'),
  bucket: MetricBucket.describe('As answered: wider than asked where there would be more than 500 points'),
  points: z.array(Point).max(maxMetricPoints),
  parts: z
    .array(z.object({ direction: z.enum(['in', 'out']), points: z.array(Point).max(maxMetricPoints) }))
    .nullable()
    .describe('By direction, where asked and kept'),
  previous: z
    .object({ points: z.array(Point).max(maxMetricPoints), total: z.number().nullable(), average: z.number().nullable() })
    .nullable()
    .describe('The same number of days before'),
  ...Figures.shape,
  annotations: z.array(MetricAnnotation).max(200).describe('Of the range, the newest 200, oldest first'),
  types: z.array(MetricType).describe('All that this connection has'),
  mayAnnotate: z.boolean(),
  at: Instant,
})
export type MetricAnswer = z.infer<typeof MetricAnswer>

export const MetricOverview = z.object({
  items: z.array(
    Figures.omit({ average: true, peak: true }).extend({
      type: MetricType,
      unit: MetricUnit,
      currency: z.string().nullable(),
      points: z.array(Point).describe('The last 30 days'),
    }),
  ),
})
export type MetricOverview = z.infer<typeof MetricOverview>

export const MetricAlert = z.object({
  id: Id,
  connectionId: Id,
  metricType: MetricType,
  above: z.number().nullable(),
  below: z.number().nullable(),
  firedAt: Instant.nullable().describe('Since when the limit is crossed'),
  version: Version,
})
export type MetricAlert = z.infer<typeof MetricAlert>

const largest = 1_000_000_000_000
const Bound = z.number().min(0).max(largest).nullable().default(null)
export const NewMetricAlert = z
  .strictObject({ connectionId: Id, metricType: MetricType, above: Bound, below: Bound })
  .refine(({ above, below }) => (above === null) !== (below === null), {
    path: ['above'],
    ...refusal('metric_alert_one_limit', 'Give one limit: above or below.'),
  })
  .meta({ examples: [{ metricType: 'freshness', above: 48 }] })
export const NewAnnotation = z
  .strictObject({ connectionId: Id, at: Instant, text: text(200, 1) })
  .meta({ examples: [{ at: '2026-11-10T09:00:00Z', text: 'New list' }] })

/** Loose: an unknown name is answered with the known ones, not as a fault of the request. */
const name = (what: string) => z.string().min(1).max(60).describe(what)
const OneConnection = z.strictObject({ connectionId: Id })

export const metricsData = {
  list: get('/connections/{connectionId}/metrics', 'listConnectionMetrics', {
    needs: 'integrations.read',
    tag,
    summary: 'All metrics of a connection over the last 30 days',
  })
    .input(z.strictObject({ connectionId: name('Id of a connection, or its name in addresses') }))
    .output(MetricOverview),
  get: get('/connections/{connectionId}/metrics/{metricType}', 'getConnectionMetric', {
    needs: 'integrations.read',
    tag,
    summary: 'One metric of a connection over time; an unknown one lists the known ones',
    description:
      'Days and weeks follow the organisation’s time zone. Hours are kept for 400 days. ' +
      'An unknown metric answers 404 `metric_unknown`, an unknown connection 404 `connection_unknown`, each with the known ones in `params.known`.',
  })
    .input(
      z
        .strictObject({
          connectionId: name('Id of a connection, or its name in addresses'),
          metricType: name('A type of metric').meta({ examples: ['records'] }),
          from: CalendarDate,
          to: CalendarDate.describe('At most 400 days'),
          bucket: MetricBucket.default('day'),
          compare: z.boolean().default(false).describe('With the same number of days before'),
          split: z.boolean().default(false).describe('By direction, where it is kept'),
        })
        .meta({ examples: [{ from: '2026-11-01', to: '2026-11-20' }] }),
    )
    .output(MetricAnswer),
  annotate: post('/connections/{connectionId}/annotations', 'annotateMetrics', {
    needs: 'integrations.manage',
    tag,
    summary: 'Add a note to the metrics of a connection',
  })
    .input(NewAnnotation)
    .output(z.object({ id: Id })),
  removeAnnotation: del('/connections/{connectionId}/annotations/{annotationId}', 'removeMetricAnnotation', {
    needs: 'integrations.manage',
    tag,
    summary: 'Remove a note from the metrics of a connection',
  })
    .input(OneConnection.extend({ annotationId: Id }))
    .output(z.void()),
  alerts: get('/connections/{connectionId}/alerts', 'listMetricAlerts', {
    needs: 'integrations.read',
    tag,
    summary: 'Your alerts for a connection, at most 50',
  })
    .input(OneConnection)
    .output(z.object({ items: z.array(MetricAlert) })),
  addAlert: post('/connections/{connectionId}/alerts', 'addMetricAlert', {
    needs: 'integrations.read',
    tag,
    summary: 'Be told when a metric goes above or below a limit',
    description:
      'You are told once, and again only after the metric was back within the limit, at most once a day. States such as freshness are compared as they are; ' +
      'sums and averages over the last 24 hours.',
  })
    .input(NewMetricAlert)
    .output(MetricAlert),
  removeAlert: act('/connections/{connectionId}/alerts/{alertId}/remove', 'removeMetricAlert', {
    needs: 'integrations.read',
    status: 204,
    tag,
    summary: 'Remove an alert',
  })
    .input(OneConnection.extend({ alertId: Id }))
    .output(z.void()),
}
