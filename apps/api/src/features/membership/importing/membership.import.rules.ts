/** A term by its days; without a last day it lasts for life. `line` is its row in the file. */
export type Span = { first: string; last: string | null; line?: number }

const day = 86_400_000
const after = (date: string, days: number) => new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)

export const overlaps = (one: Span, other: Span) =>
  (one.last === null || other.first <= one.last) && (other.last === null || one.first <= other.last)

/** Days without a membership before a term, since the last one that ended before it. */
export function gapBefore(term: Span, all: readonly Span[]): { days: number; last: string } | null {
  const ends = all.flatMap(({ first, last }) => (first < term.first && last !== null && last < term.first ? [last] : [])).sort()
  const last = ends.at(-1)
  if (last === undefined || all.some((each) => each.first < term.first && (each.last === null || each.last >= term.first))) return null
  const days = Math.round((Date.parse(term.first) - Date.parse(last)) / day) - 1
  return days > 0 ? { days, last } : null
}

export const isLast = (term: Span, all: readonly Span[]) =>
  term.last === null || all.every(({ last }) => last !== null && last <= (term.last ?? ''))

/** The status that follows from the days of the last term. */
export function statusByDates(last: string | null, graceDays: number, today: string): 'active' | 'grace' | 'lapsed' {
  if (last === null || last >= today) return 'active'
  return after(last, graceDays) >= today ? 'grace' : 'lapsed'
}
