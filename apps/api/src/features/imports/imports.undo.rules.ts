import type { RowChange, Values } from '../../platform/row-changes.ts'

/** What of an update can be taken back: columns that still hold what the import set. `changed` are those that someone changed since. */
export function restorable(row: Values, { before, after }: RowChange): { values: Values; changed: string[] } {
  const values: Values = {}
  const changed: string[] = []
  for (const [column, set] of Object.entries(after ?? {})) {
    if (JSON.stringify(row[column] ?? null) === JSON.stringify(set ?? null)) values[column] = before?.[column] ?? null
    else changed.push(column)
  }
  return { values, changed }
}
