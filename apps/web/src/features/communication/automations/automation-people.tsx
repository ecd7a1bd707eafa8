import { Button, NativeSelect } from '@mantine/core'
import { AutomationRunState } from '@guildhall/contract/features/communication.automations'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { deliveryWords } from '../emails/messages-words.ts'
import { RunBadge, logWords, reasonText, runWords, stepText } from './automation-words.tsx'
import { useAutomationsApi, useAutomationsChanged, useRuns } from './automations-api.ts'
import type { Automation, AutomationRun } from './automations-api.ts'
import classes from './automations.module.css'

/** Who is and was in an automation, newest first, with what it did for each. */
export function AutomationPeople({ automation }: { automation: Automation }) {
  const [state, setState] = useState<AutomationRunState | undefined>()
  const runs = useRuns(automation.id, state)
  return (
    <Section
      title={t`People`}
      actions={
        <NativeSelect
          aria-label={t`State`}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => setState(AutomationRunState.options.find((one) => one === value))}
          data={[{ value: '', label: t`All` }, ...AutomationRunState.options.map((value) => ({ value, label: runWords()[value] }))]}
        />
      }
    >
      {runs.isError && <ProblemState problem={runs.error} title={t`The people could not be loaded`} retry={() => void runs.refetch()} />}
      {runs.data?.items.length === 0 && (
        <p className={classes['minor']}>
          <Trans>Nobody yet.</Trans>
        </p>
      )}
      <ul className={classes['rows']}>
        {runs.data?.items.map((run) => (
          <RunRow key={run.id} run={run} automation={automation} />
        ))}
      </ul>
      <ShowMore query={runs} />
    </Section>
  )
}

function RunRow({ run, automation }: { run: AutomationRun; automation: Automation }) {
  const api = useAutomationsApi()
  const changed = useAutomationsChanged()
  const [isOpen, setOpen] = useState(false)
  const name = run.person.displayName
  const step = automation.steps.find(({ id }) => id === run.step)
  const stop = async () => {
    try {
      await api.stop.call({ automationRunId: run.id })
      toast.success(t`Stopped for ${name}`)
    } catch (problem) {
      toast.error(t`It could not be stopped`, problem)
    }
    await changed()
  }
  return (
    <li className={classes['step']}>
      <div className={classes['what']}>
        <span className={classes['title']}>
          <PersonLink person={run.person} /> <RunBadge run={run} />
        </span>
        <span className={classes['minor']}>
          {run.state === 'active' && step ? stepText(step, automation) : run.endedBy ? reasonText(run.endedBy) : null}{' '}
          <RelativeTime at={run.nextAt ?? run.endedAt ?? run.enteredAt} />
        </span>
        {isOpen && <RunLog runId={run.id} automation={automation} />}
      </div>
      <div className={classes['tools']}>
        <Button variant="subtle" size="compact-md" aria-expanded={isOpen} aria-label={t`Log of ${name}`} onClick={() => setOpen(!isOpen)}>
          <Trans>Log</Trans>
        </Button>
        {run.state === 'active' && automation.may.change && (
          <Button variant="subtle" color="gray" size="compact-md" aria-label={t`Stop for ${name}`} onClick={() => void stop()}>
            <Trans>Stop</Trans>
          </Button>
        )}
      </div>
    </li>
  )
}

function RunLog({ runId, automation }: { runId: string; automation: Automation }) {
  const api = useAutomationsApi()
  const log = useQuery(api.log.queryOptions({ input: { automationRunId: runId } }))
  if (log.isError) return <ProblemState problem={log.error} title={t`The log could not be loaded`} retry={() => void log.refetch()} />
  const words = logWords()
  const deliveries = deliveryWords()
  return (
    <ol className={classes['log']} aria-label={t`Log`}>
      {log.data?.items.map(({ step, kind, reason, until, mail, at }) => {
        const of = automation.steps.find(({ id }) => id === step)
        return (
          <li key={step}>
            {words[kind]}
            {of && `: ${stepText(of, automation)}`}
            {kind === 'mailed' && mail && ` (${deliveries[mail].label})`}
            {reason && ` (${reasonText(reason, of !== undefined)})`} <RelativeTime at={at} />
            {until && (
              <>
                {' → '}
                <RelativeTime at={until} />
              </>
            )}
          </li>
        )
      })}
    </ol>
  )
}
