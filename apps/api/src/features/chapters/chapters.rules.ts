import type { ChapterNode } from '@guildhall/contract/features/chapters'

/** A node of the tree before its roll-ups. */
export type OwnCounts = Omit<ChapterNode, 'subtreeMembers' | 'subtreeAlumni' | 'subchapters'>

/** Adds each chapter's counts to everything above it. Parents come before their children, as the tree is read by depth. */
export function rollUp(rows: readonly OwnCounts[]): ChapterNode[] {
  const nodes = rows.map((row) => ({ ...row, subtreeMembers: row.members, subtreeAlumni: row.alumni, subchapters: 0 }))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes.toReversed()) {
    const parent = node.parentId ? byId.get(node.parentId) : undefined
    if (!parent) continue
    parent.subtreeMembers += node.subtreeMembers
    parent.subtreeAlumni += node.subtreeAlumni
    parent.subchapters += 1
  }
  return nodes
}

/** The last day of a term of so many months: the day before it would begin anew, never past the end of a shorter month. */
export function lastDayOfTerm(startsOn: string, months: number): string {
  const [year = 0, month = 1, day = 1] = startsOn.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastOfMonth) - 1)).toISOString().slice(0, 10)
}
