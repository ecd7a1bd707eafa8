import { Button, UnstyledButton } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import type { NewExport } from '@guildhall/contract/features/lists'
import type { Permission } from '@guildhall/contract/permissions'
import type { Icon } from '@tabler/icons-react'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { tableRows } from '../../platform/api/paged.ts'
import type { Paged } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useCan } from '../../platform/session/session.ts'
import { ColumnPicker } from '../../ui/list/column-picker.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { FilterChips } from '../../ui/filter/filter-chips.tsx'
import { emptyFilter } from '../../ui/filter/filter.ts'
import type { Filter, FilterField } from '../../ui/filter/filter.ts'
import { ListBar } from '../../ui/list/list-bar.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { Loading, SkeletonCards } from '../../ui/page/skeletons.tsx'
import { SavedViewTabs } from '../../ui/list/saved-view-tabs.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { t } from '@lingui/core/macro'
import { useShortcuts } from '../../platform/navigation/shortcuts.ts'
import { useSelection } from '../../ui/list/selection.ts'
import { BulkBar } from './bulk/bulk-actions.tsx'
import type { BulkOf } from './bulk/bulk-actions.tsx'
import { ExportDialog, LostView, toSelection } from './lists-public.tsx'
import classes from './lists.module.css'
import type { useListView } from './use-list-view.ts'

export type RecordTableProps<Row, Change> = {
  /** Its name among the lists that can be exported; without it there is nothing to export. */
  list?: NewExport['list']
  view: ReturnType<typeof useListView>
  records: UseInfiniteQueryResult<Paged<Row>>
  columns: readonly TableColumn<Row>[]
  fields: readonly FilterField[]
  /** The column that is always shown. */
  nameColumn: string & keyof Row
  /** What a row is called, where that is not in its column. */
  rowLabel?: (row: Row) => string
  words: {
    title: string
    search: string
    /** Where nothing matches what is searched and filtered by. */
    noMatch: string
    /** Where there is nothing at all, and what would be there. */
    none: string
    about: string
    failed: string
    create: string
  }
  icon: Icon
  onOpen: (row: Row) => void
  /** The row whose record is open beside the list. */
  activeId?: string | undefined
  /** Above the rows: what they come to. */
  figures?: ReactNode
  /** Absent for whoever may not. */
  onNew: (() => void) | undefined
  renderCard: (row: Row) => ReactNode
  /** The same rows drawn otherwise, where the look says cards. */
  cards?: (rows: readonly Row[]) => ReactNode
  /** What the page narrows the list by, whatever its reader filters. */
  within?: Filter['and']
  /** Columns of the file, where it calls them otherwise than the list. */
  exportColumns?: (shown: readonly string[]) => readonly string[]
  /** What can be done with many of them; without an action that the reader may take, rows are not ticked. */
  bulk?: BulkOf<Change>
  /** What can be done with one row, at its end; keep the reference stable. */
  rowMenu?: ((row: Row) => ReactNode) | undefined
  /** Beside the column picker. */
  actions?: ReactNode
  exporting?: boolean
  onExporting?: (opened: boolean) => void
}

const everything: Filter['and'] = []
/** The column of the rows' menus: always shown, never chosen, moved or exported. */
const menuColumn = 'rowMenu'

/** Records with views, search, filter, columns, sort and export; all that it shows is in the address. */
export function RecordTable<Row extends { id: string }, Change extends object = never>(props: RecordTableProps<Row, Change>) {
  const { list, view, records, columns, fields, nameColumn, words, icon: Icon, onOpen, onNew, renderCard } = props
  const { within = everything, exportColumns = asShown, bulk, actions, exporting = false, onExporting } = props
  const { rowLabel = (row) => String(row[nameColumn]), activeId, figures, rowMenu, cards } = props
  const { look, base, set } = view
  const mayShare = useCan('views.share')
  const acts = bulk !== undefined && bulk.actions.length > 0
  const filter = useMemo(() => ({ and: [...look.filter.and, ...within] }), [look.filter, within])
  const drawn = useMemo(
    () => (rowMenu ? [...columns, { id: menuColumn, label: t`Actions`, width: 84, cell: rowMenu }] : columns),
    [columns, rowMenu],
  )
  const selection = useSelection(JSON.stringify([look.q, filter]))
  useShortcuts(acts ? [{ keys: 'mod+a', label: t`Select all that match`, group: words.title, run: selection.selectAllMatching }] : [])
  const total = records.data?.total ?? 0
  const totalIsExact = records.data?.totalIsExact ?? true
  const narrowed = look.q !== '' || look.filter.and.length > 0
  const empty = records.isError ? (
    <ProblemState problem={records.error} title={words.failed} retry={() => void records.refetch()} />
  ) : narrowed ? (
    <EmptyState
      icon={<Icon size={32} stroke={1.5} />}
      title={words.noMatch}
      action={
        <Button variant="default" onClick={() => set({ q: '', filter: emptyFilter })}>
          <Trans>Clear search and filters</Trans>
        </Button>
      }
    />
  ) : (
    <EmptyState icon={<Icon size={32} stroke={1.5} />} title={words.none} action={onNew && <Button onClick={onNew}>{words.create}</Button>}>
      {words.about}
    </EmptyState>
  )
  return (
    <>
      <SavedViewTabs {...view.tabs} canShare={mayShare} />
      {view.lost && <LostView tabs={view.tabs} />}
      <ListBar
        end={
          <>
            {!(cards && look.layout === 'cards') && (
              <span className={classes['columns']}>
                <ColumnPicker
                  columns={columns}
                  shown={look.columns}
                  onChange={(shown) => set({ columns: shown.includes(nameColumn) ? shown : [nameColumn, ...shown] }, { replace: true })}
                  onReset={() => set({ columns: base.columns }, { replace: true })}
                />
              </span>
            )}
            {actions}
          </>
        }
      >
        <SearchField label={words.search} value={look.q} onChange={(q) => set({ q }, { replace: true })} />
        <FilterChips fields={fields} value={look.filter} onChange={(filter) => set({ filter })} />
      </ListBar>
      {figures}
      {cards && look.layout === 'cards' ? (
        <Cards records={records} cards={cards} empty={empty} />
      ) : (
        <DataTable
          label={words.title}
          columns={drawn}
          shown={[...look.columns, menuColumn].filter((id) => drawn.some((column) => column.id === id))}
          {...tableRows(records)}
          rowId={({ id }) => id}
          rowLabel={rowLabel}
          activeId={activeId}
          sort={{ column: look.sort.replace(/^-/, ''), direction: look.sort.startsWith('-') ? 'desc' : 'asc' }}
          onSort={({ column, direction }) => set({ sort: direction === 'desc' ? `-${column}` : column })}
          widths={look.widths}
          onWidthsChange={(widths) => set({ widths: rounded(widths) }, { replace: true })}
          selection={acts ? selection : undefined}
          onOpen={onOpen}
          renderCard={renderCard}
          empty={empty}
        />
      )}
      {list && (
        <ExportDialog
          opened={exporting}
          onClose={() => onExporting?.(false)}
          list={list}
          columns={exportColumns(look.columns)}
          sort={look.sort}
          selection={toSelection(selection, { q: look.q, filter })}
          total={selection.isEmpty ? total : selection.count(total)}
          totalIsExact={totalIsExact || (selection.state.kind === 'some' && !selection.isEmpty)}
        />
      )}
      {acts && !selection.isEmpty && (
        <BulkBar {...bulk} selection={selection} question={{ q: look.q, filter }} total={total} totalIsExact={totalIsExact} />
      )}
    </>
  )
}

type CardsProps<Row> = Pick<RecordTableProps<Row, never>, 'records'> & { cards: (rows: readonly Row[]) => ReactNode; empty: ReactNode }

function Cards<Row>({ records, cards, empty }: CardsProps<Row>) {
  const { items = [] } = records.data ?? {}
  if (records.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonCards height={240} />
      </Loading>
    )
  if (items.length === 0) return empty
  return (
    <>
      <div data-stale={records.isPlaceholderData || undefined} className={classes['rows']}>
        {cards(items)}
      </div>
      <ShowMore query={records} />
    </>
  )
}

const asShown = (shown: readonly string[]) => shown
const rounded = (widths: Record<string, number>) => Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, Math.round(width)]))

/** For those who may export lists; of some, the permission of those who look after the records is enough. */
export function ExportButton({ onClick, permission = 'people.export' }: { onClick: () => void; permission?: Permission }) {
  const mayExport = useCan(permission)
  return (
    mayExport && (
      <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />} onClick={onClick}>
        <Trans>Export</Trans>
      </Button>
    )
  )
}

type RecordListProps<Row, Change> = Omit<RecordTableProps<Row, Change>, 'exporting' | 'onExporting' | 'words'> & {
  words: RecordTableProps<Row, Change>['words'] & { count: (total: number) => string }
  /** Dialogs. */
  children?: ReactNode
}

/** The page of a list of records. */
export function RecordList<Row extends { id: string }, Change extends object = never>({
  children,
  ...table
}: RecordListProps<Row, Change>) {
  const { records, words, onNew } = table
  const { number } = useFormats()
  const [exporting, setExporting] = useState(false)
  const { total = 0, totalIsExact = true } = records.data ?? {}
  return (
    <Page fill>
      <PageHeader
        title={words.title}
        meta={records.data && <span role="status">{totalIsExact ? words.count(total) : `${number(total)}+`}</span>}
        actions={
          <>
            <ExportButton onClick={() => setExporting(true)} />
            {onNew && (
              <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={onNew}>
                {words.create}
              </Button>
            )}
          </>
        }
      />
      <RecordTable {...table} exporting={exporting} onExporting={setExporting} />
      {children}
    </Page>
  )
}

type RecordListBesideProps<Row, Change> = Omit<RecordTableProps<Row, Change>, 'exporting' | 'onExporting'> & {
  /** Above the list. */
  above?: ReactNode
  /** The record that is open. */
  panel?: ReactNode
  /** In a page that fills the window: no higher than what is left of it. */
  fill?: boolean
}

/** A list of records within the page of another record, and what is open beside it. */
export function RecordListBeside<Row extends { id: string }, Change extends object = never>({
  above,
  panel,
  fill = false,
  ...table
}: RecordListBesideProps<Row, Change>) {
  const { words, onNew, actions } = table
  const [exporting, setExporting] = useState(false)
  return (
    <div className={classes['beside']} data-fill={fill || undefined}>
      <div className={classes['list']}>
        {above}
        <RecordTable
          {...table}
          exporting={exporting}
          onExporting={setExporting}
          actions={
            <>
              {actions}
              {table.list && (
                <Button
                  variant="default"
                  leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
                  onClick={() => setExporting(true)}
                >
                  <Trans>Export</Trans>
                </Button>
              )}
              {onNew && (
                <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={onNew}>
                  {words.create}
                </Button>
              )}
            </>
          }
        />
      </div>
      {panel}
    </div>
  )
}

type RecordCardProps = { name: string; onOpen: () => void; end: ReactNode; facts: ReactNode; badge: ReactNode; children?: ReactNode }

/** A row of such a list on a phone: two lines, and a third where something needs saying. */
export const RecordCard = ({ name, onOpen, end, facts, badge, children }: RecordCardProps) => (
  <div className={classes['card']}>
    <div className={classes['cardLine']}>
      <UnstyledButton fw={700} mih={24} onClick={onOpen}>
        {name}
      </UnstyledButton>
      <span>{end}</span>
    </div>
    <div className={classes['cardLine']}>
      <span className={classes['cardNote']}>{facts}</span>
      <span>{badge}</span>
    </div>
    {children}
  </div>
)
