import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { Connector } from '@guildhall/contract/features/integrations.connectors'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useRunChanges } from '../integrations-api.ts'
import type { Change, Connection, SyncRun } from '../integrations-api.ts'
import { changeKinds, changeStates } from '../words/state-words.ts'
import { ChangeFields } from './change-fields.tsx'
import classes from './runs.module.css'

type Kind = Change['kind']
const kinds: readonly Kind[] = ['create', 'update', 'conflict', 'remove']

/** Every record that a run wrote or would write, with its fields. */
export function RunChanges({ connection: { id: connectionId, connector }, run }: { connection: Connection; run: SyncRun }) {
  const [kind, setKind] = useState<Kind>()
  const changes = useRunChanges({ connectionId, runId: run.id, ...(kind && { kind }) })
  const { number } = useFormats()
  const [words, states] = [changeKinds(), changeStates()]
  return (
    <Section title={run.isDry ? t`What would change` : t`What changed`} {...(changes.data?.total && { count: number(changes.data.total) })}>
      <div className={classes['stack']}>
        <div role="group" aria-label={t`Kind of change`} className={classes['kinds']}>
          {[undefined, ...kinds].map((one) => (
            <Button
              key={one ?? 'all'}
              size="compact-sm"
              variant={one === kind ? 'filled' : 'default'}
              aria-pressed={one === kind}
              onClick={() => setKind(one)}
            >
              {one === undefined ? t`All` : words[one]}
            </Button>
          ))}
        </div>
        {changes.isPending ? (
          <Loading label={t`Loading`}>
            <SkeletonLines count={6} />
          </Loading>
        ) : changes.isError && !changes.data ? (
          <ProblemState problem={changes.error} title={t`The changes could not be loaded`} retry={() => void changes.refetch()} />
        ) : changes.data.items.length === 0 ? (
          <p className={classes['dim']}>
            {kind !== undefined ? (
              <Trans>No change of this kind.</Trans>
            ) : run.isDry ? (
              <Trans>Nothing would change.</Trans>
            ) : (
              <Trans>Nothing changed.</Trans>
            )}
          </p>
        ) : (
          <ul className={classes['changes']} aria-label={run.isDry ? t`What would change` : t`What changed`}>
            {changes.data.items.map((change) => (
              <li key={change.id} className={classes['change']}>
                <p className={classes['changeName']}>
                  <strong>
                    <RecordName change={change} record={connectors[connector].record} />
                  </strong>
                  <span className={classes['dim']}>
                    {[
                      words[change.kind],
                      change.direction === 'in' ? t`in` : t`out`,
                      ...(change.state === 'planned' ? [] : [states[change.state]]),
                    ].join(' · ')}
                  </span>
                </p>
                <ChangeFields change={change} />
              </li>
            ))}
          </ul>
        )}
        <ShowMore query={changes} />
      </div>
    </Section>
  )
}

/** Leads to the record where it is here already. */
function RecordName({ change: { recordId, name }, record }: { change: Change; record: Connector['record'] }) {
  if (recordId !== null && record === 'person')
    return (
      <Link to="/person/$personId/{-$tab}" params={{ personId: recordId, tab: undefined }}>
        {name}
      </Link>
    )
  if (recordId !== null && record === 'event')
    return (
      <Link to="/event/$eventId" params={{ eventId: recordId }}>
        {name}
      </Link>
    )
  return name
}
