import { useMediaQuery } from '@mantine/hooks'
import { useTable } from '@tanstack/react-table'
import type { ColumnDef, ColumnSizingState, Updater } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { DataTableCards } from './data-table-cards.tsx'
import { DataTableHead } from './data-table-head.tsx'
import { features } from './data-table-model.ts'
import type { DataTableProps, TableColumn } from './data-table-model.ts'
import { DataTableRow, PlaceholderRow, PlaceholderRows } from './data-table-row.tsx'
import classes from './data-table.module.css'
import { ListPosition } from './list-position.tsx'
import { everyRow, usePrinting } from '../printing.ts'
import { observeSize, scrollIfElsewhere } from './virtual-scroller.ts'
import { useReturnToRow } from './use-return-to-row.ts'
import { useRowEvents } from './use-row-events.ts'
import { useRowKeys } from './use-row-keys.ts'

export type { DataTableProps, Sort, TableColumn } from './data-table-model.ts'

/** Rows fetched page by page, of which only the visible ones are in the document. Sorting and filtering are the server's. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    columns,
    rows,
    rowId,
    shown,
    widths,
    onWidthsChange,
    loading = false,
    stale = false,
    hasMore = false,
    onMore,
    moreFailed = false,
    selection,
  } = props
  const phone = useMediaQuery('(max-width: 599.98px)', undefined, { getInitialValueInEffect: false })
  const tablet = useMediaQuery('(max-width: 1023.98px)', undefined, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)

  const defs = useMemo(() => columns.map((column) => toDef(column)), [columns])
  // By their names, not by their array: a parent makes a new one whenever anything about the list changes.
  const chosen = shown?.join(' ')
  const drawn = useMemo(() => {
    const order = chosen?.split(' ') ?? columns.map(({ id }) => id)
    return order.flatMap((name) => columns.find(({ id, priority = 1 }) => id === name && !(tablet && priority > 2)) ?? [])
  }, [columns, chosen, tablet])
  const sizing = useMemo(() => ({ ...widths }), [widths])
  const options = useMemo(
    () => ({
      features,
      data: noRows,
      columns: defs,
      columnResizeMode: 'onEnd' as const,
      columnResizeDirection: document.documentElement.dir === 'rtl' ? ('rtl' as const) : ('ltr' as const),
      state: {
        columnOrder: drawn.map(({ id }) => id),
        columnVisibility: Object.fromEntries(columns.map((column) => [column.id, drawn.includes(column)])),
        columnSizing: sizing,
      },
      onColumnSizingChange: (update: Updater<ColumnSizingState>) =>
        onWidthsChange?.(typeof update === 'function' ? update(sizing) : update),
    }),
    [defs, columns, drawn, sizing, onWidthsChange],
  )
  // It keeps order and widths of the columns; the rows are drawn without it.
  const table = useTable<typeof features, object>(options)

  const rowHeight = useRowHeight(phone)
  const printing = usePrinting()
  // The scrollbar stands for all that match as far as that is known: what is not here yet has its room kept. Rows beyond those fetched
  // are reached one page after the other, so the room is limited to what can be waited for.
  const ahead = hasMore && !printing ? Math.max(0, Math.min((props.total ?? 0) - rows.length, mostAhead)) : 0
  const virtual = useVirtualizer({
    count: rows.length + ahead,
    ...(printing && { rangeExtractor: everyRow }),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rowIdAt(rows, index, rowId),
    overscan: 5,
    initialRect: { width: 1024, height: 800 },
    observeElementRect: observeSize,
    scrollToFn: scrollIfElsewhere,
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const askedFor = useRef<readonly Row[] | undefined>(undefined)
  useEffect(() => {
    if (!hasMore || stale || moreFailed || askedFor.current === rows || rows.length === 0 || last < rows.length - 20) return
    askedFor.current = rows
    onMore?.()
  }, [hasMore, stale, moreFailed, last, rows, onMore])

  const keys = useRowKeys({
    ...props,
    scroller,
    reveal: (index) => virtual.scrollToIndex(index),
    inView: () => (virtual.range ? { first: virtual.range.startIndex, last: virtual.range.endIndex } : undefined),
  })
  useReturnToRow(props, (index) => virtual.scrollToIndex(index, { align: 'center' }), scroller)
  const events = useRowEvents(props, keys.setCurrent)

  if (!loading && rows.length === 0) return <div className={classes['empty']}>{props.empty}</div>
  const position = <ListPosition {...props} last={virtual.range?.endIndex ?? last} />
  if (phone) return <DataTableCards {...props} scroller={scroller} items={items} size={virtual.getTotalSize()} position={position} />

  const visible = table.getVisibleLeafColumns()
  const before = items[0]?.start ?? 0
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0))
  const width = visible.reduce((sum, column) => sum + column.getSize(), selection ? selectWidth : 0)
  // Spare room goes to the columns, up to a third more for each, until somebody chose a width.
  const sized = Object.keys(sizing).length > 0
  const widthOf = (size: number) => (sized ? size : `calc(${size} * clamp(1px, 100cqi / ${width}, 1.33px))`)
  return (
    <div
      ref={scroller}
      className={classes['scroller']}
      data-keeps-focus
      data-stale={stale || undefined}
      data-selecting={(selection && !selection.isEmpty) || undefined}
    >
      <table
        className={classes['table']}
        aria-label={props.label}
        aria-rowcount={props.total === undefined ? -1 : props.total + 1}
        aria-busy={loading || stale}
        style={{ minInlineSize: width }}
      >
        <colgroup>
          {selection && <col style={{ inlineSize: selectWidth }} />}
          {visible.map((column, index) => (
            // The last column takes what is left, so that few columns do not stretch the others.
            <col key={column.id} style={index === visible.length - 1 ? undefined : { inlineSize: widthOf(column.getSize()) }} />
          ))}
        </colgroup>
        <DataTableHead list={props} table={table} />
        <tbody {...events}>
          {loading && rows.length === 0 && <PlaceholderRows columns={visible.length + (selection ? 1 : 0)} />}
          {before > 0 && <tr aria-hidden style={{ blockSize: before }} />}
          {items.map(({ index, key }) => {
            const row = rows[index]
            if (!row) return <PlaceholderRow key={key} index={index} columns={visible.length + (selection ? 1 : 0)} />
            const id = rowId(row)
            return (
              <DataTableRow
                key={key}
                row={row}
                index={index}
                name={props.rowLabel(row)}
                columns={drawn}
                selected={selection?.has(id)}
                active={id === props.activeId}
                current={index === keys.current}
              />
            )
          })}
          {after > 0 && <tr aria-hidden style={{ blockSize: after }} />}
        </tbody>
      </table>
      {position}
    </div>
  )
}

/** Fifty pages of a hundred. */
const mostAhead = 5_000
const selectWidth = 44
const defaultWidth = 160

const noRows: object[] = []

const toDef = <Row extends object>({ id, label, width }: TableColumn<Row>): ColumnDef<typeof features, object> => ({
  id,
  header: label,
  size: width ?? defaultWidth,
  minSize: 64,
})

const rowIdAt = <Row,>(rows: readonly Row[], index: number, rowId: (row: Row) => string) => {
  const row = rows[index]
  return row === undefined ? index : rowId(row)
}

/** The density lives in a CSS variable; the virtualiser has to count with the same figure. */
function useRowHeight(phone: boolean | undefined) {
  const text = getComputedStyle(document.documentElement).getPropertyValue('--gh-row')
  return phone ? 68 : Number.parseInt(text, 10) || 40
}
