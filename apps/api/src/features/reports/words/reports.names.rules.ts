import type { ReportBucket, ReportQuestion, StandardReport } from '@guildhall/contract/features/reports'
import type { Texts } from '../../../platform/texts/texts.ts'
import { fieldWord } from './reports.fields.rules.ts'
import { measuresOf } from './reports.measures.rules.ts'

/** What the reports that come with the product are called. */
const standardWords = (i18n: Texts): Record<StandardReport, string> => ({
  membership: i18n._('Membership'),
  'joins-and-leaves': i18n._('Joins and leaves'),
  retention: i18n._('Retention'),
  'grace-and-renewal': i18n._('Grace and renewal'),
  'members-by-chapter': i18n._('Members by chapter'),
  giving: i18n._('Giving'),
  'donor-retention': i18n._('Donor retention'),
  'top-donors': i18n._('Top donors'),
  funds: i18n._('Funds and campaigns'),
  'recurring-giving': i18n._('Recurring giving'),
  'pledges-overdue': i18n._('Overdue pledges'),
  events: i18n._('Events'),
  attendance: i18n._('Attendance and no-shows'),
  chapters: i18n._('Chapter scorecard'),
  officers: i18n._('Officers'),
  messages: i18n._('Messages'),
  'data-quality': i18n._('Data quality'),
})

export const bucketWords = (i18n: Texts): Record<ReportBucket, string> => ({
  day: i18n._('Day'),
  week: i18n._('Week'),
  month: i18n._('Month'),
  quarter: i18n._('Quarter'),
  year: i18n._('Year'),
})

/** What a question is called that nobody named. */
export function questionName(i18n: Texts, question: ReportQuestion): string {
  if (question.kind === 'standard') return standardWords(i18n)[question.report]
  const [key = ''] = question.measures
  const measure = measuresOf(i18n, question.subject)[key]?.label ?? key
  const [first, second] = question.groupBy.map(({ field }) => fieldWord(i18n, question.subject, field))
  if (first === undefined) return measure
  return second === undefined
    ? i18n._('{measure} by {first}', { measure, first })
    : i18n._('{measure} by {first} and {second}', { measure, first, second })
}
