import { t } from '@lingui/core/macro'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { fieldWord } from './field-words.ts'
import { measuresOf } from './measure-words.ts'
import { standardWords } from './standard-words.ts'

/** "Memberships by Chapter": what a question is called that nobody named. */
export function questionName(question: ReportQuestion): string {
  if (question.kind === 'standard') return standardWords()[question.report].title
  const [key = ''] = question.measures
  const measure = measuresOf(question.subject)[key]?.label ?? key
  const [first, second] = question.groupBy.map(({ field }) => fieldWord(question.subject, field))
  if (first === undefined) return measure
  return second === undefined ? t`${measure} by ${first}` : t`${measure} by ${first} and ${second}`
}
