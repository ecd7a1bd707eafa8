import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { problem } from '../procedures/problem.ts'

/** Where a page ended: values of the sort columns, the last one an id. */
export type Position = readonly (string | number | null)[]

/**
 * Makes and reads cursors that are signed and bound to the list they came from, so that a forged or foreign one is refused. `list` is everything
 * that decides the order and the rows: organisation, list name, sort, filter, search.
 */
export function cursorsFor(secret: string, list: unknown) {
  const sign = (payload: string) => createHmac('sha256', secret).update(payload).digest().subarray(0, 12)
  const fingerprint = hash('sha256', JSON.stringify(list), 'base64url').slice(0, 8)
  return {
    encode(position: Position): string {
      const payload = JSON.stringify([fingerprint, ...position])
      return Buffer.concat([sign(payload), Buffer.from(payload)]).toString('base64url')
    },
    decode(cursor: string): Position {
      const bytes = Buffer.from(cursor, 'base64url')
      const payload = bytes.subarray(12).toString()
      if (bytes.length < 14 || !timingSafeEqual(bytes.subarray(0, 12), sign(payload))) throw refused()
      const parsed: unknown = JSON.parse(payload)
      if (!Array.isArray(parsed) || parsed[0] !== fingerprint) throw refused()
      return parsed.slice(1).map((value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : null))
    },
  }
}

const refused = () =>
  problem('BAD_REQUEST', { reason: 'cursor', detail: 'This cursor does not belong to this list; start from the first page.' })

/** Counting stops here; above it a total reads "10,000+". */
export const countLimit = 10_000
