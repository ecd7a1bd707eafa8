import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { Selection } from './selection.ts'
import { isTaken, useSingleKeys } from '../single-keys.ts'

type Options<Row> = {
  rows: readonly Row[]
  rowId: (row: Row) => string
  selection?: Selection | undefined
  onOpen?: ((row: Row) => void) | undefined
  onPeek?: ((row: Row) => void) | undefined
  scroller: RefObject<HTMLElement | null>
  reveal: (index: number) => void
  /** The first and last row in view. */
  inView: () => { first: number; last: number } | undefined
}

/**
 * J and K or the arrows walk the rows, X marks, Shift+X marks up to here, Enter opens, Space peeks. They work in the list and
 * wherever nothing else wants the key, so that a list can be used from the moment its page opens.
 */
export function useRowKeys<Row>(options: Options<Row>) {
  const { rows, scroller } = options
  const [current, setCurrent] = useState(0)
  const wanted = useRef<number | undefined>(undefined)
  const single = useSingleKeys()

  useEffect(() => {
    if (wanted.current === undefined) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!row) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
  })

  const at = Math.min(current, Math.max(0, rows.length - 1))
  const walk = (to: number) => {
    const index = Math.min(rows.length - 1, Math.max(0, to))
    if (index < 0) return
    wanted.current = index
    setCurrent(index)
    options.reveal(index)
    // The row may already be drawn and current, when nothing renders again.
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
  }

  /** Where a reader looks, when the row last used has been scrolled away. */
  const startingPoint = () => {
    const view = options.inView()
    return !view || (at >= view.first && at <= view.last) ? at : view.first
  }

  function press(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const onRow = event.target instanceof HTMLElement && event.target.matches('[data-index]')
    const row = rows[at]
    const letter = single && event.key.length === 1 ? event.key.toLowerCase() : ''
    const down = letter === 'j' || (onRow && event.key === 'ArrowDown')
    const up = letter === 'k' || (onRow && event.key === 'ArrowUp')
    if (down || up) walk(onRow ? at + (down ? 1 : -1) : startingPoint())
    else if (letter === 'x' && row && options.selection) {
      if (event.shiftKey) options.selection.toggleRange(options.rowId(row), rows.map(options.rowId))
      else options.selection.toggle(options.rowId(row))
    } else if (onRow && event.key === 'Enter' && row) (options.onOpen ?? options.onPeek)?.(row)
    else if (onRow && event.key === ' ' && row) (options.onPeek ?? options.onOpen)?.(row)
    else if (onRow && event.key === 'Home') walk(0)
    else if (onRow && event.key === 'End') walk(rows.length - 1)
    else return
    event.preventDefault()
  }

  const latest = useRef(press)
  useEffect(() => {
    latest.current = press
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isTaken(event.target)) latest.current(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return { current: at, setCurrent }
}
