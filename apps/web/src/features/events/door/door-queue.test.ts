import type { RosterEntry, ScanAnswer } from '@guildhall/contract/features/events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  enqueue,
  folded,
  looksLikeCode,
  markSent,
  portionOf,
  refreshed,
  searched,
  settle,
  takeBack,
  verdictOf,
  withQueued,
} from './door-queue.ts'
import type { Queue, QueuedScan } from './door-queue.ts'

const scanOf = (clientId: string, code = clientId): QueuedScan => ({
  clientId,
  eventId: 'event',
  code,
  at: '2026-11-23T19:00:00Z',
  name: '',
  sent: false,
  undone: false,
})

/** A door that lets each ticket in once, and answers a scan that it knows as it did before. */
function server() {
  const known = new Map<string, ScanAnswer>()
  const inside = new Map<string, string>()
  let effects = 0
  return {
    inside,
    effects: () => effects,
    take(queue: Queue): ScanAnswer[] {
      return queue.map(({ clientId, code }) => {
        const before = known.get(clientId)
        if (before) return before
        const isIn = inside.has(code)
        if (!isIn) {
          inside.set(code, clientId)
          effects += 1
        }
        const answer: ScanAnswer = {
          clientId,
          result: isIn ? 'already' : 'checked_in',
          checkInId: inside.get(code) ?? null,
          registration: null,
          first: null,
        }
        known.set(clientId, answer)
        return answer
      })
    },
    undo(checkInId: string) {
      for (const [code, id] of inside) if (id === checkInId) inside.delete(code)
    },
  }
}

type Step =
  | { do: 'scan'; code: number }
  | { do: 'again' }
  | { do: 'reload' }
  | { do: 'send' }
  | { do: 'undo'; nth: number }
  | { do: 'lose'; late: boolean }
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant('scan' as const), code: fc.nat(5) }),
    fc.constantFrom<Step>({ do: 'again' }, { do: 'reload' }, { do: 'send' }),
    fc.record({ do: fc.constant('undo' as const), nth: fc.nat(8) }),
    // The request is lost on its way, or its answer is.
    fc.record({ do: fc.constant('lose' as const), late: fc.boolean() }),
  ),
  { maxLength: 60 },
)

test('whatever the network and the device do, no scan is lost and none counts twice', () => {
  fc.assert(
    fc.property(steps, (walk) => {
      const door = server()
      let queue: Queue = []
      const made: QueuedScan[] = []
      const answered: string[] = []
      const gone = new Set<string>()
      const send = (answers: boolean, arrives = true) => {
        const portion = portionOf(queue)
        queue = markSent(queue, new Set(portion.map(({ clientId }) => clientId)))
        if (!arrives) return
        const said = door.take(portion)
        if (!answers) return
        const settled = settle(queue, said)
        queue = settled.queue
        answered.push(...settled.answered.map(({ scan }) => scan.clientId))
        settled.toUndo.forEach(door.undo)
      }
      for (const step of walk) {
        if (step.do === 'scan') {
          const scan = scanOf(`scan-${made.length}`, `ticket-${step.code}`)
          made.push(scan)
          queue = enqueue(queue, scan)
        } else if (step.do === 'again') {
          const last = made.at(-1)
          if (last && queue.some(({ clientId }) => clientId === last.clientId)) queue = enqueue(queue, last)
        } else if (step.do === 'reload') queue = JSON.parse(JSON.stringify(queue)) as Queue
        else if (step.do === 'send') send(true)
        else if (step.do === 'lose') send(false, step.late)
        else {
          const scan = queue[step.nth]
          if (scan) {
            queue = takeBack(queue, scan.clientId)
            if (!queue.some(({ clientId }) => clientId === scan.clientId)) gone.add(scan.clientId)
          }
        }
        expect(new Set(queue.map(({ clientId }) => clientId)).size).toBe(queue.length)
      }
      const undone = new Set(queue.filter((scan) => scan.undone).map(({ clientId }) => clientId))
      while (queue.length > 0) send(true)
      // Each scan that was not taken back before it left has one answer.
      expect(answered.toSorted()).toEqual(
        made
          .map(({ clientId }) => clientId)
          .filter((id) => !gone.has(id))
          .toSorted(),
      )
      // Nobody is inside by a scan that was taken back.
      for (const clientId of door.inside.values()) expect(undone.has(clientId)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

const entry = (nth: number, more: Partial<RosterEntry> = {}): RosterEntry => ({
  id: `id-${nth}`,
  name: `Person ${nth}`,
  ticketType: null,
  status: 'confirmed',
  code: `code-${nth}`,
  checkedInAt: null,
  ...more,
})
const rosterOf = (...entries: RosterEntry[]) => new Map(entries.map((one) => [one.id, one]))

test('a person is let in once on this device, also before the server knows of it', () => {
  const roster = rosterOf(entry(1), entry(2, { status: 'checked_in', checkedInAt: '2026-11-23T18:00:00Z' }))
  expect(verdictOf(roster, 'code-1')).toMatchObject({ result: 'checked_in', entry: { name: 'Person 1' } })
  expect(verdictOf(roster, 'code-2').result).toBe('already')
  expect(verdictOf(roster, 'code-3')).toEqual({ result: 'unknown', entry: undefined })
  const queue = enqueue([], scanOf('a', 'code-1'))
  expect(verdictOf(withQueued(roster, queue), 'code-1')).toMatchObject({
    result: 'already',
    entry: { checkedInAt: '2026-11-23T19:00:00Z' },
  })
  expect(verdictOf(withQueued(roster, takeBack(queue, 'a')), 'code-1').result).toBe('checked_in')
})

test('whoever lost their seat leaves the roster, and a code that was transferred is no code any more', () => {
  const roster = refreshed(rosterOf(entry(1), entry(2)), [entry(1, { status: 'cancelled' }), entry(2, { code: 'new', name: 'Kim' })])
  expect([...roster.values()].map(({ name }) => name)).toEqual(['Kim'])
  expect(verdictOf(roster, 'code-2').result).toBe('unknown')
})

test('names are found blind to case and accents, in any order', () => {
  const roster = rosterOf(entry(1, { name: 'Zoë Núñez' }), entry(2, { name: 'Ana Lima' }))
  expect(searched(roster, 'nunez zo', folded, 10).map(({ name }) => name)).toEqual(['Zoë Núñez'])
  expect(searched(roster, '', folded, 10)).toEqual([])
  expect(looksLikeCode('AZIAAAAAcACAAAAAAAAAAwABq83vEjRWeJCrze8S')).toBe(true)
  expect(looksLikeCode('Ana Lima')).toBe(false)
})
