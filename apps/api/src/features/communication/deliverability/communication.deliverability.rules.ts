import type { MailFigures } from './communication.deliverability.queries.ts'

const minute = 60
/** A first failure is tried again within a minute; what waits this long although it was due is an alarm within the next minute. */
const longest = minute

/** Mail is due or fails, and none has left since: the mail server is away, or no worker runs. What only waits its turn is not due. */
export function isStuck({ oldestSeconds, stuckSeconds, lastSentAt }: MailFigures['backlog'], now = Date.now()): boolean {
  const waiting = Math.max(oldestSeconds ?? 0, stuckSeconds ?? 0)
  const sinceSent = lastSentAt === null ? Infinity : (now - Date.parse(lastSentAt)) / 1_000
  return waiting >= longest && sinceSent >= longest
}
