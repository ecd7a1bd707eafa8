import type { StandardReport } from '@guildhall/contract/features/reports'
import { activityOf } from './reports.replay.activity.testing.ts'
import { givingOf } from './reports.replay.giving.testing.ts'
import { membershipFacts } from './reports.replay.membership.testing.ts'
import type { Fact, Replayed } from './reports.replay.rows.testing.ts'

const told: Record<StandardReport, (replayed: Replayed) => Fact[]> = { ...membershipFacts, ...givingOf, ...activityOf }
export const factsOf = (report: StandardReport, replayed: Replayed): Fact[] => told[report](replayed)

type Sum = Record<string, number>
/** The facts added up, for each key and over all of them. */
export function addedUp(facts: readonly Fact[]): { rows: Map<string, Sum>; total: Sum } {
  const rows = new Map<string, Sum>()
  const total: Sum = {}
  const seen = new Set<string>()
  const add = (sum: Sum, at: string, { measure, n, once }: Fact) => {
    const told = `${at} ${measure} ${once}`
    if (once !== undefined && seen.has(told)) return
    seen.add(told)
    sum[measure] = (sum[measure] ?? 0) + n
  }
  for (const fact of facts) {
    const at = JSON.stringify(fact.keys)
    const row = rows.get(at) ?? {}
    rows.set(at, row)
    add(row, at, fact)
    add(total, 'all', fact)
  }
  return { rows, total }
}
