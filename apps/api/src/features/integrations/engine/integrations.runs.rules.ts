import type { FieldMapping, SyncRun } from '@guildhall/contract/features/integrations'

export type Counts = SyncRun['in']
export const noCounts: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, conflicts: 0, failed: 0 }

/**
 * How far a run is. `in`: their rows, page by page from `at`; `missing`: ours whose counterpart was not there; `ties`: ours that are tied, for what the other
 * side did not tell; `news`: ours that are not there yet; `creating`: those whose making was cut off. Within all but the first `after` is the last id.
 */
export type RunCursor = {
  phase: 'in' | 'missing' | 'ties' | 'news' | 'creating'
  at: string | null
  after: string | null
  /** The run in which this pass over everything began: rows that it has seen carry its id. */
  pass: string
  isWhole: boolean
  mark: string | null
  /** Who works on it; another worker that takes it up puts its own name there, and the first one stops. */
  worker: string
}
export const phases = ['in', 'missing', 'ties', 'news', 'creating'] as const

export const startOf = (run: string, worker: string): RunCursor => ({
  phase: 'in',
  at: null,
  after: null,
  pass: run,
  isWhole: true,
  mark: null,
  worker,
})

/** The phase after this one; null when there is none. */
export function nextPhase({ phase, ...same }: RunCursor): RunCursor | null {
  const next = phases[phases.indexOf(phase) + 1]
  return next === undefined ? null : { ...same, phase: next, at: null, after: null }
}

export const added = (counts: Counts, more: Partial<Counts>): Counts => ({
  read: counts.read + (more.read ?? 0),
  created: counts.created + (more.created ?? 0),
  updated: counts.updated + (more.updated ?? 0),
  unchanged: counts.unchanged + (more.unchanged ?? 0),
  skipped: counts.skipped + (more.skipped ?? 0),
  conflicts: counts.conflicts + (more.conflicts ?? 0),
  failed: counts.failed + (more.failed ?? 0),
})

/** Fields that a run looks at, as it treats them: consent has rules of its own, and what only shows here never comes in. */
export const comparedFields = (mapping: readonly FieldMapping[]): FieldMapping[] =>
  mapping.flatMap((field): FieldMapping[] => {
    if (field.rule === 'never' || field.ours === 'subscribed') return []
    if (field.ours !== 'fullName') return [field]
    return field.direction === 'in' ? [] : [{ ...field, direction: 'out' }]
  })

/** Keys of our fields that a run reads: those mapped, and the one by which records are matched. */
export const keysRead = (fields: readonly FieldMapping[], matchBy: string | null): string[] => [
  ...new Set([...fields.map(({ ours }) => ours), ...(matchBy === null ? [] : [matchBy])]),
]

export const takesIn = (fields: readonly FieldMapping[]): boolean => fields.some(({ direction }) => direction !== 'out')
export const givesOut = (fields: readonly FieldMapping[]): boolean => fields.some(({ direction }) => direction !== 'in')
