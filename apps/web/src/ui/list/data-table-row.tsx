import { t } from '@lingui/core/macro'
import { memo } from 'react'
import type { ReactNode } from 'react'
import type { TableColumn } from './data-table-model.ts'
import classes from './data-table.module.css'

type Props<Row extends object> = {
  row: Row
  index: number
  name: string
  columns: readonly TableColumn<Row>[]
  /** Undefined where rows are not selected. */
  selected: boolean | undefined
  active: boolean
  current: boolean
}

/** Takes only what is its own, so that a row is drawn anew when it changes and not with every other one; `useRowEvents` hears what is done to it. */
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- memo forgets that the component is generic
export const DataTableRow = memo(function DataTableRow<Row extends object>(props: Props<Row>) {
  const { row, index, name, columns, selected, active, current } = props
  return (
    <tr
      className={classes['row']}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-index={index}
      data-active={active || undefined}
      data-selected={selected || undefined}
      tabIndex={current ? 0 : -1}
    >
      {selected !== undefined && (
        <td className={`${classes['select']} ${classes['pinned']}`} data-tick>
          <input
            type="checkbox"
            className={classes['tickBox']}
            tabIndex={-1}
            aria-label={t`Select ${name}`}
            checked={selected}
            onChange={heardByTable}
          />
        </td>
      )}
      <Cells row={row} columns={columns} afterSelect={selected !== undefined} />
    </tr>
  )
}) as <Row extends object>(props: Props<Row>) => ReactNode

const heardByTable = () => {}

type CellsProps<Row extends object> = { row: Row; columns: readonly TableColumn<Row>[]; afterSelect: boolean }

/** Apart from the row, so that ticking and walking leave the cells alone. */
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- memo forgets that the component is generic
const Cells = memo(function Cells<Row extends object>({ row, columns, afterSelect }: CellsProps<Row>) {
  return columns.map(({ id, align, cell }, at) => (
    <td key={id} className={at === 0 ? `${classes['pinned']} ${afterSelect ? classes['afterSelect'] : ''}` : undefined} data-align={align}>
      <div className={classes['clip']}>{cell(row)}</div>
    </td>
  ))
}) as <Row extends object>(props: CellsProps<Row>) => ReactNode

export const PlaceholderRow = ({ index, columns }: { index: number; columns: number }) => (
  <tr aria-hidden className={classes['row']} data-no-print>
    {Array.from({ length: columns }, (_, column) => (
      <td key={column}>
        <div className={classes['bone']} style={{ inlineSize: column === 0 ? '100%' : `${50 + ((index * 7 + column * 13) % 40)}%` }} />
      </td>
    ))}
  </tr>
)

export const PlaceholderRows = ({ columns }: { columns: number }) =>
  Array.from({ length: 12 }, (_, index) => <PlaceholderRow key={index} index={index} columns={columns} />)

/** A click on something that acts by itself must not also open the row. */
export const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input, label, select, textarea, [role="menuitem"]') !== null
