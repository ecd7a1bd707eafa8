import { smallCell } from './reports.engine.rules.ts'

/** A group with how many people are in it. */
export type Cell = { keys: readonly (string | null)[]; people: number }

/**
 * Which groups are kept back. Those of fewer than five people are; and where taking the others from a sum that is known from another question would tell
 * of one group, or of fewer than five people, the next smallest is kept back as well. Sums are known over everything and, of two dimensions, along each line.
 */
export function keptBack(cells: readonly Cell[], dimensions: number): Set<number> {
  const kept = new Set<number>()
  for (const [at, { people }] of cells.entries()) if (people < smallCell) kept.add(at)
  const lines = linesOf(cells, dimensions)
  for (let before = -1; before !== kept.size;) {
    before = kept.size
    for (const line of lines) {
      const hidden = line.filter((at) => kept.has(at))
      const people = hidden.reduce((sum, at) => sum + (cells[at]?.people ?? 0), 0)
      if (hidden.length === 0 || (hidden.length > 1 && people >= smallCell)) continue
      const next = line
        .filter((at) => !kept.has(at))
        .sort((one, other) => (cells[one]?.people ?? 0) - (cells[other]?.people ?? 0) || one - other)[0]
      if (next !== undefined) kept.add(next)
    }
  }
  return kept
}

function linesOf(cells: readonly Cell[], dimensions: number): number[][] {
  const all = cells.map((_, at) => at)
  if (dimensions < 2) return [all]
  return [0, 1].flatMap((dimension) => {
    const lines = new Map<string | null, number[]>()
    for (const at of all) {
      const key = cells[at]?.keys[dimension] ?? null
      lines.set(key, [...(lines.get(key) ?? []), at])
    }
    return [...lines.values()]
  })
}
