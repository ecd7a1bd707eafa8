import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import classes from './card-grid.module.css'
import { SkeletonCards } from '../page/skeletons.tsx'

export type CardGridProps<Row> = {
  label: string
  rows: readonly Row[]
  rowId: (row: Row) => string
  renderCard: (row: Row) => ReactNode
  cardHeight: number
  minWidth?: number
  loading?: boolean
  hasMore?: boolean | undefined
  onMore?: (() => void) | undefined
  empty: ReactNode
}

const gap = 16

/** The same rows as a table, as cards of equal size. */
export function CardGrid<Row>({
  label,
  rows,
  rowId,
  renderCard,
  cardHeight,
  minWidth = 260,
  loading = false,
  hasMore = false,
  onMore,
  empty,
}: CardGridProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize<HTMLDivElement>()
  const ref = useMergedRef(scroller, measured)
  const perLine = Math.max(1, Math.floor((width + gap) / (minWidth + gap)))
  const lines = Math.ceil(rows.length / perLine)
  const virtual = useVirtualizer({
    count: lines,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight + gap,
    overscan: 3,
    initialRect: { width: 1024, height: 800 },
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lines > 0 && last >= lines - 4) onMore?.()
  }, [hasMore, last, lines, onMore])

  if (loading && rows.length === 0) return <SkeletonCards count={12} height={cardHeight} />
  if (rows.length === 0) return <>{empty}</>
  return (
    <div ref={ref} className={classes['scroller']}>
      <ul aria-label={label} className={classes['grid']} style={{ blockSize: virtual.getTotalSize() }}>
        {items.flatMap(({ index, start }) =>
          rows.slice(index * perLine, (index + 1) * perLine).map((row, column) => (
            <li
              key={rowId(row)}
              className={classes['card']}
              style={{
                blockSize: cardHeight,
                inlineSize: `calc((100% - ${(perLine - 1) * gap}px) / ${perLine})`,
                insetBlockStart: start,
                insetInlineStart: `calc((100% + ${gap}px) / ${perLine} * ${column})`,
              }}
            >
              {renderCard(row)}
            </li>
          )),
        )}
      </ul>
    </div>
  )
}
