import { Button, CloseButton, Progress } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useFormats } from '../display/dates.tsx'
import classes from './progress-tray.module.css'

export type TrayJob = {
  id: string
  label: string
  done: number
  total?: number | undefined
  state: 'running' | 'done' | 'failed' | 'cancelled'
  result?: string | undefined
  to?: string | undefined
  cancel?: (() => void) | undefined
}

export type ProgressTrayProps = {
  jobs: readonly TrayJob[]
  onDismiss: (id: string) => void
  renderLink: (to: string, text: string) => ReactNode
}

export const ProgressTray = ({ jobs, onDismiss, renderLink }: ProgressTrayProps) => (
  <ul className={classes['tray']} aria-label={t`Long work`}>
    {jobs.map((job) => (
      <li key={job.id} className={classes['job']}>
        <div className={classes['head']}>
          <span>{job.to ? renderLink(job.to, job.label) : job.label}</span>
          {job.state === 'running' && job.cancel && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={job.cancel}>
              <Trans>Cancel</Trans>
            </Button>
          )}
          {job.state !== 'running' && (
            <CloseButton size="sm" aria-label={t`Remove ${job.label} from the list`} onClick={() => onDismiss(job.id)} />
          )}
        </div>
        <JobBar job={job} />
      </li>
    ))}
  </ul>
)

/** "1,200 of 50,000", moving to the result at the end. Its value is told to assistive technology as a progress bar. */
export function JobBar({ job }: { job: Omit<TrayJob, 'id'> }) {
  const { number } = useFormats()
  const share = job.state === 'done' ? 100 : job.total ? Math.min(100, (job.done / job.total) * 100) : 0
  return (
    <>
      {job.state !== 'cancelled' && (
        <Progress
          value={share}
          size="sm"
          color={job.state === 'failed' ? 'red' : 'brand'}
          aria-label={job.label}
          animated={job.state === 'running' && !job.total}
        />
      )}
      <p className={classes['state']} role="status">
        {job.state === 'running' && (job.total ? t`${number(job.done)} of ${number(job.total)}` : t`${number(job.done)} so far`)}
        {job.state === 'done' && (job.result ?? t`Done`)}
        {job.state === 'failed' && (job.result ?? t`Failed`)}
        {job.state === 'cancelled' && (job.result ? t`Stopped: ${job.result}` : t`Cancelled`)}
      </p>
    </>
  )
}
