import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import type { Comparison, EventComparison } from './analytics-api.ts'
import { behindRow } from './comparison-links.ts'
import { yearBefore } from './comparison-search.ts'

type Items = EventComparison['items']
type Props = { days: { from: string; to: string }; months: Items; before: Items; asked: Omit<Comparison, 'by'> }

/** Registrations and attendance of every month of the period, beside those of a year before. */
export function EventMonths({ days, months, before, asked }: Props) {
  const { number, month: nameOf } = useFormats()
  const navigate = useNavigate()
  const all = monthsBetween(days.from, days.to)
  const attended = months.reduce((sum, one) => sum + one.attended, 0)
  const then = before.reduce((sum, one) => sum + one.attended, 0)
  const of = (items: Items, month: string) => items.find(({ key }) => key === month)
  return (
    <Chart
      kind="line"
      title={then === 0 ? t`${number(attended)} attended` : t`${number(attended)} attended, ${number(then)} a year before`}
      summary={t`People registered and checked in at events that began in each month.`}
      data={{
        heading: t`Month`,
        series: [
          { key: 'seats', label: t`Registered` },
          { key: 'attended', label: t`Attended` },
          { key: 'before', label: t`Attended, year before`, previous: true },
        ],
        rows: all.map((month) => {
          const { from } = yearBefore({ from: `${month}-01`, to: `${month}-01` })
          return {
            key: month,
            label: nameOf(month, 'long'),
            short: nameOf(month, 'short'),
            values: {
              seats: of(months, month)?.seats ?? 0,
              attended: of(months, month)?.attended ?? 0,
              before: of(before, from.slice(0, 7))?.attended ?? 0,
            },
          }
        }),
      }}
      onSelect={({ key }) => void navigate({ href: behindRow('month', key, asked) ?? '/events' })}
    />
  )
}

/** Every month from the one of a day to that of another, such as 2026-11. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let at = new Date(`${from.slice(0, 7)}-01T00:00Z`); at <= new Date(`${to}T00:00Z`); at.setUTCMonth(at.getUTCMonth() + 1))
    months.push(at.toISOString().slice(0, 7))
  return months
}
