import { plural, t } from '@lingui/core/macro'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import type { WebhookEndpoint } from './webhooks-api.ts'

/** What was delivered and what failed, day by day; nothing until something was sent. */
export function WebhookPicture({ strip }: Pick<WebhookEndpoint, 'strip'>) {
  const { day: written } = useFormats()
  const delivered = strip.reduce((sum, day) => sum + day.delivered, 0)
  const failed = strip.reduce((sum, day) => sum + day.failed, 0)
  if (delivered + failed === 0) return null
  return (
    <Chart
      kind="stacked"
      upright
      partial
      title={plural(delivered, {
        0: 'Nothing delivered in the last 14 days',
        one: '# delivered in the last 14 days',
        other: '# delivered in the last 14 days',
      })}
      summary={plural(failed, { 0: 'No try failed.', one: '# try failed.', other: '# tries failed.' })}
      data={{
        heading: t`Day`,
        series: [
          { key: 'delivered', label: t`Delivered` },
          { key: 'failed', label: t`Failed tries` },
        ],
        rows: strip.map((day) => ({
          key: day.day,
          label: written(day.day),
          short: day.day.slice(8),
          values: { delivered: day.delivered, failed: day.failed },
        })),
      }}
    />
  )
}
