import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconClock } from '@tabler/icons-react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { failureText } from '../../../platform/api/reason-text.ts'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useRuns } from '../reports-api.ts'
import { useQuestionAddress } from '../reports-links.ts'
import classes from '../reports.module.css'
import { questionName } from '../words/question-name.ts'

type State = 'queued' | 'running' | 'done' | 'failed'
const stateWords = (): Record<State, string> => ({ queued: t`Waiting`, running: t`Running`, done: t`Ready`, failed: t`Failed` })
const tones: Record<State, Tone> = { queued: 'info', running: 'info', done: 'good', failed: 'bad' }

/** Long reports of the last days: their answers can be opened again. */
export function RunsPanel({ onClose }: { onClose: () => void }) {
  const runs = useRuns()
  const addressOf = useQuestionAddress()
  const { percent } = useFormats()
  return (
    <SidePanel recordKey="runs" title={t`Recent runs`} onClose={onClose}>
      {runs.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {runs.isError && !runs.data && (
        <ProblemState problem={runs.error} title={t`The runs could not be loaded`} retry={() => void runs.refetch()} />
      )}
      {runs.data?.items.length === 0 && (
        <EmptyState level={3} icon={<IconClock size={32} stroke={1.5} />} title={t`No recent runs`}>
          <Trans>Reports that take longer than a page can wait stand here for seven days.</Trans>
        </EmptyState>
      )}
      {runs.data && runs.data.items.length > 0 && (
        <ul className={classes['records']} aria-label={t`Recent runs`}>
          {runs.data.items.map(({ id, name, question, state, done, total, error, createdAt }) => (
            <li key={id} className={classes['record']}>
              <span className={classes['recordWhat']}>
                <AppLink href={addressOf(question, id)}>{name ?? questionName(question)}</AppLink>
                <span className={classes['note']}>
                  <RelativeTime at={createdAt} />
                  {state === 'running' && total > 0 && ` · ${percent(done / total)}`}
                </span>
                {error && <span className={classes['bad']}>{failureText(error)}</span>}
              </span>
              <StatusBadge tone={tones[state]}>{stateWords()[state]}</StatusBadge>
            </li>
          ))}
        </ul>
      )}
      <ShowMore query={runs} />
    </SidePanel>
  )
}
