import { useMediaQuery } from '@mantine/hooks'
import { columnOrderingFeature, columnResizingFeature, columnSizingFeature, columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import type { ColumnDef, ReactTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import { DataTableCards } from './data-table-cards.tsx'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableRow, PlaceholderRows } from './data-table-row.tsx'
import classes from './data-table.module.css'
import type { Selection } from './selection.ts'
import { useRowKeys } from './use-row-keys.ts'

export type TableColumn<Row> = {
  id: string
  /** Its name, in the head, the column picker and the sort. */
  label: string
  cell: (row: Row) => ReactNode
  width?: number
  align?: 'start' | 'end'
  sortable?: boolean
  /** Tablets show only 1 (the default) and 2. */
  priority?: 1 | 2 | 3
}

export type Sort = { column: string; direction: 'asc' | 'desc' }

export type DataTableProps<Row extends object> = {
  /** Names the table for those who hear it: "Members". */
  label: string
  /** Keep this reference stable (module scope or useMemo), as the rows too. */
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  rowLabel: (row: Row) => string
  /** All that match, when known; the rows are only what was fetched. */
  total?: number | undefined
  /** Which columns, in which order; the first is pinned. All when left out. */
  shown?: readonly string[] | undefined
  widths?: Readonly<Record<string, number>> | undefined
  onWidthsChange?: ((widths: Record<string, number>) => void) | undefined
  sort?: Sort | undefined
  onSort?: ((sort: Sort) => void) | undefined
  selection?: Selection | undefined
  /** Enter, or a click on the row. */
  onOpen?: ((row: Row) => void) | undefined
  /** Space: look at it beside the list. Without it, Space does what Enter does. */
  onPeek?: ((row: Row) => void) | undefined
  /** The row whose record is open in the panel. */
  activeId?: string | undefined
  /** No rows yet: shows their shape. */
  loading?: boolean | undefined
  /** Rows of the former question while the next answer is on its way. */
  stale?: boolean | undefined
  hasMore?: boolean | undefined
  onMore?: (() => void) | undefined
  /** Two lines on a phone. */
  renderCard: (row: Row) => ReactNode
  /** In place of the rows when there are none: an EmptyState or ErrorState. */
  empty: ReactNode
}

export const features = tableFeatures({ columnOrderingFeature, columnResizingFeature, columnSizingFeature, columnVisibilityFeature })
export type TableModel<Row extends object> = ReactTable<typeof features, Row>

/** Rows fetched page by page, of which only the visible ones are in the document. Sorting and filtering are the server's. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, shown, widths, onWidthsChange, loading = false, stale = false, hasMore = false, onMore, selection } = props
  const phone = useMediaQuery('(max-width: 599.98px)', undefined, { getInitialValueInEffect: false })
  const tablet = useMediaQuery('(max-width: 1023.98px)', undefined, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)

  const defs = useMemo(() => columns.map((column) => toDef(column)), [columns])
  const order = useMemo(() => [...(shown ?? columns.map(({ id }) => id))], [shown, columns])
  const visibility = useMemo(
    () => Object.fromEntries(columns.map(({ id, priority = 1 }) => [id, order.includes(id) && !(tablet && priority > 2)])),
    [columns, order, tablet],
  )
  const sizing = useMemo(() => ({ ...widths }), [widths])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable<typeof features, Row>({
    features,
    data,
    columns: defs,
    getRowId: rowId,
    columnResizeMode: 'onEnd',
    columnResizeDirection: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
    state: { columnOrder: order, columnVisibility: visibility, columnSizing: sizing },
    onColumnSizingChange: (update) => onWidthsChange?.(typeof update === 'function' ? update(sizing) : update),
  })

  const rowHeight = useRowHeight(phone)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rowIdAt(rows, index, rowId),
    overscan: 8,
    initialRect: { width: 1024, height: 800 },
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !stale && rows.length > 0 && last >= rows.length - 20) onMore?.()
  }, [hasMore, stale, last, rows.length, onMore])

  const keys = useRowKeys({ ...props, scroller, reveal: (index) => virtual.scrollToIndex(index) })

  if (!loading && rows.length === 0) return <div className={classes['empty']}>{props.empty}</div>
  if (phone) return <DataTableCards {...props} scroller={scroller} items={items} size={virtual.getTotalSize()} />

  const visible = table.getVisibleLeafColumns()
  const before = items[0]?.start ?? 0
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0))
  const width = visible.reduce((sum, column) => sum + column.getSize(), selection ? selectWidth : 0)
  return (
    <div ref={scroller} className={classes['scroller']} data-keeps-focus data-stale={stale || undefined}>
      <table className={classes['table']} aria-label={props.label} aria-rowcount={props.total === undefined ? -1 : props.total + 1} aria-busy={loading || stale} style={{ minInlineSize: width }}>
        <colgroup>
          {selection && <col style={{ inlineSize: selectWidth }} />}
          {visible.map((column, index) => (
            // The last column takes what is left, so that few columns do not stretch the others.
            <col key={column.id} style={index === visible.length - 1 ? undefined : { inlineSize: column.getSize() }} />
          ))}
        </colgroup>
        <DataTableHead {...props} table={table} />
        <tbody>
          {loading && rows.length === 0 && <PlaceholderRows columns={visible.length + (selection ? 1 : 0)} />}
          {before > 0 && <tr aria-hidden style={{ blockSize: before }} />}
          {items.map(({ index, key }) => {
            const row = table.getRowModel().rows[index]
            return row && <DataTableRow key={key} {...props} row={row} index={index} keys={keys} />
          })}
          {after > 0 && <tr aria-hidden style={{ blockSize: after }} />}
        </tbody>
      </table>
      {hasMore && rows.length > 0 && (
        <p className={classes['more']} role="status">
          {t`Loading more`}
        </p>
      )}
    </div>
  )
}

export const selectWidth = 44
export const defaultWidth = 160

function toDef<Row extends object>(column: TableColumn<Row>): ColumnDef<typeof features, Row> {
  return { id: column.id, header: column.label, size: column.width ?? defaultWidth, minSize: 64, cell: ({ row }) => column.cell(row.original) }
}

const rowIdAt = <Row,>(rows: readonly Row[], index: number, rowId: (row: Row) => string) => {
  const row = rows[index]
  return row === undefined ? index : rowId(row)
}

/** The density lives in a CSS variable; the virtualiser has to count with the same figure. */
function useRowHeight(phone: boolean | undefined) {
  const text = getComputedStyle(document.documentElement).getPropertyValue('--gh-row')
  return phone ? 68 : Number.parseInt(text, 10) || 40
}
