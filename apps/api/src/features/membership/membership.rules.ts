import type { MembershipPeriod, MembershipStatus } from '@guildhall/contract/features/membership'
import { daysBetween, daysFrom, monthsFrom } from '@guildhall/contract/moments'

/** What a term was offered with; the rules of its type on that day. */
export type TermRules = {
  period: MembershipPeriod
  months: number | null
  startsMonth: number | null
  startsDay: number | null
  rolloverDays: number
  graceDays: number
}
export type Term = TermRules & { id: string; status: 'open' | 'settled' | 'void'; startsOn: string | null; endsOn: string | null }
export type Held = { status: MembershipStatus; terms: readonly Term[] }

/** What happens to a membership: what people do, what money does, and the days that pass. */
export type MembershipEvent =
  | { happens: 'submitted'; needsApproval: boolean }
  | { happens: 'approved' | 'declined' | 'withdrawn' | 'cancelled' | 'suspended' | 'resumed' }
  | { happens: 'term_opened'; term: Term }
  | { happens: 'paid'; termId: string; paidOn: string }
  | { happens: 'refunded'; termId: string }
  | { happens: 'day' }

/** Statuses that the person has a settled term behind. */
const running: readonly MembershipStatus[] = ['active', 'grace', 'suspended']

/** Statuses that somebody chose as the end. */
const ended: readonly MembershipStatus[] = ['cancelled', 'declined', 'withdrawn']

/** Which status may follow which; the database holds every change to the same table. */
export const moves: Readonly<Record<MembershipStatus, readonly MembershipStatus[]>> = {
  applied: ['awaiting_approval', 'awaiting_payment', 'withdrawn'],
  awaiting_approval: ['awaiting_payment', 'declined', 'withdrawn'],
  awaiting_payment: ['active', 'grace', 'lapsed', 'declined', 'withdrawn'],
  active: ['grace', 'lapsed', 'cancelled', 'suspended', 'awaiting_payment'],
  grace: ['active', 'lapsed', 'cancelled', 'suspended', 'awaiting_payment'],
  suspended: ['active', 'grace', 'lapsed', 'cancelled'],
  lapsed: ['active', 'grace', 'awaiting_payment'],
  cancelled: ['active', 'grace', 'lapsed'],
  declined: [],
  withdrawn: [],
}

type Period = Pick<TermRules, 'period' | 'months' | 'startsMonth' | 'startsDay'>
/** What a period lacks, or has too much of. */
export function faultOfPeriod({ period, months, startsMonth, startsDay }: Period) {
  if (period === 'rolling' && months === null)
    return { path: 'months', reason: 'membership_months_needed', message: 'Enter how many months a term has.' } as const
  if (period === 'fixed' && months !== 12)
    return { path: 'months', reason: 'membership_fixed_year', message: 'A fixed period has 12 months.' } as const
  if (period === 'fixed' && (startsMonth === null || startsDay === null))
    return {
      path: 'startsDay',
      reason: 'membership_start_needed',
      message: 'Enter the day of the year on which the period starts.',
    } as const
  if (period === 'lifetime' && months !== null)
    return { path: 'months', reason: 'membership_lifetime_months', message: 'A lifetime membership has no months.' } as const
  if (period !== 'fixed' && (startsMonth !== null || startsDay !== null))
    return { path: 'startsDay', reason: 'membership_no_start', message: 'Only a fixed period starts on one day of the year.' } as const
  return null
}

const settledTerms = (terms: readonly Term[]) => terms.filter(({ status }) => status === 'settled')

/** First and last day that settled terms give; without an end where one is for life. */
export function spanOf(terms: readonly Term[]): { startsOn: string; endsOn: string | null; graceUntil: string | null } | null {
  const settled = settledTerms(terms)
  const starts = settled.flatMap(({ startsOn }) => startsOn ?? []).sort()
  const [startsOn] = starts
  if (startsOn === undefined) return null
  if (settled.some(({ period }) => period === 'lifetime')) return { startsOn, endsOn: null, graceUntil: null }
  const ends = settled.flatMap(({ endsOn }) => endsOn ?? []).sort()
  const graces = settled.flatMap(({ endsOn, graceDays }) => (endsOn ? daysFrom(endsOn, graceDays) : [])).sort()
  return { startsOn, endsOn: ends.at(-1) ?? null, graceUntil: graces.at(-1) ?? null }
}

export function statusByDates(span: { endsOn: string | null; graceUntil: string | null }, today: string): 'active' | 'grace' | 'lapsed' {
  if (span.endsOn === null || span.endsOn >= today) return 'active'
  return span.graceUntil !== null && span.graceUntil >= today ? 'grace' : 'lapsed'
}

/** Renewing early, and within grace, goes on from the running end; later a term starts on the day of payment. */
export const termStarts = (paidOn: string, current: { endsOn: string | null; graceUntil: string | null } | null): string =>
  current?.endsOn && paidOn <= (current.graceUntil ?? current.endsOn) ? daysFrom(current.endsOn, 1) : paidOn

export function termEnds(rules: Omit<TermRules, 'graceDays'>, startsOn: string): string | null {
  if (rules.period === 'lifetime') return null
  if (rules.period === 'rolling') return daysFrom(monthsFrom(startsOn, rules.months ?? 0), -1)
  const twoDigits = (part: number | null) => String(part ?? 1).padStart(2, '0')
  const anchor = `${startsOn.slice(0, 4)}-${twoDigits(rules.startsMonth)}-${twoDigits(rules.startsDay)}`
  const next = anchor > startsOn ? anchor : monthsFrom(anchor, 12)
  return daysFrom(daysBetween(startsOn, next) <= rules.rolloverDays ? monthsFrom(next, 12) : next, -1)
}

/**
 * The membership after an event, or null where the event may not happen to it. Dates come from settled terms and from nothing else: until the money
 * is there nothing moves, and a renewal that fails leaves the running term alone.
 */
export function membershipAfter<State extends Held>(held: State, event: MembershipEvent, today: string): State | null {
  const { status, terms } = held
  const become = (next: MembershipStatus) => (moves[status].includes(next) ? { ...held, status: next } : null)
  switch (event.happens) {
    case 'submitted':
      return status === 'applied' ? become(event.needsApproval ? 'awaiting_approval' : 'awaiting_payment') : null
    case 'approved':
      return status === 'awaiting_approval' ? become('awaiting_payment') : null
    case 'declined':
    case 'withdrawn':
      return withoutOpen(become(event.happens))
    case 'cancelled':
      return running.includes(status) ? withoutOpen(become('cancelled')) : null
    case 'suspended':
      return become('suspended')
    case 'resumed': {
      const span = spanOf(terms)
      return status === 'suspended' && span ? become(statusByDates(span, today)) : null
    }
    case 'term_opened':
      return opened(held, event.term)
    case 'paid':
      return paid(held, event, today)
    case 'refunded':
      return refunded(held, event.termId, today)
    case 'day': {
      const span = spanOf(terms)
      return (status === 'active' || status === 'grace') && span ? { ...held, status: statusByDates(span, today) } : held
    }
  }
}

/** Of what was ended, nothing can be paid any more. */
const withoutOpen = <State extends Held>(held: State | null): State | null =>
  held && { ...held, terms: held.terms.map((term) => (term.status === 'open' ? { ...term, status: 'void' as const } : term)) }

function opened<State extends Held>(held: State, term: Term): State | null {
  const isClosed = ['applied', 'awaiting_approval', 'declined', 'withdrawn', 'suspended'].includes(held.status)
  if (isClosed || held.terms.some(({ status }) => status === 'open')) return null
  if (spanOf(held.terms)?.endsOn === null) return null
  return { ...held, terms: [...held.terms, term] }
}

/** Paid once only, by the day of payment even where that is heard of late: told again, or for what is not open any more, nothing moves. */
function paid<State extends Held>(held: State, { termId, paidOn }: { termId: string; paidOn: string }, today: string): State {
  const term = held.terms.find(({ id }) => id === termId)
  if (term?.status !== 'open' || ['applied', 'awaiting_approval', 'declined', 'withdrawn'].includes(held.status)) return held
  const startsOn = termStarts(paidOn, held.status === 'cancelled' ? null : spanOf(held.terms))
  const settled: Term = { ...term, status: 'settled', startsOn, endsOn: termEnds(term, startsOn) }
  return inLine({ ...held, terms: held.terms.map((one) => (one.id === termId ? settled : one)) }, today, true)
}

function refunded<State extends Held>(held: State, termId: string, today: string): State {
  if (!held.terms.some(({ id, status }) => id === termId && status === 'settled')) return held
  const isOver = ended.includes(held.status) || held.terms.some(({ status }) => status === 'open')
  const terms = held.terms.map((one) =>
    one.id === termId ? { ...one, status: isOver ? ('void' as const) : ('open' as const), startsOn: null, endsOn: null } : one,
  )
  return inLine({ ...held, terms }, today, false)
}

/** The status that settled terms give; a suspended membership stays so, and a cancelled one comes back with a new term only. */
function inLine<State extends Held>(held: State, today: string, revive: boolean): State {
  if (held.status === 'suspended' || (held.status === 'cancelled' && !revive)) return held
  const span = spanOf(held.terms)
  return { ...held, status: span ? statusByDates(span, today) : 'awaiting_payment' }
}
