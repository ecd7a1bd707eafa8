import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AnswerQueue } from '../../../platform/activity/answer-queue.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useFollowUpsApi } from './automations-api.ts'
import classes from './automations.module.css'

const shown = 10

/** What automations have left for the reader to do, by due date. */
export function FollowUpsCard() {
  const api = useFollowUpsApi()
  const cache = useQueryClient()
  const list = useQuery(api.list.queryOptions({ input: { mine: true, limit: shown } }))
  if (list.isError)
    return <ProblemState problem={list.error} title={t`The follow-ups could not be loaded`} retry={() => void list.refetch()} />
  if (list.data?.items.length === 0)
    return (
      <p className={classes['minor']}>
        <Trans>Nothing to follow up.</Trans>
      </p>
    )
  return (
    <AnswerQueue
      label={t`Follow-ups`}
      className={classes['rows']}
      rows={list.data?.items ?? []}
      rowId={({ id }) => id}
      answers={({ id, title, version }) => [
        {
          label: t`Done`,
          name: t`Done: ${title}`,
          outcome: t`${title} done`,
          failed: t`The follow-up could not be marked as done`,
          run: async (context) => {
            await api.done.call({ followUpId: id }, { context: { ...context, ifMatch: version } })
            await cache.invalidateQueries({ queryKey: api.key() })
          },
        },
      ]}
    >
      {({ title, note, person, dueOn }, tools) => (
        <>
          <span className={classes['what']}>
            <span className={classes['kind']}>{title}</span>
            <span className={classes['minor']}>
              {person && <PersonLink person={person} />} {dueOn && <PlainDate date={dueOn} />}
            </span>
            {note !== '' && <span className={classes['minor']}>{note}</span>}
          </span>
          {tools}
        </>
      )}
    </AnswerQueue>
  )
}
