import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Range } from '@tanstack/react-virtual'

let printing = false
const listeners = new Set<() => void>()
/** At once: the browser takes its picture of the page right after telling. */
const tell = (now: boolean) => () => {
  printing = now
  flushSync(() => listeners.forEach((listener) => listener()))
}

if (typeof window !== 'undefined') {
  window.addEventListener('beforeprint', tell(true))
  window.addEventListener('afterprint', tell(false))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** On paper a list has no scrollbar: all its rows are drawn. */
export const usePrinting = () =>
  useSyncExternalStore(
    subscribe,
    () => printing,
    () => false,
  )

export const everyRow = ({ count }: Range) => Array.from({ length: count }, (_, index) => index)
