import { plural, t } from '@lingui/core/macro'
import type { Connection } from '@guildhall/contract/features/integrations'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import classes from './connection.module.css'

/** Records written each day in either direction, with failures on top. */
export function FlowPicture({ strip }: { strip: Connection['strip'] }) {
  const { day } = useFormats()
  const total = strip.reduce((sum, one) => sum + one.in + one.out, 0)
  const errors = strip.reduce((sum, one) => sum + one.errors, 0)
  if (total + errors === 0) return <p className={classes['dim']}>{t`No records moved in the last 14 days.`}</p>
  return (
    <Chart
      kind="stacked"
      upright
      partial
      inOrder
      title={plural(total, { one: '# record written in 14 days', other: '# records written in 14 days' })}
      summary={plural(errors, {
        0: 'No row failed.',
        one: '# row failed.',
        other: '# rows failed.',
      })}
      data={{
        heading: t`Day`,
        series: [
          { key: 'in', label: t`In` },
          { key: 'out', label: t`Out` },
          { key: 'errors', label: t`Failed` },
        ],
        rows: strip.map((one) => ({
          key: one.day,
          label: day(one.day),
          values: { in: one.in, out: one.out, errors: one.errors },
        })),
      }}
    />
  )
}
