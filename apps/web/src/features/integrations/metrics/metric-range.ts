import { daysFrom } from '@guildhall/contract/moments'
import type { MetricSearch, Span } from './metric-search.ts'

const dayMs = 86_400_000

/** `span` is null where somebody chose two days of their own. */
export type MetricRange = { from: string; to: string; span: Span | null }

/** The last 30 days by the organisation's calendar, unless the address says otherwise. */
export function rangeIn({ days, from, to }: MetricSearch, today: string): MetricRange {
  if (from && to) return { from, to, span: null }
  const span = days ?? '30'
  return { from: daysFrom(today, 1 - Number(span)), to: today, span }
}

export const spanDays = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / dayMs + 1
