import type { VirtualItem } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import type { DataTableProps } from './data-table-model.ts'
import { isControl, MoreRows } from './data-table-row.tsx'
import classes from './data-table.module.css'
import { SkeletonLines } from './skeletons.tsx'

type Props<Row extends object> = DataTableProps<Row> & { scroller: RefObject<HTMLDivElement | null>; items: VirtualItem[]; size: number }

/** The same rows on a phone: two lines each, one column. */
export function DataTableCards<Row extends object>({
  scroller,
  items,
  size,
  label,
  rows,
  rowId,
  renderCard,
  onOpen,
  onPeek,
  loading,
  stale,
  total,
  activeId,
  hasMore,
  moreFailed,
  onMore,
}: Props<Row>) {
  return (
    <div ref={scroller} className={classes['scroller']} data-stale={stale || undefined}>
      {loading && rows.length === 0 && <SkeletonLines count={10} />}
      <ul aria-label={label} aria-busy={loading} className={classes['cards']} style={{ blockSize: size }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index]
          if (!row) return null
          const open = onOpen ?? onPeek
          return (
            <li
              key={key}
              data-index={index}
              data-active={rowId(row) === activeId || undefined}
              className={classes['card']}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total ?? -1}
              aria-posinset={index + 1}
              onClick={(event) => {
                if (!isControl(event.target)) open?.(row)
              }}
            >
              {renderCard(row)}
            </li>
          )
        })}
      </ul>
      <MoreRows hasMore={hasMore} rows={rows} moreFailed={moreFailed} onMore={onMore} />
    </div>
  )
}
