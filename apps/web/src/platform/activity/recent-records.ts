import { useEffect } from 'react'
import { createStore } from '../store.ts'

export type RecentRecord = { kind: string; id: string; label: string; to: string }

const key = 'guildhall.recent'
const keep = 50
const store = createStore<RecentRecord[]>(read())

export const useRecentRecords = store.use

/** A detail page calls this once its record is there; the palette and the menu list the newest first. */
export function useRememberRecord(record: RecentRecord | undefined) {
  const text = record && JSON.stringify(record)
  useEffect(() => {
    if (!text) return
    const seen: unknown = JSON.parse(text)
    if (isRecord(seen)) write([seen, ...store.get().filter(({ kind, id }) => kind !== seen.kind || id !== seen.id)].slice(0, keep))
  }, [text])
}

/** On sign-out, so that names do not stay on a shared device. */
export const forgetRecords = () => write([])

function write(records: RecentRecord[]) {
  store.set(records)
  try {
    sessionStorage.setItem(key, JSON.stringify(records))
  } catch {
    // Without storage the list lasts as long as the page.
  }
}

function read(): RecentRecord[] {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(held) ? held.filter(isRecord) : []
  } catch {
    return []
  }
}

function isRecord(value: unknown): value is RecentRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['kind', 'id', 'label', 'to'].every((name) => typeof Reflect.get(value, name) === 'string')
  )
}
