import { standardReports } from '@guildhall/contract/features/reports'
import type { OwnQuestion, ReportQuestion, ReportRange } from '@guildhall/contract/features/reports'
import { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportField } from '@guildhall/contract/features/reports.subjects'
import type { Permission } from '@guildhall/contract/permissions'
import { daysFrom, lastDayOfMonth, monthsFrom } from '@guildhall/contract/moments'
import { fault, problem } from '../../platform/procedures/problem.ts'
import type { Bounds } from './reports.engine.rules.ts'

// Spans -------------------------------------------------------------------------------------------------------------------------------

const startOf = (today: string, months: number) => `${today.slice(0, 4)}-${String(months).padStart(2, '0')}-01`
const until = (since: string, months: number): Bounds => ({ since, until: daysFrom(monthsFrom(since, months), -1) })

/** The days that a range means on a day of the organisation's calendar. */
export function boundsOf(range: ReportRange, today: string): Bounds {
  if ('since' in range) return range
  const month = Number(today.slice(5, 7))
  const quarter = month - ((month - 1) % 3)
  switch (range.span) {
    case 'thisMonth':
      return until(startOf(today, month), 1)
    case 'lastMonth':
      return until(monthsFrom(startOf(today, month), -1), 1)
    case 'thisQuarter':
      return until(startOf(today, quarter), 3)
    case 'lastQuarter':
      return until(monthsFrom(startOf(today, quarter), -3), 3)
    case 'thisYear':
      return until(startOf(today, 1), 12)
    case 'lastYear':
      return until(monthsFrom(startOf(today, 1), -12), 12)
    case 'last12Months':
      return { since: monthsFrom(startOf(today, month), -11), until: today }
    case 'last5Years':
      return { since: monthsFrom(startOf(today, 1), -48), until: today }
    case 'all':
      return { since: null, until: null }
  }
}

/** The same days a year before; the last day of February stays the last one. Null where there is no first day to begin with. */
export function yearBefore({ since, until: last }: Bounds): Bounds | null {
  if (since === null) return null
  return { since: monthsFrom(since, -12), until: last && lastYearOf(last) }
}
function lastYearOf(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const before = monthsFrom(date, -12)
  return day === lastDayOfMonth(year, month) ? `${before.slice(0, 8)}${String(lastDayOfMonth(year - 1, month)).padStart(2, '0')}` : before
}
export const dayBefore = (date: string) => monthsFrom(date, -12)

// Questions ---------------------------------------------------------------------------------------------------------------------------

/** What asking needs to be held somewhere, beside reports.read. */
export function rightsOf(question: ReportQuestion): Permission[] {
  if (question.kind === 'standard') return []
  const { needs } = reportSubjects[question.subject]
  const fields = fieldsOf(question)
  const asked = [...question.groupBy.map(({ field }) => field), ...filteredBy(question)]
  return [...new Set([needs, ...asked.flatMap((field) => fields[field]?.needs ?? [])])]
}

/** Groups are kept back where they are about somebody's person. */
export const sensitiveIn = (question: OwnQuestion): boolean[] =>
  question.groupBy.map(({ field }) => fieldsOf(question)[field]?.sensitive === true)

export const fieldsOf = ({ subject }: OwnQuestion): Record<string, ReportField> => reportSubjects[subject].fields
export const unitsOf = ({ subject }: OwnQuestion): Record<string, { unit: 'count' | 'money' | 'percent' | 'days' | 'number' }> =>
  reportSubjects[subject].measures

const filteredBy = ({ filter }: OwnQuestion) => filter?.and.flatMap(({ or }) => or.map(({ field }) => field)) ?? []

const unknown = (path: string, field: string) =>
  problem('UNPROCESSABLE_CONTENT', fault(path, 'report_field_unknown', `“${field}” cannot be asked for here.`, { params: { field } }))

/** The list or the check of a figure that the answer does not have. */
export const notAsked = (measure: string) =>
  problem(
    'UNPROCESSABLE_CONTENT',
    fault('measure', 'report_field_unknown', 'This measure is not asked for.', { params: { field: measure } }),
  )

/** Refuses what the subject or the report does not know, by name. Questions are saved, and fields may be gone since. */
export function checkQuestion(question: ReportQuestion, today: string): void {
  if (question.range && 'since' in question.range && question.range.since > question.range.until)
    throw problem('UNPROCESSABLE_CONTENT', fault('question.range.until', 'dates', 'Enter a later day.'))
  if (question.asOf !== null && question.asOf !== 'today' && question.asOf > today)
    throw problem('UNPROCESSABLE_CONTENT', fault('question.asOf', 'report_as_of_future', 'Choose a day that is not in the future.'))
  const allowed =
    question.kind === 'standard'
      ? standardReports[question.report]
      : { range: true, compare: true, asOf: 'asOf' in reportSubjects[question.subject] }
  if (question.range && !allowed.range) throw unknown('question.range', 'range')
  if (question.compare && !allowed.compare) throw unknown('question.compare', 'compare')
  if (question.asOf !== null && !allowed.asOf) throw unknown('question.asOf', 'asOf')
  if (question.kind === 'own') checkOwn(question)
}

function checkOwn(question: OwnQuestion): void {
  const fields = fieldsOf(question)
  const known = (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined)
  for (const [at, { field, bucket, level }] of question.groupBy.entries()) {
    const path = `question.groupBy.${at}`
    const found = known(field)
    if (!found || found.group === false) throw unknown(`${path}.field`, field)
    if (question.groupBy.findIndex((other) => other.field === field) < at) throw unknown(`${path}.field`, field)
    if (bucket && found.kind !== 'day') throw unknown(`${path}.bucket`, field)
    if (level !== undefined && found.kind !== 'chapter') throw unknown(`${path}.level`, field)
  }
  const measures = unitsOf(question)
  for (const [at, measure] of question.measures.entries())
    if (!Object.hasOwn(measures, measure) || question.measures.indexOf(measure) < at) throw unknown(`question.measures.${at}`, measure)
  for (const [g, { or }] of (question.filter?.and ?? []).entries())
    for (const [c, { field }] of or.entries())
      if (!known(field) || known(field)?.sensitive) throw unknown(`question.filter.and.${g}.or.${c}.field`, field)
}
