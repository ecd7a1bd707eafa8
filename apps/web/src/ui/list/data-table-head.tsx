import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { t } from '@lingui/core/macro'
import { memo } from 'react'
import type { ReactNode } from 'react'
import type { DataTableProps, TableModel } from './data-table-model.ts'
import classes from './data-table.module.css'

type Props<Row extends object> = { list: DataTableProps<Row>; table: TableModel }

const step = 24

/** All of the list as one property, which stays the same while its rows are scrolled and walked. */
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- memo forgets that the component is generic
export const DataTableHead = memo(function DataTableHead<Row extends object>({ list, table }: Props<Row>) {
  const { columns, rows, rowId, sort, onSort, selection, onWidthsChange } = list
  const ids = rows.map(rowId)
  const picked = selection ? ids.filter(selection.has).length : 0
  return (
    <thead className={classes['head']}>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id} aria-rowindex={1}>
          {selection && (
            <th scope="col" className={`${classes['select']} ${classes['pinned']}`}>
              <input
                type="checkbox"
                className={classes['tickBox']}
                aria-label={t`Select all rows shown`}
                checked={picked > 0 && picked === ids.length}
                ref={(box) => {
                  if (box) box.indeterminate = picked > 0 && picked < ids.length
                }}
                onChange={() => (picked === ids.length ? selection.clear() : selection.selectShown(ids))}
              />
            </th>
          )}
          {group.headers.map((header, index) => {
            const column = columns.find(({ id }) => id === header.column.id)
            if (!column) return null
            const sorted = sort?.column === column.id ? sort.direction : undefined
            const pinned = index === 0 ? `${classes['pinned']} ${selection ? classes['afterSelect'] : ''}` : ''
            return (
              <th
                key={header.id}
                scope="col"
                className={pinned}
                data-align={column.align}
                aria-sort={sorted && (sorted === 'asc' ? 'ascending' : 'descending')}
              >
                {column.sortable && onSort ? (
                  <UnstyledButton
                    className={classes['sort']}
                    onClick={() => onSort({ column: column.id, direction: sorted === 'asc' ? 'desc' : 'asc' })}
                  >
                    <span className={classes['clip']}>{column.label}</span>
                    {sorted === 'asc' && <IconArrowUp size={14} aria-hidden />}
                    {sorted === 'desc' && <IconArrowDown size={14} aria-hidden />}
                  </UnstyledButton>
                ) : (
                  <span className={classes['clip']}>{column.label}</span>
                )}
                {onWidthsChange && (
                  <span
                    role="separator"
                    tabIndex={0}
                    className={classes['resize']}
                    aria-label={t`Width of ${column.label}`}
                    aria-orientation="vertical"
                    aria-valuenow={header.column.getSize()}
                    aria-valuemin={64}
                    aria-valuemax={800}
                    onMouseDown={header.getResizeHandler()}
                    onTouchStart={header.getResizeHandler()}
                    onDoubleClick={() => header.column.resetSize()}
                    onKeyDown={(event) => {
                      const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
                      if (!direction) return
                      event.preventDefault()
                      const turned = document.documentElement.dir === 'rtl' ? -direction : direction
                      table.setColumnSizing((before) => ({
                        ...before,
                        [column.id]: Math.min(800, Math.max(64, header.column.getSize() + turned * step)),
                      }))
                    }}
                  />
                )}
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}) as <Row extends object>(props: Props<Row>) => ReactNode
