import { daysFrom } from '@guildhall/contract/moments'
import { array, assert, boolean, constantFrom, integer, oneof, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { membershipAfter, moves, spanOf, statusByDates, termEnds, termStarts } from './membership.rules.ts'
import type { Held, MembershipEvent, Term, TermRules } from './membership.rules.ts'

const yearly: TermRules = { period: 'rolling', months: 12, startsMonth: null, startsDay: null, rolloverDays: 0, graceDays: 30 }
const calendar: TermRules = { ...yearly, period: 'fixed', startsMonth: 1, startsDay: 1 }

test('a rolling term ends the day before its date comes round, also from the end of a month', () => {
  expect(termEnds(yearly, '2026-03-15')).toBe('2027-03-14')
  expect(termEnds({ ...yearly, months: 1 }, '2026-01-31')).toBe('2026-02-27')
  expect(termEnds(yearly, '2024-02-29')).toBe('2025-02-27')
})

test('a fixed term ends with the year, and who joins shortly before the next has that one too', () => {
  expect(termEnds(calendar, '2026-05-01')).toBe('2026-12-31')
  expect(termEnds(calendar, '2026-01-01')).toBe('2026-12-31')
  expect(termEnds({ ...calendar, rolloverDays: 61 }, '2026-11-01')).toBe('2027-12-31')
  expect(termEnds({ ...calendar, rolloverDays: 60 }, '2026-11-01')).toBe('2026-12-31')
  expect(termEnds({ ...yearly, period: 'lifetime', months: null }, '2026-05-01')).toBeNull()
})

test('renewing early and within grace goes on from the end; afterwards a term starts on the day of payment', () => {
  const current = { endsOn: '2026-06-30', graceUntil: '2026-07-30' }
  expect(termStarts('2026-06-01', current)).toBe('2026-07-01')
  expect(termStarts('2026-07-30', current)).toBe('2026-07-01')
  expect(termStarts('2026-07-31', current)).toBe('2026-07-31')
  expect(termStarts('2026-06-01', null)).toBe('2026-06-01')
})

test('a cancelled membership whose money went back stays cancelled', () => {
  const term: Term = { ...yearly, id: 'a', status: 'settled', startsOn: '2026-01-01', endsOn: '2026-12-31' }
  const held: Held = { status: 'cancelled', terms: [term] }
  expect(membershipAfter(held, { happens: 'refunded', termId: 'a' }, '2026-05-05')?.status).toBe('cancelled')
})

// Walks -----------------------------------------------------------------------------------------------------------------------------

/** What an invoice and its payments do beside the membership: each is heard of late, twice and out of order. */
type Invoice = { termId: string; paidOn: string | null }
type Walk = { held: Held; invoices: Invoice[]; today: string }

const rules = record({
  period: constantFrom('rolling' as const, 'rolling' as const, 'rolling' as const, 'fixed' as const, 'fixed' as const, 'lifetime' as const),
  months: integer({ min: 1, max: 4 }),
  day: integer({ min: 1, max: 28 }),
  month: integer({ min: 1, max: 12 }),
  rolloverDays: integer({ min: 0, max: 120 }),
  graceDays: integer({ min: 0, max: 90 }),
}).map(({ period, months, day, month, rolloverDays, graceDays }): TermRules => ({
  period,
  months: period === 'rolling' ? months : period === 'fixed' ? 12 : null,
  startsMonth: period === 'fixed' ? month : null,
  startsDay: period === 'fixed' ? day : null,
  rolloverDays,
  graceDays,
}))
const steps = oneof(
  {
    weight: 4,
    arbitrary: record({ do: constantFrom('approved', 'approved', 'approved', 'suspended', 'resumed', 'resumed', 'cancelled') }),
  },
  { weight: 1, arbitrary: record({ do: constantFrom('declined', 'withdrawn', 'payment_fails', 'tell_refunded') }) },
  { weight: 6, arbitrary: record({ do: constantFrom('open'), rules }) },
  {
    weight: 12,
    arbitrary: record({ do: constantFrom('pay', 'pay', 'pay_untold', 'tell_paid', 'refund'), which: integer({ min: 0, max: 9 }) }),
  },
  { weight: 8, arbitrary: record({ do: constantFrom('days'), days: integer({ min: 0, max: 80 }) }) },
)

test('over walks through memberships, invoices and payments no status is reached that may not be, and no term moves without its money', () => {
  const seen = new Map<string, number>()
  const walks = property(boolean(), array(steps, { minLength: 20, maxLength: 60, size: 'max' }), (needsApproval, walk) => {
    const begun = membershipAfter({ status: 'applied', terms: [] }, { happens: 'submitted', needsApproval }, '2026-01-15')
    const at: Walk = { held: begun ?? expect.fail('no beginning'), invoices: [], today: '2026-01-15' }
    for (const step of walk) {
      const before = at.held
      const events = eventsOf(at, step)
      for (const event of events) {
        const was = at.held
        const after = membershipAfter(was, event, at.today)
        if (!after) continue
        if (after.status !== was.status) {
          expect(moves[was.status], `${was.status} → ${after.status} by ${event.happens}`).toContain(after.status)
          const move = `${was.status} → ${after.status}`
          seen.set(move, (seen.get(move) ?? 0) + 1)
        }
        if (event.happens === 'term_opened') at.invoices.push({ termId: event.term.id, paidOn: null })
        holds(at, was, after, event)
        at.held = after
      }
      // A payment that fails is no event of the membership at all.
      if (step.do === 'payment_fails') expect(at.held).toEqual(before)
    }
  })
  const never = () =>
    Object.entries(moves)
      .flatMap(([from, tos]) => tos.map((to) => `${from} → ${to}`))
      .filter((move) => !move.startsWith('applied') && !seen.has(move))
  // The walks come by every move that there is; a few of them are rare.
  for (let round = 0; round < 10 && (round === 0 || never().length > 0); round++) assert(walks, { numRuns: 1_000 })
  expect(never()).toEqual([])
})

function eventsOf(at: Walk, step: { do: string; days?: number; rules?: TermRules; which?: number }): MembershipEvent[] {
  switch (step.do) {
    case 'days':
      at.today = daysFrom(at.today, step.days ?? 0)
      return [{ happens: 'day' }]
    case 'open': {
      const id = `term ${at.held.terms.length}`
      return [{ happens: 'term_opened', term: { ...(step.rules ?? yearly), id, status: 'open', startsOn: null, endsOn: null } }]
    }
    case 'pay':
    case 'pay_untold':
    case 'tell_paid': {
      const invoice = invoiceAt(at, step.which)
      if (!invoice) return []
      if (step.do !== 'tell_paid') invoice.paidOn ??= at.today
      const { termId, paidOn } = invoice
      return paidOn !== null && step.do !== 'pay_untold'
        ? [
            { happens: 'paid', termId, paidOn },
            { happens: 'paid', termId, paidOn },
          ]
        : []
    }
    case 'refund':
    case 'tell_refunded': {
      const invoice = invoiceAt(at, step.which)
      if (!invoice) return []
      if (step.do === 'refund') invoice.paidOn = null
      return invoice.paidOn !== null ? [] : [{ happens: 'refunded', termId: invoice.termId }]
    }
    case 'payment_fails':
      return []
    case 'approved':
    case 'declined':
    case 'withdrawn':
    case 'cancelled':
    case 'suspended':
    case 'resumed':
      return [{ happens: step.do }]
    default:
      throw new Error(step.do)
  }
}

/** The last one most of the time. */
const invoiceAt = (at: Walk, which = 0) => at.invoices.at(-1 - (which < 6 ? 0 : which % Math.max(at.invoices.length, 1)))

function holds(at: Walk, before: Held, after: Held, event: MembershipEvent) {
  const span = spanOf(after.terms)
  const dates = (held: Held) => held.terms.map(({ id, startsOn, endsOn }) => ({ id, startsOn, endsOn }))
  if (event.happens !== 'paid' && event.happens !== 'refunded' && event.happens !== 'term_opened')
    expect(dates(after)).toEqual(dates(before))
  for (const term of after.terms) {
    const invoice = at.invoices.find(({ termId }) => termId === term.id)
    if (term.status === 'settled') expect(invoice?.paidOn !== null, `${term.id} is settled without money`).toBe(true)
    expect(term.startsOn !== null).toBe(term.status === 'settled')
  }
  expect(after.terms.filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1)
  if (['active', 'grace', 'lapsed'].includes(after.status)) expect(span).not.toBeNull()
  if (event.happens === 'day' && span && (after.status === 'active' || after.status === 'grace'))
    expect(after.status).toBe(statusByDates(span, at.today))
  // A running membership never ends sooner because somebody pays.
  const previous = spanOf(before.terms)
  if (event.happens === 'paid' && previous?.endsOn && span?.endsOn && before.status !== 'cancelled')
    expect(span.endsOn >= previous.endsOn).toBe(true)
}
