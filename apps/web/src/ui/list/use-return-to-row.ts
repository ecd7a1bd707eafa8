import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { isTaken } from '../single-keys.ts'

const last = new Map<string, string>()

/** A list is recognised by its name, as a reader would. */
export const rememberRow = (list: string, id: string) => last.set(list, id)

/** Coming back to a list shows and focuses the row that was opened from it, once. */
export function useReturnToRow<Row>(
  { label, rows, rowId }: { label: string; rows: readonly Row[]; rowId: (row: Row) => string },
  reveal: (index: number) => void,
  scroller: RefObject<HTMLElement | null>,
) {
  const wanted = useRef(last.get(label))
  useEffect(() => {
    const id = wanted.current
    if (id === undefined || rows.length === 0) return
    wanted.current = undefined
    const index = rows.findIndex((row) => rowId(row) === id)
    if (index < 0) return
    reveal(index)
    const soon = setTimeout(() => {
      // Whoever has begun to type, or has a dialog open over the list, keeps the focus.
      if (isTaken(document.activeElement)) return
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
    }, 50)
    return () => clearTimeout(soon)
  })
}
