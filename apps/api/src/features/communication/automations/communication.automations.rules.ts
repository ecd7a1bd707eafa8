import type { AutomationExit, AutomationStep } from '@guildhall/contract/features/communication.automations'
import { clockIn, daysFrom, momentAt } from '@guildhall/contract/moments'

/** What decides about a run, as the database knows it at that moment. */
export type RunFacts = Record<AutomationExit, boolean> & {
  /** The person is there and belongs where the automation does. */
  reached: boolean
  isMember: boolean
}
export type RunAt = { runId: string; step: string | null }
/** What is done with a run: the effect of its step, and where it stands afterwards. */
export type Move = {
  run: string
  from: string | null
  does?: 'waited' | 'held' | 'skipped' | 'mail' | 'tag' | 'task'
  detail?: { until?: string; reason?: string }
  /** Of the template that a mail was made from when it was looked at. */
  version?: number
  next: string | null
  waits?: string
  at?: string
  end?: 'done' | 'exited'
  rule?: string
}

/** Until when a wait lasts that begins now: so long, and then until clocks in the zone show the time. */
export function waitUntil({ days, hours, at }: { days: number; hours: number; at: string | null }, now: Date, zone: string): Date {
  // Days are days of the calendar, so that a wait over the change of clocks ends at the same time of day.
  const began = clockIn(zone, now)
  const sameTime = days === 0 ? now : withSeconds(momentAt(zone, daysFrom(began.date, days), began.time).at, now)
  const least = new Date(sameTime.getTime() + hours * 3_600_000)
  if (at === null) return least
  const day = clockIn(zone, least).date
  const today = new Date(momentAt(zone, day, at).at)
  return today >= least ? today : new Date(momentAt(zone, daysFrom(day, 1), at).at)
}
const withSeconds = (moment: string, now: Date): Date => new Date(new Date(moment).getTime() + (now.getTime() % 60_000))

/** The rule that ends a run now, before its next step; null where none does. */
export function exitOf(exits: readonly AutomationExit[], facts: RunFacts): string | null {
  if (!facts.reached) return 'gone'
  return exits.find((exit) => facts[exit]) ?? null
}

type Definition = { steps: readonly AutomationStep[]; exits: readonly AutomationExit[] }

/**
 * One step of one run. `meets` says whether the person meets the filter of a condition, as the person who activated the automation sees them; `versions` has
 * that of the template of each mail step.
 */
export function decide(
  { steps, exits }: Definition,
  { runId, step: id }: RunAt,
  facts: RunFacts,
  meets: boolean,
  now: Date,
  zone: string,
  versions: ReadonlyMap<string, number> = new Map(),
): Move {
  const exit = exitOf(exits, facts)
  if (exit !== null) return { run: runId, from: id, next: id, end: 'exited', rule: exit }
  const place = steps.findIndex((step) => step.id === id)
  const step = steps[place]
  if (!step) return { run: runId, from: id, next: null, end: 'done' }
  const onwards = (further = 1): Pick<Move, 'next' | 'end'> => {
    const next = steps[place + further]
    return next ? { next: next.id } : { next: null, end: 'done' }
  }
  const move = { run: runId, from: step.id }
  switch (step.kind) {
    case 'wait': {
      const until = waitUntil(step, now, zone).toISOString()
      // After the last step nobody waits for anything, but their run is not over before.
      return { ...move, does: 'waited', detail: { until }, next: steps[place + 1]?.id ?? null, waits: step.id, at: until }
    }
    case 'condition': {
      if (step.is === 'member' ? facts.isMember : meets) return { ...move, does: 'held', ...onwards() }
      const failed = { ...move, does: 'skipped' as const, detail: { reason: 'condition' } }
      return step.otherwise === 'exit' ? { ...failed, next: null, end: 'exited', rule: 'condition' } : { ...failed, ...onwards(2) }
    }
    case 'mail': {
      const version = versions.get(step.id)
      return { ...move, does: 'mail', ...(version !== undefined && { version }), ...onwards() }
    }
    case 'tag':
    case 'task':
      return { ...move, does: step.kind, ...onwards() }
  }
}

/** What happens by the day lets people enter from this time on, by the clock of the organisation: nobody is congratulated at midnight. */
export const dayBegins = '08:00'
const byTheDay = ['renewal_due', 'lapsed', 'birthday']
export const isEntryTime = (trigger: string, now: Date, zone: string): boolean =>
  !byTheDay.includes(trigger) || clockIn(zone, now).time >= dayBegins
