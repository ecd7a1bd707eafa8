import { NativeSelect } from '@mantine/core'
import { DeliveryState } from '@guildhall/contract/features/communication.messages'
import type { Delivery } from '@guildhall/contract/features/communication.messages'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import type { Filter } from '../../../ui/filter/filter.ts'
import { ExportDialog } from '../../lists/lists-public.tsx'
import { ExportButton } from '../../lists/record-list-public.tsx'
import type { Asked } from './message-report.tsx'
import { deliveryWords, skipText } from './messages-words.ts'
import classes from './emails.module.css'

const filterOf = (messageId: string, { state }: Asked): Filter => ({
  and: [
    { or: [{ field: 'message', op: 'is', value: messageId }] },
    ...(state ? [{ or: [{ field: 'outcome', op: 'in' as const, value: [state] }] }] : []),
  ],
})

type Props = { messageId: string; asked: Asked; onAsk: (asked: Asked) => void; onClose: () => void }

/** Every recipient of a message with what became of their mail. */
export function DeliveriesPanel({ messageId, asked, onAsk, onClose }: Props) {
  const { messages } = useApi().data.communication
  const question = { messageId, limit: 50, ...(asked.state && { state: asked.state }), ...(asked.reason && { reason: asked.reason }) }
  const list = useInfiniteQuery(pagedOptions(messages.deliveries, question))
  const words = deliveryWords()
  const items = list.data?.items ?? []
  const total = list.data?.total ?? 0
  const [exporting, setExporting] = useState(false)
  return (
    <SidePanel title={t`Recipients`} onClose={onClose} recordKey={messageId}>
      <div className={classes['stack']}>
        <NativeSelect
          label={t`Outcome`}
          value={asked.state ?? ''}
          data={[{ value: '', label: t`All` }, ...DeliveryState.options.map((value) => ({ value, label: words[value].label }))]}
          onChange={({ currentTarget: { value } }) => onAsk({ state: DeliveryState.options.find((state) => state === value) })}
        />
        {asked.reason && <p className={classes['dim']}>{skipText(asked.reason)}</p>}
        {total > 0 && (
          <div>
            <ExportButton onClick={() => setExporting(true)} />
          </div>
        )}
        {list.isPending && (
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        )}
        {list.isError && (
          <ProblemState problem={list.error} title={t`The recipients could not be loaded`} retry={() => void list.refetch()} />
        )}
        {list.isSuccess && items.length === 0 && <EmptyState title={t`Nobody`} level={3} />}
        {items.length > 0 && (
          <ul className={classes['rows']} aria-label={t`Recipients`}>
            {items.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        )}
        <ShowMore query={list} />
      </div>
      <ExportDialog
        opened={exporting}
        onClose={() => setExporting(false)}
        list="message_deliveries"
        selection={{ all: { filter: filterOf(messageId, asked) }, except: [] }}
        columns={[]}
        total={total}
        totalIsExact={list.data?.totalIsExact ?? true}
      />
    </SidePanel>
  )
}

function Row({ delivery: { person, address, state, skipReason, sentAt, clickedAt, openedAt, unsubscribedAt } }: { delivery: Delivery }) {
  const { label, tone } = deliveryWords()[state]
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        {person ? <PersonLink person={person} /> : <span>{t`Somebody you do not see`}</span>}
        <span className={classes['dim']}>
          {[
            address,
            skipReason && skipText(skipReason),
            clickedAt && t`Clicked`,
            openedAt && t`Opened (indicative)`,
            unsubscribedAt && t`Unsubscribed`,
          ]
            .filter(Boolean)
            .join(' · ')}
          {sentAt && (
            <>
              {' · '}
              <RelativeTime at={sentAt} />
            </>
          )}
        </span>
      </span>
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </li>
  )
}
