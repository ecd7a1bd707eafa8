import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Transfer } from '@guildhall/contract/features/membership'
import { AnswerQueue } from '../../../platform/activity/answer-queue.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMembershipsChanged } from '../membership-api.ts'
import classes from '../membership.module.css'
import { TransferRejectDialog } from './transfer-reject-dialog.tsx'
import { TransferRow } from './transfer-row.tsx'

/** Transfers that wait for the reader's approval. */
export function TransferQueue({ chapterId }: { chapterId?: string }) {
  const { transfers } = useApi().data.membership
  const changed = useMembershipsChanged()
  const [rejected, setRejected] = useState<Transfer | null>(null)
  const waiting = useInfiniteQuery(pagedOptions(transfers.list, { mineToDecide: true, limit: 50, ...(chapterId && { chapterId }) }))
  if (waiting.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={2} />
      </Loading>
    )
  }
  if (waiting.isError)
    return <ProblemState problem={waiting.error} title={t`The transfers could not be loaded`} retry={() => void waiting.refetch()} />
  const answers = ({ id, version, person }: Transfer) => {
    const who = person.displayName
    return [
      {
        label: t`Approve`,
        name: t`Approve the transfer of ${who}`,
        outcome: t`Transfer of ${who} approved`,
        run: (context: object) =>
          transfers.approve.call({ transferId: id }, { context: { ...context, ifMatch: version } }).finally(() => void changed()),
        failed: t`The transfer could not be approved`,
      },
    ] as const
  }
  return (
    <div className={classes['stack']}>
      {waiting.data.items.length === 0 && <p className={classes['dim']}>{t`No transfers are waiting for you.`}</p>}
      <AnswerQueue label={t`Transfers`} className={classes['list']} rows={waiting.data.items} rowId={({ id }) => id} answers={answers}>
        {(transfer, tools) => <TransferRow transfer={transfer} tools={tools} onReject={() => setRejected(transfer)} />}
      </AnswerQueue>
      <ShowMore query={waiting} />
      <TransferRejectDialog rejected={rejected} onClose={() => setRejected(null)} />
    </div>
  )
}

/** Those of one chapter with the ones below it: what waits for the reader, and all of them. */
export function ChapterTransfers({ chapterId }: { chapterId: string }) {
  const { transfers } = useApi().data.membership
  const [rejected, setRejected] = useState<Transfer | null>(null)
  const all = useInfiniteQuery(pagedOptions(transfers.list, { chapterId, limit: 50 }))
  const others = (all.data?.items ?? []).filter(({ may }) => !may.approve)
  return (
    <div className={classes['stack']}>
      <Section title={t`Waiting for you`}>
        <TransferQueue chapterId={chapterId} />
      </Section>
      <Section title={t`All transfers`}>
        {all.isError && <ProblemState problem={all.error} title={t`The transfers could not be loaded`} retry={() => void all.refetch()} />}
        {all.data && others.length === 0 && <p className={classes['dim']}>{t`No other transfers.`}</p>}
        <ul className={classes['list']}>
          {others.map((transfer) => (
            <li key={transfer.id}>
              <TransferRow transfer={transfer} onReject={() => setRejected(transfer)} />
            </li>
          ))}
        </ul>
        <ShowMore query={all} />
      </Section>
      <TransferRejectDialog rejected={rejected} onClose={() => setRejected(null)} />
    </div>
  )
}
