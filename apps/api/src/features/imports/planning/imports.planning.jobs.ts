import type { ImportKind, ImportOptions } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import type { Draft, Mapped } from './imports.drafts.rules.ts'
import type { Effect } from './imports.changes.rules.ts'
import type { Planned, Reach } from './imports.plans.rules.ts'
import type { ImportPlan, LookUps } from './imports.kinds.rules.ts'
import type { Tree } from './imports.tree.rules.ts'

/** All that planning a chunk needs besides its rows. */
export type Planning = {
  db: ActorDb
  orgId: string
  accountId: string
  importId: string
  kind: ImportKind
  importPlan: ImportPlan
  lookUps: LookUps
  phase: 'check' | 'run'
  today: string
  mapped: Mapped
  options: ImportOptions
  reach: Reach
  tree: Tree | null
  /** Tag for everyone an import touches; made before the first row of a run. */
  importTagId: string | null
  /** Lines of this file that stand for these keys already. */
  earlier(keys: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** In a run: lines that the check found to mean the same person as an earlier one. */
  doubles(lines: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** In the second part of a run that merges doubles: the people that the earlier rows became, by line. */
  mergeInto: ReadonlyMap<number, { id: string; line: number }>
  /** In a run: what the check showed on lines that someone accepted. */
  accepted(lines: readonly number[]): Promise<ReadonlyMap<number, readonly Effect[]>>
}

/** Decides what becomes of the rows of one chunk, reading and not writing. */
export type Planner = (planning: Planning, drafts: readonly Draft[]) => Promise<Planned[]>

export const distinct = (words: readonly (string | undefined)[]) =>
  [...new Set(words.filter((word) => word !== undefined && word !== ''))].flatMap((word) => (word ? [word] : []))
