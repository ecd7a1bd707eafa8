import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { failureText } from '../../../platform/api/reason-text.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Connection, SyncRun } from '../integrations-api.ts'
import { isUnderWay, runStates, triggerWords } from '../words/state-words.ts'
import { durationText, runText } from './run-words.ts'
import { RunProgress } from './run-progress.tsx'
import classes from './runs.module.css'

export const RunState = ({ run: { state } }: { run: Pick<SyncRun, 'state'> }) => {
  const { label, tone } = runStates()[state]
  return <StatusBadge tone={tone}>{label}</StatusBadge>
}

function nameOf(run: SyncRun, moment: (at: string) => string) {
  const when = moment(run.startedAt ?? run.createdAt)
  return run.isDry ? t`Dry run of ${when}` : t`Run of ${when}`
}

/** Each leads to what it did. */
export function RunRows({ connection: { slug }, runs }: { connection: Connection; runs: readonly SyncRun[] }) {
  const triggers = triggerWords()
  const { moment } = useFormats()
  return (
    <div className={classes['scroll']}>
      <table className={`${classes['table']} ${rows['cards']}`} aria-label={t`Runs`}>
        <thead>
          <tr>
            <th scope="col">{t`Started`}</th>
            <th scope="col">{t`State`}</th>
            <th scope="col">{t`Result`}</th>
            <th scope="col">{t`Duration`}</th>
            <th scope="col">{t`Started by`}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link
                  to="/integrations/$integrationId"
                  params={{ integrationId: slug }}
                  search={{ tab: 'runs', run: run.id }}
                  className={classes['runLink']}
                >
                  {nameOf(run, moment)}
                </Link>
              </th>
              <td className={rows['aside']}>
                <RunState run={run} />
              </td>
              <td className={rows['across']}>
                {isUnderWay(run) ? <RunProgress run={run} /> : run.failure ? failureText(run.failure) : runText(run)}
              </td>
              <td className={`${rows['minor']} ${classes['short']}`} data-label={t`Duration`}>
                {durationText(run, Date.now()) ?? '–'}
              </td>
              <td className={`${rows['minor']} ${rows['end']} ${run.by === null ? classes['short'] : ''}`}>
                {run.by ?? triggers[run.trigger]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
