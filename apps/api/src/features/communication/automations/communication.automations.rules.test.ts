import type { AutomationExit, AutomationStep } from '@guildhall/contract/features/communication.automations'
import { clockIn } from '@guildhall/contract/moments'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide, exitOf, isEntryTime, waitUntil } from './communication.automations.rules.ts'
import type { Move, RunFacts } from './communication.automations.rules.ts'

const quiet: RunFacts = {
  ...{ reached: true, isMember: true, renewed: false, unsubscribed: false, left: false, cancelled: false, tag_removed: false },
}
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'America/Sao_Paulo')
const moments = fc.date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
const times = fc.option(
  fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => `${two(hour)}:${two(minute)}`),
)
const two = (value: number) => String(value).padStart(2, '0')
const waits = fc.record({ days: fc.integer({ min: 0, max: 365 }), hours: fc.integer({ min: 0, max: 23 }), at: times })
const ids = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,12}$/), { minLength: 1, maxLength: 12 })
const anyId = '00000000-0000-4000-8000-000000000001'
const kinds: fc.Arbitrary<(id: string) => AutomationStep> = fc.oneof(
  waits.map((wait) => (id: string) => ({ id, kind: 'wait' as const, ...wait })),
  fc
    .record({ is: fc.constantFrom('member' as const, 'filter' as const), otherwise: fc.constantFrom('exit' as const, 'skip' as const) })
    .map((condition) => (id: string) => ({ id, kind: 'condition' as const, ...condition })),
  fc.constant((id: string) => ({ id, kind: 'mail' as const, templateId: anyId, topicId: anyId })),
  fc.constant((id: string) => ({ id, kind: 'tag' as const, tagId: anyId, does: 'add' as const })),
  fc.constant((id: string) => ({ id, kind: 'task' as const, title: 'Call', note: '', dueDays: 1, assigneeId: null })),
)
const stepLists = ids.chain((names) =>
  fc.array(kinds, { minLength: names.length, maxLength: names.length }).map((made) => made.map((make, nth) => make(names[nth] ?? ''))),
)
const exits = fc.uniqueArray(fc.constantFrom<AutomationExit>('renewed', 'unsubscribed', 'left', 'cancelled', 'tag_removed'))
const facts = fc.record({
  ...{ reached: fc.boolean(), isMember: fc.boolean(), renewed: fc.boolean(), unsubscribed: fc.boolean(), left: fc.boolean() },
  ...{ cancelled: fc.boolean(), tag_removed: fc.boolean() },
})

/** Walks a run with the clock moved on to each next step; what decides about it comes from `next`. */
function walk(
  steps: readonly AutomationStep[],
  rules: readonly AutomationExit[],
  began: Date,
  zone: string,
  next: (nth: number) => { facts: RunFacts; meets: boolean },
) {
  const moves: { move: Move; at: Date }[] = []
  let now = began
  let step: string | null = steps[0]?.id ?? null
  for (let nth = 0; nth <= steps.length + 1; nth++) {
    const { facts: known, meets } = next(nth)
    const move = decide({ steps, exits: rules }, { runId: 'run', step }, known, meets, now, zone)
    moves.push({ move, at: now })
    if (move.end) return moves
    step = move.next
    if (move.at) now = new Date(move.at)
  }
  throw new Error('the run never ends')
}

test('every run ends, forwards only, and does no step twice', () => {
  fc.assert(
    fc.property(
      stepLists,
      exits,
      moments,
      zones,
      fc.array(fc.tuple(facts, fc.boolean()), { minLength: 15, maxLength: 15 }),
      (steps, rules, began, zone, known) => {
        const moves = walk(steps, rules, began, zone, (nth) => ({ facts: known[nth]?.[0] ?? quiet, meets: known[nth]?.[1] ?? true }))
        const done = moves.flatMap(({ move }) => (move.does ? [move.from] : []))
        expect(new Set(done).size).toBe(done.length)
        const places = done.map((id) => steps.findIndex((step) => step.id === id))
        expect(places).toEqual([...places].sort((a, b) => a - b))
        for (const [nth, { at }] of moves.entries()) expect(at.getTime()).toBeGreaterThanOrEqual(moves[nth - 1]?.at.getTime() ?? 0)
      },
    ),
  )
})

test('nothing is done for somebody after a rule has ended their run, nor for whoever is not there any more', () => {
  fc.assert(
    fc.property(stepLists, exits, moments, zones, facts, (steps, rules, began, zone, known) => {
      const [first] = walk(steps, rules, began, zone, () => ({ facts: known, meets: true }))
      const rule = exitOf(rules, known)
      if (rule === null) return
      expect(first?.move).toMatchObject({ end: 'exited', rule })
      expect(first?.move.does).toBeUndefined()
    }),
  )
})

test('a run that nothing stands in the way of takes every step', () => {
  fc.assert(
    fc.property(stepLists, exits, moments, zones, (steps, rules, began, zone) => {
      const moves = walk(steps, rules, began, zone, () => ({ facts: quiet, meets: true }))
      expect(moves.flatMap(({ move }) => (move.does ? [move.from] : []))).toEqual(steps.map(({ id }) => id))
      expect(moves.at(-1)?.move).toMatchObject({ end: 'done' })
    }),
  )
})

test('a wait lasts at least as long as it says, at most a day longer for a time of day, and ends when clocks show it', () => {
  fc.assert(
    fc.property(waits, moments, zones, (wait, began, zone) => {
      const until = waitUntil(wait, began, zone)
      const hours = (until.getTime() - began.getTime()) / 3_600_000
      const least = wait.days * 24 + wait.hours
      // Clocks that change make a day an hour shorter or longer; Apia once left out a whole one, before these years.
      expect(hours).toBeGreaterThanOrEqual(least - 1)
      expect(hours).toBeLessThanOrEqual(least + (wait.at === null ? 1 : 26))
      if (wait.at !== null && Number(wait.at.slice(0, 2)) > 4) expect(clockIn(zone, until).time).toBe(wait.at)
    }),
  )
})

test('a wait of a day over the change of clocks ends at the same time of day', () => {
  const began = new Date('2026-03-28T09:00:00Z')
  expect(waitUntil({ days: 1, hours: 0, at: null }, began, 'Europe/Berlin').toISOString()).toBe('2026-03-29T08:00:00.000Z')
})

test('a condition that is not met ends the run or leaves out the next step', () => {
  const tag = (id: string): AutomationStep => ({ id, kind: 'tag', tagId: anyId, does: 'add' })
  const steps = (otherwise: 'exit' | 'skip'): AutomationStep[] => [
    { id: 'a', kind: 'condition', is: 'member', otherwise },
    tag('b'),
    tag('c'),
  ]
  const guest = () => ({ facts: { ...quiet, isMember: false }, meets: false })
  const took = (otherwise: 'exit' | 'skip') =>
    walk(steps(otherwise), [], new Date(), 'UTC', guest).map(({ move }) => [move.from, move.does, move.end])
  expect(took('exit')).toEqual([['a', 'skipped', 'exited']])
  expect(took('skip')).toEqual([
    ['a', 'skipped', undefined],
    ['c', 'tag', 'done'],
  ])
})

test('what happens by the day lets people enter in the morning of the organisation', () => {
  const early = new Date('2026-06-01T05:30:00Z')
  expect(isEntryTime('birthday', early, 'Europe/London')).toBe(false)
  expect(isEntryTime('birthday', early, 'Europe/Helsinki')).toBe(true)
  expect(isEntryTime('joined', early, 'Europe/London')).toBe(true)
})
