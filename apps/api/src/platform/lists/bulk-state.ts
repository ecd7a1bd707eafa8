import { BulkCounts } from '@guildhall/contract/bulk'
import type { BulkResult } from '@guildhall/contract/bulk'
import type { Job } from '@guildhall/contract/shapes'
import * as z from 'zod'

/** Up to so many records are changed while the caller waits, all or none; more go to the worker. */
export const bulkAtOnce = 5_000
export const bulkBatch = 1_000
const undoDays = 30

/** What a bulk job's result holds. A change keeps its request; an undo names the job it takes back. */
export const BulkState = z.object({
  /** Whose records; jobs of earlier versions were all about people. */
  list: z.string().default('people'),
  /** Read by the list that it was made for. */
  request: z.unknown(),
  counts: BulkCounts.optional(),
  after: z.uuid().nullable().optional(),
  undoes: z.uuid().optional(),
  undone: z.boolean().optional(),
  /** There is no undo. */
  stays: z.boolean().optional(),
})
export type BulkState = z.infer<typeof BulkState>

/** Null for a job of another kind. */
export function bulkState(job: Job): BulkState | null {
  const state = BulkState.safeParse(job.result)
  return job.kind === 'bulk' && state.success ? state.data : null
}

/** With what it came to: a cancelled one keeps what it had changed. */
const hasEnded = ({ status }: Job): boolean => status === 'done' || status === 'cancelled'

export function undoableUntil(job: Job, state: BulkState): string | null {
  if (!hasEnded(job) || !job.finishedAt || state.undoes || state.undone || state.stays || !state.counts?.changed) return null
  const until = new Date(Date.parse(job.finishedAt) + undoDays * 86_400_000)
  return until.getTime() > Date.now() ? until.toISOString() : null
}

export const bulkResult = (job: Job, state: BulkState): BulkResult => ({
  job,
  counts: hasEnded(job) ? (state.counts ?? null) : null,
  undoableUntil: undoableUntil(job, state),
})

export const none: BulkCounts = { matched: 0, changed: 0, unchanged: 0, refused: 0 }

export const addCounts = (a: BulkCounts, b: BulkCounts): BulkCounts => ({
  matched: a.matched + b.matched,
  changed: a.changed + b.changed,
  unchanged: a.unchanged + b.unchanged,
  refused: a.refused + b.refused,
})
