import { problem } from './problem.ts'

/**
 * Why a change of one record touched nothing: it is not there (or hidden), it was changed by someone else, or it may be seen but not changed.
 * `current` is the record as the caller sees it now, read after the change touched nothing: what was read before it may be older than what won.
 */
export function untouched(current: { version: number } | undefined, ifMatch: number) {
  if (!current) return problem('NOT_FOUND')
  if (current.version === ifMatch) return problem('FORBIDDEN')
  return problem('PRECONDITION_FAILED', {
    reason: 'stale',
    detail: 'Someone else changed this. Check the current values and try again.',
    current,
  })
}
