import { randomUUID } from 'node:crypto'

/** A time-ordered id (RFC 9562, version 7) for rows that refer to each other before the database has seen them. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
