import type { MetricAlert, MetricAnswer, MetricBucket, MetricOverview } from '@guildhall/contract/features/integrations.metrics'
import { daysFrom } from '@guildhall/contract/moments'
import { uuid } from '../../../testing/fake-api.ts'

type Asked = { metricType: string; from: string; to: string; bucket: MetricBucket; compare: boolean; split: boolean }

const daysOf = ({ from, to }: Asked) =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 }, (_, at) => daysFrom(from, at))
export const connection = { id: uuid(71), slug: 'volunteers', name: 'Mailing list' }

/** Ten records a day, 12 on the last. */
export function records(asked: Asked, change: Partial<MetricAnswer> = {}): MetricAnswer {
  const days = daysOf(asked)
  const points = days.map((at, index) => ({ at, value: index === days.length - 1 ? 12 : 10 }))
  return {
    ...{
      connection,
      type: 'records',
      unit: 'count',
      currency: null,
      bucket: asked.bucket === 'hour' && days.length > 20 ? 'day' : asked.bucket,
    },
    points,
    parts: asked.split
      ? (['in', 'out'] as const).map((direction) => ({
          direction,
          points: points.map(({ at }) => ({ at, value: direction === 'in' ? 7 : 3 })),
        }))
      : null,
    previous: asked.compare ? { points: points.map(({ at }) => ({ at, value: 4 })), total: 4 * days.length, average: null } : null,
    ...{ current: 12, total: 10 * days.length + 2, average: null, peak: { at: asked.to, value: 12 } },
    annotations: [
      { id: uuid(1), at: `${asked.from}T10:00:00Z`, text: 'New list', event: null, by: 'Olive Owner' },
      { id: uuid(2), at: `${asked.to}T10:00:00Z`, text: null, event: 'paused', by: null },
    ],
    types: ['records', 'freshness', 'errors'],
    mayAnnotate: true,
    at: '2026-11-28T12:00:00Z',
    ...change,
  }
}

export const overview: MetricOverview = {
  items: [
    { type: 'records', unit: 'count', currency: null, current: 12, total: 302, points: [] },
    {
      ...{ type: 'freshness', unit: 'hours', currency: null, current: 80, total: null },
      points: [
        { at: '2026-11-27', value: 70 },
        { at: '2026-11-28', value: 80 },
      ],
    },
    { type: 'errors', unit: 'count', currency: null, current: null, total: null, points: [] },
  ],
}

export const alert: MetricAlert = {
  ...{
    id: uuid(11),
    connectionId: connection.id,
    metricType: 'records',
    above: 11,
    below: null,
    firedAt: '2026-11-28T08:00:00Z',
    version: 2,
  },
}
