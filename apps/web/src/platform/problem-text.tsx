import { t } from '@lingui/core/macro'
import { ApiProblem } from './problem.ts'

/** One sentence for a person: the server's own where it has one, ours where it has none. */
export function problemText(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) return t`Something unexpected happened.`
  return problem.detail ?? sentenceFor(problem.status)
}

function sentenceFor(status: number): string {
  switch (status) {
    case 0:
      return t`The server could not be reached. Check your connection and try again.`
    case 401:
      return t`You are signed out.`
    case 403:
      return t`Your role does not allow this.`
    case 404:
      return t`It no longer exists, or you may not see it.`
    case 409:
      return t`It conflicts with something that already exists.`
    case 412:
      return t`Somebody else has changed it in the meantime.`
    case 413:
      return t`That is too large.`
    case 422:
      return t`Some of what was entered cannot be accepted.`
    case 429:
      return t`Too many requests. Wait a moment and try again.`
    default:
      return status >= 500 ? t`The server failed to answer.` : t`The request was refused.`
  }
}
