import { Button, NativeSelect } from '@mantine/core'
import { AnnouncementState } from '@guildhall/contract/features/communication.announcements'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconPin, IconSpeakerphone } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { tableRows } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import type { CommunicationSearch } from '../communication-search.ts'
import { AnnouncementDialog } from './announcement-dialog.tsx'
import { AnnouncementViewer } from './announcement-viewer.tsx'
import { PlaceOf, StateBadge, stateWords } from './announcement-words.tsx'
import { useAnnouncements } from './announcements-api.ts'
import type { Announcement, AnnouncementRow } from './announcements-api.ts'
import classes from './announcements.module.css'

/** Announcements for the reader, and those that they look after. */
export function AnnouncementsTab() {
  const search = useSearch({ from: '/signed-in/communication/{-$tab}' })
  const navigate = useNavigate()
  const go = (change: Partial<CommunicationSearch>, replace = true) =>
    void navigate({
      to: '/communication/{-$tab}',
      params: { tab: 'announcements' },
      search: (before) => ({ ...before, ...change }),
      replace,
    })
  const mayWrite = useCan('messages.write')
  const [edited, setEdited] = useState<Announcement | undefined>()
  const state = AnnouncementState.options.find((one) => one === search.state)
  const list = useAnnouncements(search.q ?? '', state)
  const words = stateWords()
  const asked = Boolean(search.q) || state !== undefined
  return (
    <>
      <ListBar
        end={
          mayWrite && (
            <Button onClick={() => go({ new: 1 }, false)}>
              <Trans>New announcement</Trans>
            </Button>
          )
        }
      >
        <SearchField label={t`Search announcements`} value={search.q ?? ''} onChange={(q) => go({ q: q || undefined })} />
        <NativeSelect
          aria-label={t`State`}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => go({ state: value || undefined })}
          data={[
            { value: '', label: mayWrite ? t`All but archived` : t`All` },
            ...AnnouncementState.options
              .filter((one) => mayWrite || one === 'shown' || one === 'over')
              .map((value) => ({ value, label: words[value] })),
          ]}
        />
      </ListBar>
      <DataTable
        label={t`Announcements`}
        columns={useColumns(mayWrite, (id) => go({ announcement: id }, false))}
        {...tableRows(list)}
        rowId={({ id }) => id}
        rowLabel={({ title }) => title}
        onOpen={({ id }) => go({ announcement: id }, false)}
        renderCard={(row) => (
          <>
            <span className={classes['head']}>
              {row.pinned && <IconPin size={14} aria-label={t`Pinned`} role="img" />}
              <span className={classes['name']}>{row.title}</span>
              {row.state === 'shown' && row.mine?.readAt === null && <StatusBadge tone="accent">{t`New`}</StatusBadge>}
            </span>
            <span className={classes['minor']}>
              <StateBadge state={row.state} /> <PlaceOf row={row} />
              {row.startsAt && <RelativeTime at={row.startsAt} />}
            </span>
          </>
        )}
        empty={
          list.isError ? (
            <ProblemState problem={list.error} title={t`The announcements could not be loaded`} retry={() => void list.refetch()} />
          ) : (
            <EmptyState
              icon={<IconSpeakerphone size={32} stroke={1.5} />}
              title={asked ? t`No announcement matches` : t`No announcements yet`}
            >
              <Trans>Announcements of the organisation, your chapters and your groups are listed here.</Trans>
            </EmptyState>
          )
        }
      />
      <AnnouncementViewer
        id={edited ? undefined : search.announcement}
        title={t`Announcement`}
        onClose={() => go({ announcement: undefined })}
        onEdit={setEdited}
      />
      <AnnouncementDialog
        key={edited?.id ?? 'new'}
        opened={mayWrite && (search.new === 1 || edited !== undefined)}
        announcement={edited}
        onClose={() => {
          setEdited(undefined)
          go({ new: undefined })
        }}
      />
    </>
  )
}

const useColumns = (mayWrite: boolean, open: (id: string) => void): readonly TableColumn<AnnouncementRow>[] => {
  return useMemo(
    () => [
      {
        id: 'title',
        label: t`Title`,
        width: 320,
        cell: ({ id, title, state, pinned, mine }) => (
          <span className={classes['cell']}>
            <button type="button" className={classes['title']} onClick={() => open(id)}>
              {title}
            </button>
            {pinned && <IconPin size={14} aria-label={t`Pinned`} role="img" />}
            {state === 'shown' && mine?.readAt === null && <StatusBadge tone="accent">{t`New`}</StatusBadge>}
          </span>
        ),
      },
      { id: 'state', label: t`State`, width: 110, cell: ({ state }) => <StateBadge state={state} /> },
      { id: 'place', label: t`Announced in`, width: 200, priority: 2, cell: (row) => <PlaceOf row={row} /> },
      {
        id: 'startsAt',
        label: t`Start`,
        width: 130,
        priority: 2,
        cell: ({ startsAt }) => startsAt && <RelativeTime at={startsAt} />,
      },
      { id: 'endsAt', label: t`End`, width: 130, priority: 3, cell: ({ endsAt }) => endsAt && <RelativeTime at={endsAt} /> },
      ...(mayWrite
        ? [
            {
              id: 'readers',
              label: t`Readers`,
              width: 100,
              priority: 3 as const,
              cell: ({ readers, state }: AnnouncementRow) => (state === 'draft' || state === 'scheduled' ? null : readers),
            },
          ]
        : []),
    ],
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `open` leads to the same address whenever it was made
    [mayWrite],
  )
}
