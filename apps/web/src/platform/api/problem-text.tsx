import { t } from '@lingui/core/macro'
import { ApiProblem } from './problem.ts'

/** One sentence for a person: the server's own where it has one, ours where it has none. */
export function problemText(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) return t`Something unexpected happened.`
  if (problem.isNetwork && !navigator.onLine) return t`You are offline. Try again when the connection is back.`
  return problem.message
}
