import type { ReportBucket, ReportQuestion, ReportSpan, StandardReport } from '@guildhall/contract/features/reports'
import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { Texts } from '../../../platform/texts/texts.ts'
import { fieldWord } from './reports.fields.rules.ts'
import { measuresOf } from './reports.measures.rules.ts'

/** The reports that come with the product: what each is called, and the question it answers. */
const standardWords = (i18n: Texts): Record<StandardReport, { title: string; purpose: string }> => ({
  membership: { title: i18n._('Membership'), purpose: i18n._('How many members there are, by status and type') },
  'joins-and-leaves': { title: i18n._('Joins and leaves'), purpose: i18n._('How many joined, renewed and left over time') },
  retention: { title: i18n._('Retention'), purpose: i18n._('How many of those who joined in a year are still members') },
  'grace-and-renewal': { title: i18n._('Grace and renewal'), purpose: i18n._('Memberships that end soon, are in grace or have lapsed') },
  'members-by-chapter': { title: i18n._('Members by chapter'), purpose: i18n._('Which chapters have how many members') },
  giving: { title: i18n._('Giving'), purpose: i18n._('What was raised, from how many donors') },
  'donor-retention': { title: i18n._('Donor retention'), purpose: i18n._('Who gave last year or in some year before, and not this year') },
  'top-donors': { title: i18n._('Top donors'), purpose: i18n._('Who gave most') },
  funds: { title: i18n._('Funds and campaigns'), purpose: i18n._('What was raised for each fund') },
  'recurring-giving': { title: i18n._('Recurring giving'), purpose: i18n._('Recurring gifts and what they bring in a year') },
  'pledges-overdue': { title: i18n._('Overdue pledges'), purpose: i18n._('Instalments of pledges that are past their due date') },
  events: { title: i18n._('Events'), purpose: i18n._('Events, registrations and revenue') },
  attendance: { title: i18n._('Attendance and no-shows'), purpose: i18n._('How many of those who registered came') },
  chapters: { title: i18n._('Chapter scorecard'), purpose: i18n._('Members, growth, officers and events of each chapter') },
  officers: { title: i18n._('Officers'), purpose: i18n._('Offices that are vacant or whose terms end soon') },
  messages: { title: i18n._('Messages'), purpose: i18n._('What was sent, opened and clicked') },
  'data-quality': { title: i18n._('Data quality'), purpose: i18n._('Records with something missing or contradictory') },
})

const subjectWords = (i18n: Texts): Record<ReportSubject, string> => ({
  people: i18n._('People'),
  affiliations: i18n._('Affiliations'),
  memberships: i18n._('Memberships'),
  terms: i18n._('Membership terms'),
  offices: i18n._('Terms of office'),
  chapters: i18n._('Chapters'),
  groupMembers: i18n._('Group members'),
  events: i18n._('Events'),
  registrations: i18n._('Registrations'),
  gifts: i18n._('Gifts'),
  pledges: i18n._('Pledges'),
  recurringGifts: i18n._('Recurring gifts'),
  invoices: i18n._('Invoices'),
  payments: i18n._('Payments'),
  messages: i18n._('Messages'),
  relationships: i18n._('Relationships'),
})

export const spanWords = (i18n: Texts): Record<ReportSpan, string> => ({
  thisMonth: i18n._('This month'),
  lastMonth: i18n._('Last month'),
  thisQuarter: i18n._('This quarter'),
  lastQuarter: i18n._('Last quarter'),
  thisYear: i18n._('This year'),
  lastYear: i18n._('Last year'),
  last12Months: i18n._('Last 12 months'),
  last5Years: i18n._('Last 5 years'),
  all: i18n._('Whole history'),
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
  if (question.kind === 'standard') return standardWords(i18n)[question.report].title
  const [key = ''] = question.measures
  const measure = measuresOf(i18n, question.subject)[key]?.label ?? subjectWords(i18n)[question.subject]
  const [first, second] = question.groupBy.map(({ field }) => fieldWord(i18n, question.subject, field))
  if (first === undefined) return measure
  return second === undefined
    ? i18n._('{measure} by {first}', { measure, first })
    : i18n._('{measure} by {first} and {second}', { measure, first, second })
}
