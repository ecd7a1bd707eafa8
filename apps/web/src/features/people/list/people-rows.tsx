import { Button, Group } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconSearchOff, IconUsers } from '@tabler/icons-react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { CardGrid } from '../../../ui/list/card-grid.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { Selection } from '../../../ui/list/selection.ts'
import type { useListView } from '../../lists/lists-public.tsx'
import type { PersonRow, usePeople } from '../people-api.ts'
import { PersonCard, PersonLines, personCardHeight } from './people-cards.tsx'
import { columnOf, sortOf } from './people-sort.tsx'

type Props = {
  columns: readonly TableColumn<PersonRow>[]
  view: ReturnType<typeof useListView>
  people: ReturnType<typeof usePeople>
  selection: Selection | undefined
  activeId: string | undefined
  onPeek: (row: PersonRow) => void
  onOpen: (row: PersonRow) => void
  onNew: (() => void) | undefined
  importHref: string | undefined
}

/** The people found, as a table or as cards, or why there are none. */
export function PeopleRows({ columns, view, people, selection, activeId, onPeek, onOpen, onNew, importHref }: Props) {
  const { query, rows, pending, stale } = people
  const { look, set } = view
  const common = {
    label: t`Members`,
    rows,
    rowId,
    loading: pending,
    hasMore: query.hasNextPage,
    onMore: () => void (query.isFetchingNextPage || query.fetchNextPage()),
  }
  const asks = look.q !== '' || look.filter.and.length > 0
  const empty = query.isError ? (
    <ProblemState problem={query.error} title={t`The members could not be loaded`} retry={() => void query.refetch()} />
  ) : asks ? (
    <EmptyState
      icon={<IconSearchOff size={32} stroke={1.5} />}
      title={look.q ? t`Nobody matches “${look.q}”` : t`Nobody matches these filters`}
      action={
        <Button variant="default" onClick={() => set({ q: '', filter: emptyFilter })}>
          <Trans>Clear search and filters</Trans>
        </Button>
      }
    >
      <Trans>Accents and capitals make no difference, and any part of a name will do.</Trans>
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconUsers size={32} stroke={1.5} />}
      title={t`No members yet`}
      action={
        <Group>
          {onNew && (
            <Button onClick={onNew}>
              <Trans>Enter the first member</Trans>
            </Button>
          )}
          {importHref && (
            <Button component={AppLink} href={importHref} variant="default">
              <Trans>Import a file</Trans>
            </Button>
          )}
        </Group>
      }
    >
      <Trans>Everybody who belongs to the organisation will be listed here.</Trans>
    </EmptyState>
  )
  if (look.layout === 'cards') {
    return (
      <CardGrid
        {...common}
        cardHeight={personCardHeight}
        renderCard={(row) => <PersonCard row={row} selection={selection} onPeek={() => onPeek(row)} />}
        empty={empty}
      />
    )
  }
  return (
    <DataTable
      {...common}
      columns={columns}
      rowLabel={({ displayName }) => displayName}
      total={people.totalIsExact ? people.total : undefined}
      shown={look.columns.filter((id) => columns.some((column) => column.id === id))}
      sort={columnOf(look.sort)}
      widths={look.widths}
      onWidthsChange={(widths) => set({ widths: rounded(widths) }, { replace: true })}
      moreFailed={query.isFetchNextPageError && problemText(query.error)}
      onSort={(sort) => set({ sort: sortOf(sort) })}
      selection={selection}
      activeId={activeId}
      stale={stale}
      onPeek={onPeek}
      onOpen={onOpen}
      renderCard={(row) => <PersonLines row={row} />}
      empty={empty}
    />
  )
}

const rounded = (widths: Record<string, number>) => Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, Math.round(width)]))

const rowId = ({ id }: PersonRow) => id
