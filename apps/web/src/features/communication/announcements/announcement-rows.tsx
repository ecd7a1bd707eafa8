import { AnnouncementAudience, AnnouncementState } from '@guildhall/contract/features/communication.announcements'
import { t } from '@lingui/core/macro'
import { IconPin } from '@tabler/icons-react'
import { useMemo } from 'react'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { audienceWords, PlaceOf, StateBadge, stateWords } from './announcement-words.tsx'
import type { AnnouncementRow } from './announcements-api.ts'
import classes from './announcements.module.css'

const isNew = ({ state, mine }: AnnouncementRow) => state === 'shown' && mine?.readAt === null

/** How many have read it is told only once somebody can have. */
const readersOf = ({ readers, state }: AnnouncementRow) => (state === 'draft' || state === 'scheduled' ? null : readers)

export const AnnouncementCard = ({ announcement }: { announcement: AnnouncementRow }) => (
  <>
    <span className={classes['head']}>
      {announcement.pinned && <IconPin size={14} aria-label={t`Pinned`} role="img" />}
      <span className={classes['name']}>{announcement.title}</span>
      {isNew(announcement) && <StatusBadge tone="accent">{t`New`}</StatusBadge>}
    </span>
    <span className={classes['minor']}>
      <StateBadge state={announcement.state} /> <PlaceOf row={announcement} />
      {announcement.startsAt && <RelativeTime at={announcement.startsAt} />}
    </span>
  </>
)

export const useAnnouncementColumns = (mayWrite: boolean, open: (id: string) => void): readonly TableColumn<AnnouncementRow>[] =>
  useMemo(
    () => [
      {
        id: 'title',
        label: t`Title`,
        width: 320,
        sortable: true,
        cell: (announcement) => (
          <span className={classes['cell']}>
            <button type="button" className={classes['title']} onClick={() => open(announcement.id)}>
              {announcement.title}
            </button>
            {announcement.pinned && <IconPin size={14} aria-label={t`Pinned`} role="img" />}
            {isNew(announcement) && <StatusBadge tone="accent">{t`New`}</StatusBadge>}
          </span>
        ),
      },
      { id: 'state', label: t`State`, width: 110, cell: ({ state }) => <StateBadge state={state} /> },
      { id: 'place', label: t`Announced in`, width: 200, priority: 2, cell: (row) => <PlaceOf row={row} /> },
      { id: 'audience', label: t`Audience`, width: 200, priority: 3, cell: ({ scope, audience }) => audienceWords(scope)[audience] },
      {
        id: 'startsAt',
        label: t`Start`,
        width: 130,
        priority: 2,
        sortable: true,
        cell: ({ startsAt }) => startsAt && <RelativeTime at={startsAt} />,
      },
      { id: 'endsAt', label: t`End`, width: 130, priority: 3, cell: ({ endsAt }) => endsAt && <RelativeTime at={endsAt} /> },
      ...(mayWrite ? [{ id: 'readers', label: t`Readers`, width: 100, priority: 3 as const, align: 'end' as const, cell: readersOf }] : []),
      { id: 'author', label: t`Author`, width: 160, priority: 3, cell: ({ author }) => author && <PersonLink person={author} /> },
      {
        id: 'createdAt',
        label: t`Created`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
    ],
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `open` leads to the same address whenever it was made
    [mayWrite],
  )

export function useAnnouncementFields(): readonly FilterField[] {
  const { chapters, groups } = useRecordSources()
  return useMemo(() => {
    const [states, audiences] = [stateWords(), audienceWords('chapter')]
    return [
      {
        id: 'state',
        label: t`State`,
        kind: 'choice',
        ops: ['in', 'notIn'],
        options: AnnouncementState.options.map((value) => ({ value, label: states[value] })),
      },
      {
        id: 'audience',
        label: t`Audience`,
        kind: 'choice',
        ops: ['in'],
        options: AnnouncementAudience.options.map((value) => ({ value, label: audiences[value] })),
      },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'group', label: t`Group`, kind: 'record', ops: ['in'], ...groups },
      { id: 'title', label: t`Title`, kind: 'text' },
      { id: 'pinned', label: t`Pinned`, kind: 'yesNo' },
      { id: 'unread', label: t`Unread`, kind: 'yesNo' },
      { id: 'startsAt', label: t`Start`, kind: 'date' },
      { id: 'createdAt', label: t`Created`, kind: 'date' },
    ]
  }, [chapters, groups])
}
