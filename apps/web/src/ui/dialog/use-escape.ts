import { useEffect, useRef } from 'react'
import { isTaken } from '../single-keys.ts'

type Closes = { current: () => void }

/** What Escape closes, the newest last: one key press takes away one thing. */
const open: Closes[] = []

/** While `active`, Escape pressed on the page runs it, unless a field, a menu or a dialog has a use for the key itself. */
export function useEscape(run: () => void, active = true) {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!active) return
    const mine: Closes = latest
    open.push(mine)
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTaken(event.target) || open.at(-1) !== mine) return
      event.preventDefault()
      mine.current()
    }
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('keydown', listen)
      open.splice(open.indexOf(mine), 1)
    }
  }, [active])
}
