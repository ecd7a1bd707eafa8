import type { ImportKind, ImportOptions } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'
import type { Effect } from './imports.changes.rules.ts'
import type { Draft, Mapped } from './imports.drafts.rules.ts'
import type { Planned, Reach } from './imports.plans.rules.ts'
import type { Tree } from './imports.tree.rules.ts'

type Shared = {
  removeUnused(db: ActorDb, orgId: string, ids: readonly string[]): Promise<void>
  inUse(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]>
}

/** What a feature says of the records that it lets people import. */
export type ImportPlan = {
  plan: Planner
  /** Tables it writes, those that others refer to first. */
  tables: readonly TableShape[]
  /** The table whose row a line of the file stands for. */
  root: string
  /** Tables of rows that several lines share: removed by an undo only when nothing uses them. */
  shared: Record<string, Shared>
  /** Why rows that an import made cannot be removed any more. */
  inUse(db: ActorDb, orgId: string, ids: readonly string[], own: readonly string[]): Promise<Hold[]>
  /** The tag for everyone that the import touches, for kinds that can be tagged. */
  ensureTag?(db: ActorDb, orgId: string, name: string): Promise<string>
  /** What two lines of one file have in common when they may mean the same record. */
  marksOf?(draft: Draft): number[]
}

export type Referred = { id: string; name: string; lifecycle: string }
export type FoundChapter = { id: string; name: string; closed: boolean }

/** Records of other features that a line may name. */
export type LookUps = {
  people(planning: Planning, drafts: readonly Draft[]): Promise<Map<Draft, Referred>>
  /** By code or path. */
  chapters(db: ActorDb, orgId: string, words: readonly string[]): Promise<Map<string, FoundChapter>>
}

/** Everything that can be imported; the features give it, the application puts it together. */
export type Importable = { kinds: Readonly<Record<ImportKind, ImportPlan>>; lookUps: LookUps }

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
  /** All keys of lines of this file that begin with one of these, with their lines. */
  earlierUnder(prefixes: readonly string[]): Promise<{ key: string; line: number }[]>
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
