import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import { MetricType, maxMetricDays, maxMetricPoints, metricKinds } from '@guildhall/contract/features/integrations.metrics'
import type { MetricBucket, MetricMeaning, MetricPoint } from '@guildhall/contract/features/integrations.metrics'
import { daysBetween, daysFrom, momentAt, weekdayOf } from '@guildhall/contract/moments'
import type { Measured, Subject } from './integrations.metrics.queries.ts'

export type Range = { from: string; to: string }

export const typesOf = (connector: ConnectorKey): readonly MetricType[] => connectors[connector].metrics
/** The type by its name, of those that the connector has. */
export function typeOf(connector: ConnectorKey, name: string): MetricType | undefined {
  const { data } = MetricType.safeParse(name)
  return data && typesOf(connector).includes(data) ? data : undefined
}

const daysIn = ({ from, to }: Range) => daysBetween(from, to) + 1
export const isRange = (range: Range) => daysIn(range) >= 1 && daysIn(range) <= maxMetricDays
/** As many days, right before. */
export const rangeBefore = (range: Range): Range => ({ from: daysFrom(range.from, -daysIn(range)), to: daysFrom(range.from, -1) })

/** Hours become days where there would be too many of them, the clock change in autumn included. */
export const bucketFor = (range: Range, wanted: MetricBucket): MetricBucket =>
  wanted === 'hour' && daysIn(range) * 24 + 1 > maxMetricPoints ? 'day' : wanted

/** Hours are kept for so long. */
const keptDays = 400
const hourMs = 3_600_000
const dayMs = 24 * hourMs
// Hundreds of days are counted for one answer: plain arithmetic, since days of the calendar know no zone.
const numberOf = (day: string) => Date.parse(day) / dayMs
const dayOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)

type Buckets = {
  starts: string[]
  /** Which one a measurement belongs to. */
  placeOf(at: string): number
  /** From the first with something to measure to the last that has begun. */
  live: [first: number, last: number]
}

/** Buckets of a range in order; those of a week begin on Monday. */
function bucketsOf(range: Range, { bucket, subject: { madeOn, today, now, timezone } }: Life): Buckets {
  if (bucket === 'hour') {
    const midnight = (day: string) => Date.parse(momentAt(timezone, day, '00:00').at)
    const begin = midnight(range.from)
    const placeOf = (at: string) => Math.floor((Date.parse(at) - begin) / hourMs)
    return {
      starts: Array.from({ length: Math.round((midnight(daysFrom(range.to, 1)) - begin) / hourMs) }, (_, place) =>
        new Date(begin + place * hourMs).toISOString(),
      ),
      placeOf,
      // Of hours that are forgotten nobody can say that there was nothing.
      live: [Math.max(placeOf(new Date(midnight(madeOn)).toISOString()), placeOf(now) - keptDays * 24 + 1), placeOf(now)],
    }
  }
  const step = bucket === 'day' ? 1 : 7
  const first = numberOf(range.from) - (bucket === 'day' ? 0 : weekdayOf(range.from) - 1)
  const placeOf = (day: string) => Math.floor((numberOf(day) - first) / step)
  return {
    starts: Array.from({ length: placeOf(range.to) + 1 }, (_, place) => dayOf(first + place * step)),
    placeOf,
    live: [placeOf(madeOn), placeOf(today)],
  }
}

type Life = { bucket: MetricBucket; subject: Pick<Subject, 'madeOn' | 'today' | 'now' | 'timezone'> }

type Sum = Pick<Measured, 'total' | 'measured' | 'greatest' | 'last' | 'lastAt'>
const plus = (one: Sum | undefined, other: Sum): Sum =>
  one
    ? {
        total: one.total + other.total,
        measured: one.measured + other.measured,
        greatest: Math.max(one.greatest, other.greatest),
        ...(other.lastAt >= one.lastAt ? { last: other.last, lastAt: other.lastAt } : { last: one.last, lastAt: one.lastAt }),
      }
    : other

function valueOf(meaning: MetricMeaning, sum: Sum): number {
  if (meaning === 'sum') return sum.total
  return meaning === 'average' ? sum.total / sum.measured : sum.last
}

export type Series = {
  points: MetricPoint[]
  current: number | null
  total: number | null
  average: number | null
  peak: MetricPoint | null
}

/** Figures of one type over a range. */
export function seriesOf(type: MetricType, rows: readonly Measured[], range: Range, life: Life): Series {
  const { meaning } = metricKinds[type]
  const { starts, placeOf, live } = bucketsOf(range, life)
  const sums: (Sum | undefined)[] = starts.map(() => undefined)
  for (const row of rows) {
    const place = placeOf(row.at)
    if (place >= 0 && place < sums.length) sums[place] = plus(sums[place], row)
  }
  const points = starts.map((at, place) => {
    const sum = sums[place]
    // Of sums, nothing is a zero, but not before the connection was made, nor in time to come.
    const zero = meaning === 'sum' && place >= live[0] && place <= live[1] ? 0 : null
    return { at, value: sum ? valueOf(meaning, sum) : zero }
  })
  const all = rows.reduce<Sum | undefined>(plus, undefined)
  // Of averages and states, the highest measurement; of sums, the biggest bucket.
  const heights = points.map(({ at, value }, place) => ({ at, value: meaning === 'sum' ? value : (sums[place]?.greatest ?? null) }))
  const peak = heights.reduce<MetricPoint | null>(
    (best, point) => (point.value !== null && point.value > (best?.value ?? -Infinity) ? point : best),
    null,
  )
  const known = points.filter(({ value }) => value !== null)
  return {
    points,
    current: meaning === 'last' ? (all?.last ?? null) : (known.at(-1)?.value ?? null),
    total: meaning === 'sum' ? (known.length > 0 ? (all?.total ?? 0) : null) : null,
    average: meaning === 'average' && all ? all.total / all.measured : null,
    peak,
  }
}

/** The same for what came in and what went out; nothing where the directions are not told apart. */
export function partsOf(type: MetricType, rows: readonly Measured[], range: Range, life: Life) {
  const parts = (['in', 'out'] as const).filter((direction) => rows.some((row) => row.direction === direction))
  if (parts.length === 0) return null
  return parts.map((direction) => ({
    direction,
    points: seriesOf(
      type,
      rows.filter((row) => row.direction === direction),
      range,
      life,
    ).points,
  }))
}
