import { useEffect } from 'react'
import * as z from 'zod/mini'
import { createStore } from './store.ts'

const RecentRecord = z.object({ kind: z.string(), id: z.string(), label: z.string(), to: z.string() })
export type RecentRecord = z.infer<typeof RecentRecord>

const key = 'guildhall.recent'
const keep = 50
const store = createStore<RecentRecord[]>(read())

export const useRecentRecords = store.use

/** A detail page calls this once its record is there; the palette and the menu list the newest first. */
export function useRememberRecord(record: RecentRecord | undefined) {
  const text = record && JSON.stringify(record)
  useEffect(() => {
    if (!text) return
    const seen = RecentRecord.parse(JSON.parse(text))
    write([seen, ...store.get().filter(({ kind, id }) => kind !== seen.kind || id !== seen.id)].slice(0, keep))
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
    return z.array(RecentRecord).parse(JSON.parse(sessionStorage.getItem(key) ?? '[]'))
  } catch {
    return []
  }
}
