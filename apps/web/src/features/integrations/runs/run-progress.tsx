import { t } from '@lingui/core/macro'
import { useFormats } from '../../../ui/display/dates.tsx'
import type { SyncRun } from '../integrations-api.ts'
import classes from './runs.module.css'

/** How far a run is; without a total only how many rows it has done. */
export function RunProgress({ run: { done, total, state } }: { run: Pick<SyncRun, 'done' | 'total' | 'state'> }) {
  const { number } = useFormats()
  const text =
    state === 'queued' ? t`Waiting to start` : total === null ? t`${number(done)} records` : t`${number(done)} of ${number(total)} records`
  const share = total === null ? undefined : total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100))
  return (
    <div className={classes['progress']}>
      <div
        role="progressbar"
        aria-label={t`Progress`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={text}
        className={classes['bar']}
      >
        <span style={{ inlineSize: `${share ?? 100}%` }} data-unknown={share === undefined || undefined} />
      </div>
      <span className={classes['dim']}>{text}</span>
    </div>
  )
}
