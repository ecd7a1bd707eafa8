import type { RosterEntry, ScanAnswer } from '@guildhall/contract/features/events'

/** A scan until the server has answered it. It stands in the store of the device before anybody is let in. */
export type QueuedScan = {
  clientId: string
  eventId: string
  code: string
  /** When it was scanned, as an instant. */
  at: string
  name: string
  /** It may have reached the server, although no answer came. */
  sent: boolean
  /** Taken back at the door: never sent, or undone as soon as the server says what became of it. */
  undone: boolean
}
export type Queue = readonly QueuedScan[]

export const clientIdOf = () => `door-${crypto.randomUUID()}`

/** The server takes so many at once. */
export const mostAtOnce = 200

/** Puts a scan at the end; the same one is there once. */
export const enqueue = (queue: Queue, scan: QueuedScan): Queue =>
  queue.some(({ clientId }) => clientId === scan.clientId) ? queue : [...queue, scan]

/** The next scans to send, the oldest first. */
export const portionOf = (queue: Queue): Queue => queue.slice(0, mostAtOnce)

/** From now on the server may know of them. */
export const markSent = (queue: Queue, ids: ReadonlySet<string>): Queue =>
  queue.map((scan) => (ids.has(scan.clientId) && !scan.sent ? { ...scan, sent: true } : scan))

/** Takes a scan back: one that never left the device is gone, any other is undone once it is answered. */
export const takeBack = (queue: Queue, clientId: string): Queue =>
  queue.flatMap((scan) => (scan.clientId !== clientId ? [scan] : scan.sent ? [{ ...scan, undone: true }] : []))

export type Settled = { queue: Queue; answered: { scan: QueuedScan; answer: ScanAnswer }[]; toUndo: string[] }
/** What answers leave in the queue, and which check-ins are to be undone: those that were taken back meanwhile and let nobody in before. */
export function settle(queue: Queue, answers: readonly ScanAnswer[]): Settled {
  const byId = new Map(answers.map((answer) => [answer.clientId, answer]))
  const answered = queue.flatMap((scan) => {
    const answer = byId.get(scan.clientId)
    return answer ? [{ scan, answer }] : []
  })
  return {
    queue: queue.filter(({ clientId }) => !byId.has(clientId)),
    answered,
    toUndo: answered.flatMap(({ scan, answer }) =>
      scan.undone && answer.result === 'checked_in' && answer.checkInId !== null ? [answer.checkInId] : [],
    ),
  }
}

// The roster ----------------------------------------------------------------------------------------------------------------------------

export type Roster = ReadonlyMap<string, RosterEntry>

/** What changed since, put into the roster; whoever lost their seat leaves it. */
export function refreshed(roster: Roster, changed: readonly RosterEntry[]): Roster {
  const next = new Map(roster)
  for (const entry of changed) {
    if (entry.status === 'confirmed' || entry.status === 'checked_in') next.set(entry.id, entry)
    else next.delete(entry.id)
  }
  return next
}

/** The roster as the door sees it: with those who were let in on this device and of whom the server does not know yet. */
export function withQueued(roster: Roster, queue: Queue): Roster {
  if (queue.length === 0) return roster
  const scans = new Map(queue.filter(({ undone }) => !undone).map((scan) => [scan.code, scan]))
  const next = new Map(roster)
  for (const [id, entry] of roster) {
    const scan = scans.get(entry.code)
    if (scan && entry.status === 'confirmed') next.set(id, { ...entry, status: 'checked_in', checkedInAt: scan.at })
  }
  return next
}

export type Verdict = { result: 'checked_in' | 'already' | 'unknown'; entry: RosterEntry | undefined }
/** What the device can say by itself, before the server has. */
export function verdictOf(roster: Roster, code: string): Verdict {
  for (const entry of roster.values())
    if (entry.code === code) return { result: entry.status === 'checked_in' ? 'already' : 'checked_in', entry }
  return { result: 'unknown', entry: undefined }
}

/** What stands in a QR code of ours: 30 bytes. */
export const looksLikeCode = (text: string) => /^[\w-]{40}$/.test(text.trim())

export function searched(roster: Roster, words: string, fold: (text: string) => string, most: number): RosterEntry[] {
  const parts = fold(words).split(/\s+/).filter(Boolean)
  if (parts.length === 0) return []
  return [...roster.values()]
    .filter(({ name }) => parts.every((part) => fold(name).includes(part)))
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .slice(0, most)
}
/** Blind to case and accents, as the search of the server is. */
export const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
