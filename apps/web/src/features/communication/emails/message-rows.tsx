import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { RecordCard } from '../../lists/record-list-public.tsx'
import type { MessageRow } from './messages-api.ts'
import { statusOptions, statusWords } from './messages-words.ts'

export function MessageStatusBadge({ message }: { message: Pick<MessageRow, 'status' | 'archivedAt'> }) {
  if (message.archivedAt) return <StatusBadge>{t`Archived`}</StatusBadge>
  const { label, tone } = statusWords()[message.status]
  return <StatusBadge tone={tone}>{label}</StatusBadge>
}

export const placeOfMessage = ({ chapter, group }: Pick<MessageRow, 'chapter' | 'group'>) =>
  chapter?.name ?? group?.name ?? t`Whole organisation`

/** When it leaves or left. */
export const whenOfMessage = ({ startedAt, sendAt }: MessageRow) => startedAt ?? sendAt

export function MessageCard({ message, onOpen }: { message: MessageRow; onOpen: () => void }) {
  const at = whenOfMessage(message)
  const facts = (
    <>
      {placeOfMessage(message)}
      {at && (
        <>
          {' · '}
          <RelativeTime at={at} />
        </>
      )}
    </>
  )
  return <RecordCard name={message.name} onOpen={onOpen} end={<MessageStatusBadge message={message} />} facts={facts} badge={null} />
}

export function useMessageColumns(): readonly TableColumn<MessageRow>[] {
  const { number, percent } = useFormats()
  return useMemo(() => {
    const share = (part: number, { left }: MessageRow['counts']) => (left === 0 ? '' : percent(part / left))
    return [
      { id: 'name', label: t`Name`, width: 260, sortable: true, cell: ({ name }) => name },
      { id: 'status', label: t`Status`, width: 150, cell: (message) => <MessageStatusBadge message={message} /> },
      { id: 'subject', label: t`Subject`, width: 260, priority: 3, cell: ({ subject }) => subject },
      { id: 'topic', label: t`Topic`, width: 150, priority: 2, cell: ({ topic }) => topic?.name },
      { id: 'place', label: t`For`, width: 170, priority: 2, cell: placeOfMessage },
      {
        id: 'sendAt',
        label: t`Sent`,
        width: 140,
        sortable: true,
        cell: (message) => {
          const at = whenOfMessage(message)
          return at && <RelativeTime at={at} />
        },
      },
      {
        id: 'recipients',
        label: t`Recipients`,
        width: 110,
        align: 'end',
        cell: ({ counts }) => (counts.recipients === 0 ? '' : number(counts.recipients)),
      },
      {
        id: 'left',
        label: t`Mails`,
        width: 100,
        align: 'end',
        priority: 3,
        cell: ({ counts }) => (counts.left === 0 ? '' : number(counts.left)),
      },
      { id: 'clicked', label: t`Clicked`, width: 100, align: 'end', priority: 2, cell: ({ counts }) => share(counts.clicked, counts) },
      {
        id: 'opened',
        label: t`Opened (indicative)`,
        width: 150,
        align: 'end',
        priority: 3,
        cell: ({ counts }) => share(counts.opened, counts),
      },
      {
        id: 'bounced',
        label: t`Bounced`,
        width: 100,
        align: 'end',
        priority: 3,
        cell: ({ counts }) => share(counts.softBounces + counts.hardBounces, counts),
      },
      {
        id: 'unsubscribed',
        label: t`Unsubscribed`,
        width: 130,
        align: 'end',
        priority: 3,
        cell: ({ counts }) => share(counts.unsubscribed, counts),
      },
      {
        id: 'createdAt',
        label: t`Created`,
        width: 130,
        sortable: true,
        priority: 3,
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
      { id: 'createdBy', label: t`Written by`, width: 150, priority: 3, cell: ({ createdBy }) => createdBy },
    ]
  }, [number, percent])
}

export function useMessageFields(topics: readonly { id: string; name: string }[]): readonly FilterField[] {
  const { chapters, groups, events } = useRecordSources()
  return useMemo(
    () => [
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: statusOptions() },
      { id: 'topic', label: t`Topic`, kind: 'choice', ops: ['in'], options: topics.map(({ id, name }) => ({ value: id, label: name })) },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'group', label: t`Group`, kind: 'record', ...groups },
      { id: 'event', label: t`To registrations of`, kind: 'record', ...events },
      { id: 'name', label: t`Name`, kind: 'text' },
      { id: 'sendAt', label: t`Sent`, kind: 'date' },
      { id: 'createdAt', label: t`Created`, kind: 'date' },
      { id: 'organisation', label: t`Of the whole organisation`, kind: 'yesNo' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
    ],
    [chapters, groups, events, topics],
  )
}
