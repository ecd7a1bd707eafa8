import { Button } from '@mantine/core'
import { AnnouncementState } from '@guildhall/contract/features/communication.announcements'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { useCan } from '../../../platform/session/session.ts'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import { listInput, useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import { ExportButton, RecordTable } from '../../lists/record-list-public.tsx'
import type { CommunicationSearch } from '../communication-search.ts'
import { AnnouncementDialog } from './announcement-dialog.tsx'
import { AnnouncementCard, useAnnouncementColumns, useAnnouncementFields } from './announcement-rows.tsx'
import { AnnouncementViewer } from './announcement-viewer.tsx'
import { stateWords } from './announcement-words.tsx'
import { useAnnouncementsApi } from './announcements-api.ts'
import type { Announcement } from './announcements-api.ts'

const shown = ['title', 'state', 'place', 'startsAt', 'endsAt']
const usual = { q: '', filter: emptyFilter, sort: '-startsAt', columns: shown, layout: 'table' as const }
const usualOfWriters = { ...usual, columns: [...shown, 'readers'] }

/** Announcements for the reader, and those that they look after. */
export function AnnouncementsTab() {
  const search = useSearch({ from: '/signed-in/communication/{-$tab}' })
  const navigate = useNavigate()
  const go = (change: Partial<CommunicationSearch>, replace = false) =>
    void navigate({
      to: '/communication/{-$tab}',
      params: { tab: 'announcements' },
      search: (before) => ({ ...before, ...change }),
      replace,
    })
  const mayWrite = useCan('messages.write')
  const [edited, setEdited] = useState<Announcement | undefined>()
  const [exporting, setExporting] = useState(false)
  const view = useListView({
    list: 'announcements',
    builtIn: useBuiltIn(mayWrite),
    usual: mayWrite ? usualOfWriters : usual,
    search,
    onSearch: (next, { replace }) => go(next, replace),
  })
  const list = useInfiniteQuery({ ...pagedOptions(useAnnouncementsApi().list, listInput(view.look)), enabled: view.ready })
  const onNew = mayWrite ? () => go({ new: 1 }) : undefined
  return (
    <>
      <RecordTable
        list="announcements"
        view={view}
        records={list}
        columns={useAnnouncementColumns(mayWrite, (id) => go({ announcement: id }))}
        fields={useAnnouncementFields()}
        nameColumn="title"
        icon={IconSpeakerphone}
        words={{
          title: t`Announcements`,
          search: t`Search announcements`,
          noMatch: t`No announcement matches`,
          none: t`No announcements yet`,
          about: t`Announcements of the organisation, your chapters and your groups are listed here.`,
          failed: t`The announcements could not be loaded`,
          create: t`New announcement`,
        }}
        actions={
          <>
            <ExportButton permission="messages.write" onClick={() => setExporting(true)} />
            {onNew && (
              <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={onNew}>
                <Trans>New announcement</Trans>
              </Button>
            )}
          </>
        }
        onOpen={({ id }) => go({ announcement: id })}
        onNew={onNew}
        renderCard={(announcement) => <AnnouncementCard announcement={announcement} />}
        exporting={exporting}
        onExporting={setExporting}
      />
      <AnnouncementViewer
        id={edited ? undefined : search.announcement}
        title={t`Announcement`}
        onClose={() => go({ announcement: undefined }, true)}
        onEdit={setEdited}
      />
      <AnnouncementDialog
        key={edited?.id ?? 'new'}
        opened={mayWrite && (search.new === 1 || edited !== undefined)}
        announcement={edited}
        onClose={() => {
          setEdited(undefined)
          go({ new: undefined }, true)
        }}
      />
    </>
  )
}

/** Those who only read are shown nothing but what is live or has ended. */
const useBuiltIn = (mayWrite: boolean) =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const only = (field: string, value: boolean | string[]) => ({
      filter: { and: [{ or: [{ field, op: Array.isArray(value) ? ('in' as const) : ('is' as const), value }] }] },
    })
    const words = stateWords()
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'unread', label: t`Unread`, spec: only('unread', true) },
      ...AnnouncementState.options
        .filter((state) => mayWrite || state === 'shown' || state === 'over')
        .map((state) => ({ id: state, label: words[state], spec: only('state', [state]) })),
    ]
  }, [mayWrite])
