import { useEffect, useMemo, useRef } from 'react'
import type { FocusEvent, MouseEvent } from 'react'
import type { DataTableProps } from './data-table-model.ts'
import { isControl } from './data-table-row.tsx'
import { rememberRow } from './use-return-to-row.ts'

/** What is done to any row, heard once on their common parent. */
export function useRowEvents<Row extends object>(list: DataTableProps<Row>, setCurrent: (index: number) => void) {
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  return useMemo(() => {
    const rowOf = (target: EventTarget) => {
      const at = indexOf(target)
      const row = at === undefined ? undefined : latest.current.rows[at]
      return row && { row, id: latest.current.rowId(row) }
    }
    return {
      onFocus: ({ target }: FocusEvent) => {
        const at = indexOf(target)
        if (at !== undefined) setCurrent(at)
      },
      onClickCapture: ({ target }: MouseEvent) => {
        const found = rowOf(target)
        if (found) rememberRow(latest.current.label, found.id)
      },
      onClick: ({ target, shiftKey }: MouseEvent) => {
        const { selection, rows, rowId, onPeek, onOpen } = latest.current
        const found = rowOf(target)
        if (!found) return
        // The whole cell ticks, which is easier to hit than the box.
        if (selection && target instanceof Element && target.closest('[data-tick]')) {
          if (shiftKey) selection.toggleRange(found.id, rows.map(rowId))
          else selection.toggle(found.id)
        } else if (!isControl(target) && !window.getSelection()?.toString()) (onPeek ?? onOpen)?.(found.row)
      },
    }
  }, [setCurrent])
}

function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : undefined
}
