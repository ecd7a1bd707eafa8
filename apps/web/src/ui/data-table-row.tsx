import { Button, Checkbox, Skeleton } from '@mantine/core'
import { flexRender } from '@tanstack/react-table'
import type { Row as TableRow } from '@tanstack/react-table'
import { t } from '@lingui/core/macro'
import { memo } from 'react'
import type { ReactNode } from 'react'
import type { DataTableProps, features } from './data-table-model.ts'
import classes from './data-table.module.css'
import { rememberRow } from './use-return-to-row.ts'
import type { RowKeys } from './use-row-keys.ts'

type Props<Row extends object> = DataTableProps<Row> & { row: TableRow<typeof features, Row>; index: number; keys: RowKeys }

export function DataTableRow<Row extends object>({
  row,
  index,
  keys,
  label,
  columns,
  rowId,
  rowLabel,
  rows,
  selection,
  onOpen,
  onPeek,
  activeId,
}: Props<Row>) {
  const record = row.original
  const id = row.id
  const name = rowLabel(record)
  const selected = selection?.has(id)
  const open = onPeek ?? onOpen
  return (
    <tr
      className={classes['row']}
      aria-rowindex={index + 2}
      aria-selected={selection ? selected : undefined}
      data-index={index}
      data-active={id === activeId || undefined}
      data-selected={selected || undefined}
      tabIndex={keys.current === index ? 0 : -1}
      onFocus={() => keys.setCurrent(index)}
      onClickCapture={() => rememberRow(label, id)}
      onClick={(event) => {
        if (isControl(event.target) || window.getSelection()?.toString()) return
        open?.(record)
      }}
    >
      {selection && (
        <td className={`${classes['select']} ${classes['pinned']}`}>
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={t`Select ${name}`}
            checked={selected ?? false}
            onChange={(event) => {
              const shift = event.nativeEvent instanceof MouseEvent ? event.nativeEvent.shiftKey : false
              if (shift) selection.toggleRange(id, rows.map(rowId))
              else selection.toggle(id)
            }}
            onClick={(event) => {
              if (!event.shiftKey) return
              event.preventDefault()
              selection.toggleRange(id, rows.map(rowId))
            }}
          />
        </td>
      )}
      <Cells cells={row.getVisibleCells()} columns={columns} afterSelect={selection !== undefined} />
    </tr>
  )
}

type CellsProps<Row extends object> = {
  cells: ReturnType<TableRow<typeof features, Row>['getVisibleCells']>
  columns: DataTableProps<Row>['columns']
  afterSelect: boolean
}

/** Drawn again only when the record or the columns change, so that walking along the rows stays light however many there are. */
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- memo forgets that the component is generic
const Cells = memo(function Cells<Row extends object>({ cells, columns, afterSelect }: CellsProps<Row>) {
  return cells.map((cell, at) => {
    const column = columns.find((known) => known.id === cell.column.id)
    const pinned = at === 0 ? `${classes['pinned']} ${afterSelect ? classes['afterSelect'] : ''}` : ''
    return (
      <td key={cell.id} className={pinned} data-align={column?.align}>
        <div className={classes['clip']}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</div>
      </td>
    )
  })
}) as <Row extends object>(props: CellsProps<Row>) => ReactNode

export const PlaceholderRows = ({ columns }: { columns: number }) =>
  Array.from({ length: 12 }, (_, row) => (
    <tr key={row} aria-hidden className={classes['row']}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <Skeleton height={12} width={column === 0 ? '100%' : `${50 + ((row * 7 + column * 13) % 40)}%`} />
        </td>
      ))}
    </tr>
  ))

/** A click on something that acts by itself must not also open the row. */
export const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input, label, select, textarea, [role="menuitem"]') !== null

/** Below the last fetched row: that more is coming, or a way to ask again. */
export function MoreRows({
  hasMore,
  rows,
  moreFailed,
  onMore,
}: Pick<DataTableProps<object>, 'hasMore' | 'rows' | 'moreFailed' | 'onMore'>) {
  if (!hasMore || rows.length === 0) return null
  return (
    <p className={classes['more']} role="status">
      {moreFailed ? (
        <>
          {t`More could not be loaded.`}{' '}
          <Button variant="subtle" size="compact-sm" onClick={onMore}>
            {t`Try again`}
          </Button>
        </>
      ) : (
        t`Loading more`
      )}
    </p>
  )
}
