import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { failureText } from '../../../platform/api/reason-text.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useConnectionActs } from '../connections/use-connection-acts.ts'
import { useIntegrationsChanged, useRun } from '../integrations-api.ts'
import type { Connection, SyncRun } from '../integrations-api.ts'
import { isUnderWay, triggerWords } from '../words/state-words.ts'
import { RunChanges } from './run-changes.tsx'
import { RunErrors } from './run-errors.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunState } from './run-rows.tsx'
import { countKeys, countWords, dryCountWords, durationText, runText, sumOf } from './run-words.ts'
import classes from './runs.module.css'

/** One run: how far it is, what it did or would do, and which rows failed. */
export function RunView({ connection, runId }: { connection: Connection; runId: string }) {
  const run = useRun(connection.id, runId)
  if (run.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (run.isError && !run.data)
    return <ProblemState problem={run.error} title={t`The run could not be loaded`} retry={() => void run.refetch()} />
  return <Loaded connection={connection} run={run.data} />
}

function Loaded({ connection, run }: { connection: Connection; run: SyncRun }) {
  const { may } = connection
  const working = isUnderWay(run)
  return (
    <div className={classes['stack']}>
      <Section title={run.isDry ? t`Dry run` : t`Run`} actions={working && may.manage && <Cancel connection={connection} run={run} />}>
        <div className={classes['stack']}>
          <p className={classes['facts']}>
            <RunState run={run} />
            <RelativeTime at={run.startedAt ?? run.createdAt} />
            <span>{durationText(run, Date.now())}</span>
            <span>{run.by ?? triggerWords()[run.trigger]}</span>
          </p>
          {/* What is said aloud when the run ends. */}
          <p role="status" className={working ? classes['unsaid'] : undefined}>
            {!working && <Outcome run={run} />}
          </p>
          {working && <RunProgress run={run} />}
          {run.failure && <p className={classes['bad']}>{failureText(run.failure)}</p>}
          <CountTable run={run} connector={connection.connector} />
          {run.isDry && (run.state === 'succeeded' || run.state === 'partial') && may.manage && (
            <RunForReal connection={connection} run={run} />
          )}
        </div>
      </Section>
      {may.manage && !working && <RunChanges connection={connection} run={run} />}
      {may.manage && !run.isDry && sumOf(run, 'failed') > 0 && (
        <Section title={t`Errors`}>
          <RunErrors connection={connection} run={run} />
        </Section>
      )}
      {may.manage && run.isDry && sumOf(run, 'failed') > 0 && (
        <Section title={t`Rows that cannot be written`}>
          <RunErrors connection={connection} run={run} />
        </Section>
      )}
    </div>
  )
}

const Outcome = ({ run }: { run: SyncRun }) => (run.isDry ? t`Nothing was written: ${runText(run)}.` : `${runText(run)}.`)

function Cancel({ connection: { id: connectionId }, run }: { connection: Connection; run: SyncRun }) {
  const { cancel } = useApi().actions.integrations
  const changed = useIntegrationsChanged()
  const [busy, setBusy] = useState(false)
  const stop = async () => {
    setBusy(true)
    try {
      await cancel.call({ connectionId, runId: run.id })
      await changed()
      toast.success(run.isDry ? t`The dry run was cancelled` : t`The run was cancelled; what it wrote stays`)
    } catch (problem) {
      toast.error(t`The run could not be cancelled.`, problem)
    }
    setBusy(false)
  }
  return (
    <Button variant="default" size="compact-sm" loading={busy} onClick={() => void stop()}>
      <Trans>Cancel run</Trans>
    </Button>
  )
}

function CountTable({ run, connector }: { run: SyncRun; connector: Connection['connector'] }) {
  const { number } = useFormats()
  const words = run.isDry ? dryCountWords() : countWords()
  const { directions } = connectors[connector]
  const goes = (way: 'in' | 'out') => directions?.some((one) => one === way || one === 'both') ?? true
  const sides = [...(goes('in') ? [{ name: t`In`, counts: run.in }] : []), ...(goes('out') ? [{ name: t`Out`, counts: run.out }] : [])]
  return (
    <table className={classes['counts']}>
      <thead>
        <tr>
          <td />
          {sides.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {countKeys.map((key) => (
          <tr key={key}>
            <th scope="row">{words[key]}</th>
            {sides.map(({ name, counts }) => (
              <td key={name}>{number(counts[key])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** After a dry run of the mapping as it is now, the same for real. */
function RunForReal({ connection, run }: { connection: Connection; run: SyncRun }) {
  const acts = useConnectionActs(connection)
  const [busy, setBusy] = useState(false)
  const total = sumOf(run, 'created') + sumOf(run, 'updated')
  const rest = connection.state === 'paused' || connection.state === 'disconnected'
  if (rest) return null
  if (connection.needsDryRun)
    return (
      <p className={classes['dim']}>
        <Trans>The mapping has changed since. Make another dry run before you run it.</Trans>
      </p>
    )
  return (
    <div>
      <Button
        loading={busy}
        onClick={() => {
          setBusy(true)
          void acts.run({}).then(() => setBusy(false))
        }}
      >
        {total === 0 ? t`Run now` : plural(total, { one: 'Run now and write # record', other: 'Run now and write # records' })}
      </Button>
    </div>
  )
}
