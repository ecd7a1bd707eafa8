import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { HeldMembership } from '@guildhall/contract/features/membership'
import { AnswerQueue } from '../../platform/activity/answer-queue.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { PersonLink } from '../../platform/records/record-links.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import classes from './membership.module.css'

/** Applications that the reader may decide, of one chapter with those below or of all. */
export function MembershipRequests({ chapterId }: { chapterId?: string }) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const requests = useInfiniteQuery(pagedOptions(membership.list, { mineToDecide: true, limit: 50, ...(chapterId && { chapterId }) }))
  if (requests.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (requests.isError)
    return <ProblemState problem={requests.error} title={t`The applications could not be loaded`} retry={() => void requests.refetch()} />
  const rows = requests.data.items
  const answers = ({ id, version, person }: HeldMembership) => {
    const who = person.displayName
    const failed = t`The application could not be answered.`
    return [
      {
        label: t`Approve`,
        name: t`Approve ${who}`,
        outcome: t`${who} approved`,
        run: (context: object) =>
          membership.approve.call({ membershipId: id }, { context: { ...context, ifMatch: version } }).finally(() => void changed()),
        failed,
      },
      {
        label: t`Decline`,
        name: t`Decline ${who}`,
        outcome: t`${who} declined`,
        run: (context: object) =>
          membership.decline
            .call({ membershipId: id, reason: '' }, { context: { ...context, ifMatch: version } })
            .finally(() => void changed()),
        failed,
      },
    ] as const
  }
  return (
    <div className={classes['stack']}>
      {rows.length === 0 && <p className={classes['dim']}>{t`No applications are waiting.`}</p>}
      <AnswerQueue label={t`Applications`} className={classes['list']} rows={rows} rowId={({ id }) => id} answers={answers}>
        {({ person, type, chapter, answers: said, appliedAt }, tools) => (
          <div className={classes['item']}>
            <div className={classes['words']}>
              <PersonLink person={person} />
              <span className={classes['minor']}>
                {type.name}
                {chapter && ` · ${chapter.name}`} · <RelativeTime at={appliedAt} />
              </span>
              {said.map(({ question, answer }) => (
                <p key={question} className={classes['answer']}>
                  <span className={classes['minor']}>{question}</span> {answer}
                </p>
              ))}
            </div>
            {tools}
          </div>
        )}
      </AnswerQueue>
      <ShowMore query={requests} />
    </div>
  )
}
