import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { AnswerQueue } from '../../../platform/activity/answer-queue.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Kbd } from '../../../ui/display/kbd.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useIntegrationsChanged, useWaiting } from '../integrations-api.ts'
import type { Change, Connection } from '../integrations-api.ts'
import { ChangeFields } from '../runs/change-fields.tsx'
import { changeKinds } from '../words/state-words.ts'
import classes from './connection.module.css'

/** What somebody has to decide: ours beside theirs, accepted with A and refused with R. */
export function WaitingChanges({ connection: { id: connectionId, waiting } }: { connection: Connection }) {
  const { decide } = useApi().data.integrations
  const changed = useIntegrationsChanged()
  const { number } = useFormats()
  const changes = useWaiting(connectionId)
  const words = changeKinds()
  const answer = (change: Change, accept: boolean) => async (context: object) => {
    await decide.call({ connectionId, changeId: change.id, accept }, { context: { ...context, ifMatch: change.version } })
    await changed()
  }
  return (
    <Section title={t`Awaiting decision`} count={number(waiting)}>
      {changes.isPending ? (
        <Loading label={t`Loading`}>
          <SkeletonLines count={4} />
        </Loading>
      ) : changes.isError && !changes.data ? (
        <ProblemState problem={changes.error} title={t`The changes could not be loaded`} retry={() => void changes.refetch()} />
      ) : (
        <div className={classes['queue']}>
          <p className={classes['dim']}>
            <Trans>
              <Kbd keys="a" /> accepts, <Kbd keys="r" /> refuses the change in focus.
            </Trans>
          </p>
          <AnswerQueue
            label={t`Changes awaiting decision`}
            rows={changes.data.items}
            rowId={({ id }) => id}
            answers={(change) => [
              {
                label: t`Accept`,
                name: t`Accept ${change.name}`,
                outcome: t`${change.name} accepted`,
                run: answer(change, true),
                failed: t`The change of ${change.name} could not be accepted.`,
              },
              {
                label: t`Refuse`,
                name: t`Refuse ${change.name}`,
                outcome: t`${change.name} refused`,
                run: answer(change, false),
                failed: t`The change of ${change.name} could not be refused.`,
                keys: 'r',
              },
            ]}
          >
            {(change, tools) => (
              <div className={classes['waiting']}>
                <div className={classes['waitingHead']}>
                  <span className={classes['waitingName']}>
                    {change.name} <span className={classes['dim']}>{words[change.kind]}</span>
                  </span>
                  {tools}
                </div>
                <ChangeFields change={change} />
              </div>
            )}
          </AnswerQueue>
          <ShowMore query={changes} />
        </div>
      )}
    </Section>
  )
}
