import type { Database } from '@guildhall/db'
import { sql } from 'kysely'
import type { Log } from '../observability/log.ts'
import type { ApiKey } from './api-keys.ts'

type Use = { org: string; key: string; at: string; operation: string; method: string; status: number; count: number }

export type KeyUses = {
  note(key: ApiKey, operation: string, method: string, status: number): void
  /** Writes down what was noted; what cannot be written is kept for the next time. */
  write(): Promise<void>
  close(): Promise<void>
}

const writeMs = 5_000
const mostAtOnce = 1_000
/** What a database that stays away may cost in memory; older minutes are lost first. */
const mostKept = 50_000

/** What keys do, counted by minute, operation and status, and written in one statement every few seconds. */
export function createKeyUses(database: Database, log: Log): KeyUses {
  let noted = new Map<string, Use>()
  const timer = setInterval(() => void write(), writeMs)
  timer.unref()

  function add(use: Use): void {
    const name = [use.key, use.at, use.operation, use.method, use.status].join(' ')
    const same = noted.get(name)
    if (same) same.count += use.count
    else if (noted.size < mostKept) noted.set(name, use)
  }

  async function write(): Promise<void> {
    const uses = [...noted.values()]
    noted = new Map()
    for (let from = 0; from < uses.length; from += mostAtOnce) {
      const some = JSON.stringify(uses.slice(from, from + mostAtOnce))
      try {
        await database.withoutActor((db) => sql`select app.note_key_uses(${some}::jsonb)`.execute(db))
      } catch (error) {
        log.warn({ err: error }, 'what API keys did could not be written down')
        for (const use of uses.slice(from)) add(use)
        return
      }
    }
  }

  return {
    note({ orgId: org, id: key }, operation, method, status) {
      const at = `${new Date().toISOString().slice(0, 16)}:00Z`
      add({ org, key, at, operation, method, status, count: 1 })
    },
    write,
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}
