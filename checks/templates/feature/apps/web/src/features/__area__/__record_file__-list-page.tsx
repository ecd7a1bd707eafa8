import { t, plural } from '@lingui/core/macro'
import type { __Record__Row } from '@guildhall/contract/features/__area__'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { __AreaIcon__ } from '@tabler/icons-react'
import { useMemo } from 'react'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import { useCan } from '../../platform/session/session.ts'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import type { FilterField } from '../../ui/filter/filter.ts'
import { emptyFilter } from '../../ui/filter/filter.ts'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { useListView } from '../lists/lists-public.tsx'
import type { BuiltInView } from '../lists/lists-public.tsx'
import { RecordList } from '../lists/record-list-public.tsx'
import { use__Records__ } from './__area__-api.ts'
import { statusOptions, __Record__StatusBadge } from './__area__-words.tsx'
import { New__Record__Dialog } from './new-__record_file__-dialog.tsx'

export const route = createLazyRoute('/signed-in/__list_url__')({ component: __Record__ListPage })

const usual = { q: '', filter: emptyFilter, sort: 'name', columns: ['name', 'status', 'chapter', 'createdAt'], layout: 'table' as const }

function __Record__ListPage() {
  usePageTitle(t`__Area_label__`)
  const search = route.useSearch()
  const navigate = useNavigate()
  const mayCreate = useCan('__area__.manage')
  const go = (change: Partial<typeof search>, replace = false) =>
    void navigate({ to: '/__list_url__', search: (before) => ({ ...before, ...change }), replace })
  const view = useListView({
    list: '__records_table__',
    builtIn: useBuiltIn(),
    usual,
    search,
    onSearch: (next, { replace }) => go(next, replace),
  })
  return (
    <RecordList
      list="__records_table__"
      view={view}
      records={use__Records__(view.look, view.ready)}
      columns={useColumns()}
      fields={useFields()}
      nameColumn="name"
      icon={__AreaIcon__}
      words={{
        title: t`__Area_label__`,
        count: (total) => plural(total, { one: '# __record_words__', other: '# __records_words__' }),
        search: t`Search __records_words__`,
        noMatch: t`No __record_words__ matches`,
        none: t`No __records_words__ yet`,
        about: t`__Records_words__ of a chapter or of the whole organisation are listed here.`,
        failed: t`The __records_words__ could not be loaded`,
        create: t`New __record_words__`,
      }}
      onOpen={({ id }) => void navigate({ to: '/__record_url__/$__record__Id/{-$tab}', params: { __record__Id: id } })}
      onNew={mayCreate ? () => go({ new: 1 }) : undefined}
      renderCard={(row) => (
        <>
          <__Record__Link row={row} /> <__Record__StatusBadge status={row.status} />
        </>
      )}
    >
      <New__Record__Dialog opened={search.new === 1 && mayCreate} onClose={() => go({ new: undefined }, true)} />
    </RecordList>
  )
}

const __Record__Link = ({ row: { id, name } }: { row: __Record__Row }) => (
  <Link to="/__record_url__/$__record__Id/{-$tab}" params={{ __record__Id: id }}>
    {name}
  </Link>
)

const useBuiltIn = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const only = (field: string, value: boolean | string) => ({ filter: { and: [{ or: [{ field, op: 'is' as const, value }] }] } })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'active', label: t`Active`, spec: only('status', 'active') },
      { id: 'archived', label: t`Archived`, spec: only('archived', true) },
    ]
  }, [])

const useColumns = () =>
  useMemo(
    (): readonly TableColumn<__Record__Row>[] => [
      { id: 'name', label: t`Name`, width: 280, sortable: true, cell: (row) => <__Record__Link row={row} /> },
      { id: 'status', label: t`Status`, width: 120, sortable: true, cell: ({ status }) => <__Record__StatusBadge status={status} /> },
      { id: 'chapter', label: t`Chapter`, width: 200, priority: 2, cell: ({ chapter }) => chapter?.name ?? t`Whole organisation` },
      {
        id: 'createdAt',
        label: t`Created`,
        width: 140,
        priority: 3,
        sortable: true,
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
    ],
    [],
  )

function useFields() {
  const { chapters } = useRecordSources()
  return useMemo(
    (): readonly FilterField[] => [
      { id: 'name', label: t`Name`, kind: 'text' },
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: statusOptions() },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'createdAt', label: t`Created`, kind: 'date' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
    ],
    [chapters],
  )
}
