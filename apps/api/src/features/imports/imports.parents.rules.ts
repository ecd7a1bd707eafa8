import { headerOf, textOf } from './imports.drafts.rules.ts'
import type { Draft, Mapped } from './imports.drafts.rules.ts'
import { error } from './imports.plans.rules.ts'
import type { Claims } from './imports.plans.rules.ts'
import type { Tree } from './imports.tree.rules.ts'

type Known = { known: ReadonlyMap<string, { id: string }>; made: ReadonlyMap<string, string>; claims: Claims }

/**
 * The parent of a row that gives one: an id; undefined where the row says nothing about it, or, in a check, where the parent is still to
 * be made by an earlier row. Says what is wrong when it cannot be found.
 */
export function placeInTree(
  { mapped, tree, phase }: { mapped: Mapped; tree: Tree | null; phase: 'check' | 'run' },
  draft: Draft,
  what: string,
  { known, made, claims }: Known,
): string | undefined {
  const parent = textOf(draft, 'parentCode')
  if (parent === undefined) return undefined
  const about = { column: headerOf(mapped, 'parentCode'), value: parent }
  const circle = tree?.get(textOf(draft, 'code') ?? '')?.circle
  if (circle) {
    error(draft, 'circle', `This row leads back to itself: ${circle.slice(0, 8).join(' → ')}.`, 'Correct one of the parents.', about)
    return undefined
  }
  const id = known.get(parent)?.id ?? made.get(parent)
  if (id !== undefined) return id
  if (phase === 'check' && claims.has(`code:${parent}`)) return undefined
  const row = tree?.get(parent)
  if (row)
    error(
      draft,
      'parent_rejected',
      `Its parent "${parent}", row ${row.line} of this file, is not imported.`,
      `Mend row ${row.line} first.`,
      about,
    )
  else error(draft, 'unknown_parent', `There is no ${what} "${parent}".`, 'Add it to the file, or correct the code.', about)
  return undefined
}
