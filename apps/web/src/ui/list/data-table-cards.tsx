import { Checkbox } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'
import type { DataTableProps } from './data-table-model.ts'
import { isControl } from './data-table-row.tsx'
import classes from './data-table.module.css'
import { SkeletonLines } from '../page/skeletons.tsx'

type Props<Row extends object> = DataTableProps<Row> & {
  scroller: RefObject<HTMLDivElement | null>
  items: VirtualItem[]
  size: number
  position: ReactNode
}

/** The same rows on a phone: two lines each, one column. */
export function DataTableCards<Row extends object>({
  scroller,
  items,
  size,
  label,
  rows,
  rowId,
  rowLabel,
  selection,
  renderCard,
  onOpen,
  onPeek,
  loading,
  stale,
  total,
  activeId,
  position,
}: Props<Row>) {
  return (
    <div
      ref={scroller}
      className={classes['scroller']}
      data-stale={stale || undefined}
      data-selecting={(selection && !selection.isEmpty) || undefined}
    >
      {loading && rows.length === 0 && <SkeletonLines count={10} />}
      <ul aria-label={label} aria-busy={loading} className={classes['cards']} style={{ blockSize: size }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index]
          if (!row) {
            return (
              <li key={key} aria-hidden className={classes['card']} style={{ transform: `translateY(${start}px)` }}>
                <div className={classes['bone']} style={{ inlineSize: `${40 + ((index * 7) % 40)}%` }} />
              </li>
            )
          }
          const open = onOpen ?? onPeek
          return (
            <li
              key={key}
              data-index={index}
              data-active={rowId(row) === activeId || selection?.has(rowId(row)) || undefined}
              data-ticks={selection ? true : undefined}
              className={classes['card']}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total ?? -1}
              aria-posinset={index + 1}
              onClick={(event) => {
                if (!isControl(event.target)) open?.(row)
              }}
            >
              {selection && (
                <Checkbox
                  className={classes['tick'] ?? ''}
                  size="sm"
                  aria-label={t`Select ${rowLabel(row)}`}
                  checked={selection.has(rowId(row))}
                  onChange={() => selection.toggle(rowId(row))}
                />
              )}
              {renderCard(row)}
            </li>
          )
        })}
      </ul>
      {position}
    </div>
  )
}
