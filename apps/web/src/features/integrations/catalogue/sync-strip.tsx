import { plural, t } from '@lingui/core/macro'
import type { Connection } from '@guildhall/contract/features/integrations'
import { useFormats } from '../../../ui/display/dates.tsx'
import classes from './catalogue.module.css'

type Day = Connection['strip'][number]

const markOf = ({ runs, failed, errors }: Day) => (runs === 0 ? 'none' : failed > 0 ? 'failed' : errors > 0 ? 'errors' : 'good')

const runsText = (runs: number) => plural(runs, { one: '# run', other: '# runs' })
const failedText = (failed: number) => plural(failed, { one: '# failed', other: '# failed' })
const errorsText = (errors: number) => plural(errors, { one: '# row with an error', other: '# rows with errors' })

/** One mark a day: how high and in which colour says how it went, the tooltip says it in words. */
export function SyncStrip({ strip }: { strip: Connection['strip'] }) {
  const { day } = useFormats()
  if (strip.length === 0) return null
  const sum = (of: (one: Day) => number) => strip.reduce((total, one) => total + of(one), 0)
  const told = (one: { runs: number; failed: number; errors: number }) =>
    one.runs === 0
      ? t`no runs`
      : [runsText(one.runs), ...(one.failed ? [failedText(one.failed)] : []), ...(one.errors ? [errorsText(one.errors)] : [])].join(', ')
  const total = { runs: sum(({ runs }) => runs), failed: sum(({ failed }) => failed), errors: sum(({ errors }) => errors) }
  return (
    <div role="img" aria-label={t`Last ${strip.length} days: ${told(total)}`} className={classes['strip']}>
      {strip.map((one) => (
        <span key={one.day} className={classes['mark']} data-mark={markOf(one)} title={`${day(one.day)}: ${told(one)}`} />
      ))}
    </div>
  )
}
