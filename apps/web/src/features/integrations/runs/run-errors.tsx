import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useConnectionActs } from '../connections/use-connection-acts.ts'
import { useErrors, useIntegrationsChanged } from '../integrations-api.ts'
import type { Connection, RowError, SyncRun } from '../integrations-api.ts'
import { errorDetail, errorText } from '../words/error-words.ts'
import classes from './runs.module.css'

type Props = { connection: Connection; run?: SyncRun }

const mayRetry = ({ needsDryRun, state }: Connection, run: SyncRun | undefined) =>
  !needsDryRun && state !== 'paused' && state !== 'disconnected' && !run?.isDry

/** Rows that failed, by cause: of one run, or all that are open. */
export function RunErrors({ connection, run }: Props) {
  const { id: connectionId } = connection
  const acts = useConnectionActs(connection)
  const [busy, setBusy] = useState(false)
  const errors = useErrors({ connectionId, state: 'open', ...(run && { runId: run.id }) })
  if (errors.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (errors.isError && !errors.data)
    return <ProblemState problem={errors.error} title={t`The errors could not be loaded`} retry={() => void errors.refetch()} />
  const causes = errors.data.first?.causes ?? []
  if (causes.length === 0)
    return (
      <p className={classes['dim']}>
        <Trans>No open errors.</Trans>
      </p>
    )
  return (
    <div className={classes['stack']}>
      {run && mayRetry(connection, run) && (
        <div>
          <Button
            variant="default"
            loading={busy}
            onClick={() => {
              setBusy(true)
              void acts.run({ retryRunId: run.id }).then(() => setBusy(false))
            }}
          >
            <Trans>Retry all</Trans>
          </Button>
        </div>
      )}
      {causes.map(({ code, count }, nth) => (
        <Cause key={code} connection={connection} run={run} code={code} count={count} startsOpen={nth === 0} />
      ))}
    </div>
  )
}

type CauseProps = { connection: Connection; run: SyncRun | undefined; code: string; count: number; startsOpen: boolean }

function Cause({ connection, run, code, count, startsOpen }: CauseProps) {
  const { number } = useFormats()
  const [opened, setOpened] = useState(startsOpen)
  const name = errorText(code)
  return (
    <section className={classes['cause']} aria-label={name}>
      <button type="button" className={classes['causeHead']} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <span>{name}</span> <span className={classes['count']}>{number(count)}</span>
      </button>
      {opened && <CauseRows connection={connection} run={run} code={code} />}
    </section>
  )
}

function CauseRows({ connection, run, code }: { connection: Connection; run: SyncRun | undefined; code: string }) {
  const { id: connectionId } = connection
  const acts = useConnectionActs(connection)
  const { ignore } = useApi().data.integrations
  const changed = useIntegrationsChanged()
  const errors = useErrors({ connectionId, state: 'open', code, ...(run && { runId: run.id }) })
  const dismiss = async ({ id: errorId, row, version }: RowError) => {
    try {
      await ignore.call({ connectionId, errorId }, { context: { ifMatch: version } })
      await changed()
      toast.success(t`${row} ignored`)
    } catch (problem) {
      toast.error(t`${row} could not be ignored.`, problem)
    }
  }
  if (errors.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  return (
    <div className={classes['stack']}>
      <ul className={classes['rows']}>
        {(errors.data?.items ?? []).map((error) => (
          <li key={error.id} className={classes['row']}>
            <span className={classes['rowText']}>
              <strong>{error.row}</strong>
              <span className={classes['detail']}>{errorDetail(error.message)}</span>
            </span>
            <Menu>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${error.row}`}>
                  <IconDots size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {mayRetry(connection, run) && (
                  <Menu.Item onClick={() => void acts.run({ retryErrorId: error.id })}>
                    <Trans>Retry</Trans>
                  </Menu.Item>
                )}
                <Menu.Item onClick={() => void dismiss(error)}>
                  <Trans>Ignore</Trans>
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </li>
        ))}
      </ul>
      <ShowMore query={errors} />
    </div>
  )
}
