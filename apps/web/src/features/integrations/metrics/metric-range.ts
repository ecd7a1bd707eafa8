import type { MetricSearch, Span } from './metric-search.ts'

const dayMs = 86_400_000
export const dayBefore = (day: string, days: number) => new Date(Date.parse(`${day}T00:00Z`) - days * dayMs).toISOString().slice(0, 10)

/** `span` is null where somebody chose two days of their own. */
export type MetricRange = { from: string; to: string; span: Span | null }

/** The last 30 days by the organisation's calendar, unless the address says otherwise. */
export function rangeIn({ days, from, to }: MetricSearch, today: string): MetricRange {
  if (from && to) return { from, to, span: null }
  const span = days ?? '30'
  return { from: dayBefore(today, Number(span) - 1), to: today, span }
}

export const spanDays = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / dayMs + 1
