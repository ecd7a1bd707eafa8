import type { Database } from '@guildhall/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ApiKey } from '../sign-in/api-keys.ts'

/** What this process has set aside of a key's minute and not used; `isSpent` once nothing more was to be had. */
type Minute = { left: number; isSpent: boolean; until: number; asking: Promise<void> | null }

/** A second's worth is set aside at a time, so that a busy key costs a trip a second, and a slow one is counted to the request. */
const portionsInMinute = 60
const mostKeys = 5_000

export type KeyRates = {
  /** Counts a request; the seconds to wait when it is one too many within the minute, over all servers. */
  take(key: ApiKey): Promise<number>
}

/**
 * Requests of a minute are set aside in the database in portions, so that all servers together never let more pass than a key may make.
 * What a server set aside and did not use is lost to the others until the next minute.
 */
export function createKeyRates(database: Database): KeyRates {
  const minutes = new LRUCache<string, Minute>({ max: mostKeys })

  async function ask(key: ApiKey, minute: Minute): Promise<void> {
    const wanted = Math.ceil(key.perMinute / portionsInMinute)
    const [row] = await database.withoutActor(
      async (db) =>
        (
          await sql<{ granted: number; againIn: number }>`
            select s.granted, s.again_in as "againIn" from app.set_key_uses_aside(${key.orgId}, ${key.id}, ${wanted}) s`.execute(db)
        ).rows,
    )
    const { granted = 0, againIn = 1 } = row ?? {}
    const now = performance.now()
    minute.left = granted
    minute.isSpent = granted === 0
    minute.until = now + againIn * 1_000
  }

  return {
    async take(key) {
      const minute = minutes.get(key.id) ?? { left: 0, isSpent: false, until: Number.NEGATIVE_INFINITY, asking: null }
      minutes.set(key.id, minute)
      for (;;) {
        const now = performance.now()
        if (now < minute.until) {
          if (minute.left > 0) {
            minute.left--
            return 0
          }
          if (minute.isSpent) return Math.max(1, Math.ceil((minute.until - now) / 1_000))
        }
        // Others may take what was set aside before it is this one's turn; then more is asked for.
        minute.asking ??= ask(key, minute).finally(() => (minute.asking = null))
        await minute.asking
      }
    },
  }
}
