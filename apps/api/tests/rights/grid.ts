import { cast } from '@guildhall/db/cast-testing'
import type { Principal } from '@guildhall/db/cast-testing'

/** How what is asked for stands to the caller. Nobody but the stranger ever reaches `foreign`, and what is `missing` is there for nobody. */
export const columns = ['own', 'west', 'below', 'east', 'org'] as const
export type Column = (typeof columns)[number]
export type Relation = Column | 'foreign' | 'missing'

/** A right: who has it where. Named, so that the list of rights reads as sentences. */
export type Right = { name: string; has(principal: Principal, column: Column): boolean; columns: readonly Column[] }

/**
 * Reads a right from the grid one would draw: `x` has it, `-` does not, `.` where the question makes no sense. Whoever has no line has it nowhere.
 * A stranger has in the own organisation what an owner has.
 */
export function right(name: string, grid: string): Right {
  const [head = '', ...lines] = grid
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const named = head.split(/\s+/).filter((word): word is Column => (columns as readonly string[]).includes(word))
  const cells = new Map<string, Set<Column>>()
  for (const line of lines) {
    const [principal = '', ...marks] = line.split(/\s+/)
    if (!(principal in cast)) throw new Error(`${name}: there is no principal ${principal}`)
    if (marks.length !== named.length) throw new Error(`${name}: ${principal} needs ${named.length} marks`)
    cells.set(principal, new Set(named.filter((_, index) => marks[index] === 'x')))
  }
  return {
    name,
    columns: named,
    has: (principal, column) => cells.get(principal === 'stranger' ? 'owner' : principal)?.has(column) ?? false,
  }
}
