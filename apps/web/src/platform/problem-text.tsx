import { t } from '@lingui/core/macro'
import { ApiProblem } from './problem.ts'

/** One sentence for a person: the server's own where it has one, ours where it has none. */
export function problemText(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) return t`Something unexpected happened.`
  return problem.message
}
