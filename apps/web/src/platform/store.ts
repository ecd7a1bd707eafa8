import { useSyncExternalStore } from 'react'

/** A value outside React that components can watch: for what must outlive a page, such as recent changes or running jobs. */
export function createStore<Value>(initial: Value) {
  let current = initial
  const watchers = new Set<() => void>()
  const get = () => current
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  return {
    get,
    set(next: Value | ((before: Value) => Value)) {
      current = isUpdate(next) ? next(current) : next
      for (const watcher of watchers) watcher()
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get),
  }
}

const isUpdate = <Value>(next: Value | ((before: Value) => Value)): next is (before: Value) => Value => typeof next === 'function'
