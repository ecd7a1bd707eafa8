import { headerOf, textOf } from './imports.drafts.rules.ts'
import type { Draft, Mapped } from './imports.drafts.rules.ts'
import type { Values } from '../../../platform/records/row-changes.ts'
import type { Effect } from './imports.changes.rules.ts'
import { difference, error } from './imports.plans.rules.ts'
import type { Claims, Echo } from './imports.plans.rules.ts'
import type { Tree } from './imports.tree.rules.ts'

/** Codes that wait, in earlier chunks or this one. */
export function heldOf(earlier: ReadonlyMap<string, number>) {
  const codes = new Set([...earlier.keys()].flatMap((key) => (key.startsWith('held:') ? [key.slice(5)] : [])))
  return { has: (code: string) => codes.has(code), add: (code: string) => void codes.add(code) }
}
type Held = ReturnType<typeof heldOf>

type Known = {
  known: ReadonlyMap<string, { id: string; parentCode: string | null }>
  made: ReadonlyMap<string, string>
  claims: Claims
  /** Codes of rows of this file that stay out although their code is there: what it means there may be something else. */
  held: Held
}

/**
 * The parent of a row that gives one: an id; undefined where the row says nothing about it, or, in a check, where the parent is still to
 * be made by an earlier row. Says what is wrong when it cannot be found.
 */
export function placeInTree(
  { mapped, tree, phase }: { mapped: Mapped; tree: Tree | null; phase: 'check' | 'run' },
  draft: Draft,
  what: string,
  { known, made, claims, held }: Known,
): string | undefined {
  const parent = textOf(draft, 'parentCode')
  if (parent === undefined) return undefined
  const about = { column: headerOf(mapped, 'parentCode'), value: parent }
  const circle = tree?.get(textOf(draft, 'code') ?? '')?.circle
  if (circle) {
    error(draft, 'circle', `This row leads back to itself: ${circle.slice(0, 8).join(' → ')}.`, 'Correct one of the parents.', {
      ...about,
      params: { rows: circle.slice(0, 8).join(' → ') },
    })
    return undefined
  }
  const mine = known.get(textOf(draft, 'code') ?? '')
  const holding = held.has(parent) && mine?.parentCode !== parent
  const id = known.get(parent)?.id ?? made.get(parent)
  if (id !== undefined && !holding) return id
  if (phase === 'check' && !holding && claims.has(`code:${parent}`)) return undefined
  const row = tree?.get(parent)
  if (holding) held.add(textOf(draft, 'code') ?? '')
  if (row)
    error(
      draft,
      'parent_rejected',
      `Its parent "${parent}", row ${row.line} of this file, is not imported.`,
      `Correct row ${row.line} first.`,
      { ...about, params: { parent, row: row.line } },
    )
  else
    error(draft, 'unknown_parent', `There is no ${what} "${parent}".`, 'Add it to the file, or correct the code.', {
      ...about,
      params: { code: parent },
    })
  return undefined
}

/** What a row changes about a chapter or group that is there. A parent that only the run makes has no id in a check: its code stands for it. */
export function changedNode(
  table: 'chapters' | 'groups',
  state: { id: string; parentCode: string | null; row: Values },
  wanted: Values,
  draft: Draft,
  known: Known['known'],
  echo: Echo,
): Effect[] {
  const change = difference(state.row, wanted, echo)
  const key = { id: state.id }
  const parent = textOf(draft, 'parentCode')
  if (parent === undefined || known.has(parent)) return change ? [{ table, key, ...change }] : []
  return [
    {
      table,
      key,
      before: { ...change?.before, parent_id: state.row['parent_id'] ?? null },
      after: { ...change?.after, parent_id: wanted['parent_id'] ?? parent },
      shown: { parent_id: parent },
    },
  ]
}
