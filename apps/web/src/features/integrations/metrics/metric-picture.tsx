import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { metricKinds } from '@guildhall/contract/features/integrations.metrics'
import type { MetricAlert, MetricAnswer, MetricPoint } from '@guildhall/contract/features/integrations.metrics'
import { decimalsOf } from '@guildhall/contract/money'
import { IconChartLine } from '@tabler/icons-react'
import { use } from 'react'
import { useToday } from '../../../platform/session/session.ts'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { OrganisationZone } from '../../../ui/display/zone-times.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { useAlertText } from './alerts-panel.tsx'
import { useMetricFigure } from './metric-api.ts'
import { spanDays } from './metric-range.ts'
import type { MetricRange } from './metric-range.ts'
import { metricWords } from './metric-words-public.ts'
import classes from './metrics.module.css'

type Props = { metric: MetricAnswer; range: MetricRange; alerts: readonly MetricAlert[] }

/** The figures of a range, their line with limits and notes, and the table below. */
export function MetricPicture({ metric, range, alerts }: Props) {
  const { type, points, parts, previous, currency, bucket } = metric
  const figure = useMetricFigure()
  const words = metricWords()[type]
  const labels = usePointLabels(metric, spanDays(range) > 330)
  const alertText = useAlertText()
  const isOpen = range.to >= useToday()
  if (points.every(({ value }) => value === null))
    return (
      <EmptyState icon={<IconChartLine size={32} stroke={1.5} />} title={t`Nothing was measured in this time`}>
        {words.about}
      </EmptyState>
    )
  // Money is drawn, and leaves as CSV, in whole units of the currency.
  const unit = currency === null ? 1 : 10 ** decimalsOf(currency)
  const drawn = (value: number | null | undefined) =>
    value === null || value === undefined ? null : Math.round((value / unit) * 100) / 100
  const format = (value: number) => figure(type, value * unit, currency)
  const byGroup = { hour: t`By hour.`, day: t`By day.`, week: t`By week.` }[bucket]
  const series = parts
    ? parts.map(({ direction }) => ({ key: direction, label: direction === 'in' ? t`Came in` : t`Went out` }))
    : [{ key: 'value', label: words.label }, ...(previous ? [{ key: 'previous', label: t`Days before`, previous: true }] : [])]
  const headline = metric.total ?? metric.average ?? metric.current
  return (
    <>
      <Figures metric={metric} labelOf={labels.long} />
      <Section title={words.label}>
        <Chart
          kind="line"
          title={headline === null ? words.label : `${words.label}: ${figure(type, headline, currency)}`}
          summary={`${words.about} ${byGroup}`}
          data={{
            heading: { hour: t`Hour`, day: t`Day`, week: t`Week` }[bucket],
            series,
            rows: points.map((point, at) => ({
              key: point.at,
              label: labels.long(point.at),
              short: labels.short(point.at),
              values: {
                value: drawn(point.value),
                previous: drawn(previous?.points[at]?.value),
                ...Object.fromEntries((parts ?? []).map((part) => [part.direction, drawn(part.points[at]?.value)])),
              },
            })),
          }}
          limits={alerts.map((alert) => ({ label: alertText(alert), value: drawn(alert.above ?? alert.below) ?? 0 }))}
          marks={metric.annotations.flatMap(({ at }, index) => {
            const row = labels.rowOf(at)
            return row === undefined ? [] : [{ row, label: String(index + 1) }]
          })}
          partial={isOpen && metricKinds[type].meaning === 'sum' && points.length > 1}
          format={format}
          withTable
        />
      </Section>
    </>
  )
}

function Figures({ metric, labelOf }: { metric: MetricAnswer; labelOf: (at: string) => string }) {
  const { type, current, total, average, peak, previous, currency } = metric
  const figure = useMetricFigure()
  const shown = (value: number | null) => (value === null ? '–' : figure(type, value, currency))
  const summed = total === null ? average : total
  const before = previous && (total === null ? previous.average : previous.total)
  const { meaning } = metricKinds[type]
  return (
    <div className={classes['figures']}>
      <Stat label={meaning === 'last' ? t`Now` : t`Latest`} value={shown(current)} />
      {meaning !== 'last' && (
        <Stat
          label={meaning === 'sum' ? t`Total` : t`Average`}
          value={shown(summed)}
          {...(previous && { change: before === null ? t`nothing measured before` : t`${shown(before)} in the days before` })}
        />
      )}
      <Stat label={t`Peak`} value={shown(peak?.value ?? null)} {...(peak && { change: labelOf(peak.at) })} />
    </div>
  )
}

const hourMs = 3_600_000
const isDay = (at: string) => at.length === 10

/** What points are called in the table and on the axis, and at which one something happened. */
function usePointLabels({ points, bucket }: Pick<MetricAnswer, 'points' | 'bucket'>, isLong: boolean) {
  const { i18n } = useLingui()
  const { day } = useFormats()
  const zone = use(OrganisationZone)
  const locale = i18n.locales ?? i18n.locale
  const timeZone = zone === null ? {} : { timeZone: zone }
  const hour = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...timeZone })
  const shortHour = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', ...timeZone })
  const shortDay = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isLong && { year: '2-digit' as const }),
    timeZone: 'UTC',
  })
  const dayOf = new Intl.DateTimeFormat('sv', timeZone)
  return {
    long: (at: string) => (isDay(at) ? (bucket === 'week' ? t`Week of ${day(at)}` : day(at)) : hour.format(new Date(at))),
    short: (at: string) => (isDay(at) ? shortDay.format(new Date(`${at}T12:00Z`)) : shortHour.format(new Date(at))),
    rowOf: (at: string): string | undefined => {
      const moment = new Date(at)
      const begins = (point: MetricPoint) => (isDay(point.at) ? point.at <= dayOf.format(moment) : Date.parse(point.at) <= moment.getTime())
      const row = points.findLast(begins)
      return row && (isDay(row.at) || moment.getTime() < Date.parse(row.at) + hourMs) ? row.at : undefined
    },
  }
}
