import { ReportBucket, ReportPicture, ReportSpan, standardReports } from '@guildhall/contract/features/reports'
import type {
  OwnQuestion,
  ReportGroup,
  ReportQuestion,
  ReportRange,
  StandardQuestion,
  StandardReport,
} from '@guildhall/contract/features/reports'
import { standardBy } from '@guildhall/contract/features/reports.standard'
import { ReportSubject, reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportField, ReportFieldKind } from '@guildhall/contract/features/reports.subjects'
import { isComplete } from '../../ui/filter/filter.ts'
import type { ReportsSearch } from './reports-search.ts'

/** The part of an address that is the question. */
export type Asked = Pick<
  ReportsSearch,
  'subject' | 'filter' | 'group' | 'measure' | 'picture' | 'span' | 'since' | 'until' | 'compare' | 'chapter' | 'asOf' | 'by'
>
export const nothingAsked: Asked = {
  subject: undefined,
  filter: undefined,
  group: undefined,
  measure: undefined,
  picture: undefined,
  span: undefined,
  since: undefined,
  until: undefined,
  compare: undefined,
  chapter: undefined,
  asOf: undefined,
  by: undefined,
}

export const isStandard = (key: string): key is StandardReport => Object.hasOwn(standardReports, key)

/** What a report is asked about unless its reader says otherwise; the address leaves it out. */
export const usualSpans: Partial<Record<StandardReport, ReportSpan>> = {
  'joins-and-leaves': 'last12Months',
  retention: 'last5Years',
  giving: 'thisYear',
  'top-donors': 'thisYear',
  funds: 'thisYear',
  events: 'thisYear',
  attendance: 'thisYear',
  messages: 'last12Months',
}

export type StandardBy = NonNullable<StandardQuestion['by']>
/** How the rows of a report can be grouped: the first way is the usual one, unless the report has rows of its own. */
export function groupingOf(report: StandardReport): { ways: readonly StandardBy[]; own: boolean } | undefined {
  const groupings: readonly (StandardBy | null)[] = standardBy[report]
  const ways = groupings.filter((by) => by !== null)
  return ways.length > 0 ? { ways, own: groupings[0] === null } : undefined
}

export function standardQuestion(report: StandardReport, asked: Asked): StandardQuestion {
  const can = standardReports[report]
  const by = groupingOf(report)?.ways.find((way) => way === asked.by)
  return {
    kind: 'standard',
    report,
    chapterId: asked.chapter ?? null,
    range: can.range ? rangeOf(asked, usualSpans[report]) : null,
    compare: can.compare && asked.compare === 1,
    asOf: can.asOf && asked.asOf !== 'ever' ? (asked.asOf ?? null) : null,
    ...(by && { by }),
  }
}

const rangeOf = ({ span, since, until }: Asked, usual?: ReportSpan): ReportRange | null => {
  if (since && until && since <= until) return { since, until }
  const named = ReportSpan.options.find((one) => one === span) ?? usual
  return named && named !== 'all' ? { span: named } : null
}

export const fieldsOf = (subject: ReportSubject): Readonly<Record<string, ReportField>> => reportSubjects[subject].fields
/** The field that a range is about. */
export const dayOf = (subject: ReportSubject): string | null => reportSubjects[subject].day
export const hasAsOf = (subject: ReportSubject) => 'asOf' in reportSubjects[subject]
export const groupable = (subject: ReportSubject): string[] =>
  Object.entries(fieldsOf(subject)).flatMap(([key, { group }]) => (group === false ? [] : [key]))
export const measureKeys = (subject: ReportSubject): string[] => Object.keys(reportSubjects[subject].measures)

/** `chapter`, `chapter:1` or `startsOn:year`, as an address names them. */
export const groupText = ({ field, bucket, level }: ReportGroup): string => {
  const detail = bucket ?? level
  return detail === undefined ? field : `${field}:${detail}`
}
function groupOf(subject: ReportSubject, text: string): ReportGroup | undefined {
  const [field = '', detail] = text.split(':')
  const known = fieldsOf(subject)[field]
  if (!known || known.group === false) return undefined
  const bucket = known.kind === 'day' ? ReportBucket.options.find((one) => one === detail) : undefined
  const level = known.kind === 'chapter' && detail !== undefined && /^\d{1,2}$/.test(detail) ? Math.min(20, Number(detail)) : undefined
  return { field, ...(bucket && { bucket }), ...(level !== undefined && { level }) }
}

/** What there is of a question; fields, measures and pictures that the subject does not have are left out. */
export function ownQuestion(asked: Asked): OwnQuestion {
  const subject = ReportSubject.options.find((one) => one === asked.subject) ?? 'memberships'
  const keys = measureKeys(subject)
  const measures = [...new Set(asked.measure)].filter((key) => keys.includes(key)).slice(0, 4)
  const groups = (asked.group ?? []).flatMap((text) => groupOf(subject, text) ?? [])
  const groupBy = groups.filter(({ field }, at) => groups.findIndex((other) => other.field === field) === at).slice(0, 2)
  const and = (asked.filter?.and ?? [])
    .map(({ or }) => ({ or: or.filter((condition) => isComplete(condition) && fieldsOf(subject)[condition.field]) }))
    .filter(({ or }) => or.length > 0)
  const kinds = groupBy.map(({ field }) => fieldsOf(subject)[field]?.kind)
  return {
    kind: 'own',
    subject,
    chapterId: asked.chapter ?? null,
    range: dayOf(subject) === null ? null : rangeOf(asked),
    compare: asked.compare === 1,
    asOf: hasAsOf(subject) && asked.asOf !== 'ever' ? (asked.asOf ?? 'today') : null,
    ...(and.length > 0 && { filter: { and } }),
    groupBy,
    measures: measures.length > 0 ? measures : keys.slice(0, 1),
    picture: ReportPicture.options.find((one) => one === asked.picture && picturesFor(kinds).includes(one)) ?? usualPicture(kinds),
  }
}

/** Pictures that can show so many groups of such kinds; the first is the usual one. */
export function picturesFor(kinds: readonly (ReportFieldKind | undefined)[]): readonly ReportPicture[] {
  const [first] = kinds
  if (kinds.length === 0) return ['number', 'table']
  if (kinds.length === 2) return first === 'day' ? ['stacked', 'grid', 'table'] : ['grid', 'stacked', 'table']
  return first === 'day' ? ['line', 'area', 'bars', 'table'] : ['bars', 'share', 'table']
}
const usualPicture = (kinds: readonly (ReportFieldKind | undefined)[]): ReportPicture => picturesFor(kinds)[0] ?? 'table'

/** What an address says of a question, for a saved one that is changed from there. */
export function askedOf(question: ReportQuestion): Asked {
  const { chapterId, range, compare, asOf } = question
  const usual = question.kind === 'standard' ? usualSpans[question.report] : undefined
  const shared: Asked = {
    ...nothingAsked,
    chapter: chapterId ?? undefined,
    compare: compare ? 1 : undefined,
    asOf: asOf === null || asOf === 'today' ? undefined : asOf,
    ...(range && 'since' in range ? { since: range.since, until: range.until } : { span: spanText(range?.span, usual) }),
  }
  if (question.kind === 'standard') return { ...shared, by: question.by }
  const { subject, filter, groupBy, measures, picture } = question
  return {
    ...shared,
    asOf: asOf === null && hasAsOf(subject) ? 'ever' : shared.asOf,
    subject,
    filter: filter && filter.and.length > 0 ? filter : undefined,
    group: groupBy.length > 0 ? groupBy.map(groupText) : undefined,
    measure: measures,
    picture,
  }
}
const spanText = (span: ReportSpan | undefined, usual: ReportSpan | undefined) => {
  const shown = span ?? 'all'
  return shown === (usual ?? 'all') ? undefined : shown
}

/** The question of a page: of a saved report as it was saved, unless the address says that it was changed since. */
export function questionOf(seed: ReportQuestion, search: ReportsSearch): ReportQuestion {
  if (!search.changed) return seed
  return seed.kind === 'standard'
    ? standardQuestion(seed.report, search)
    : ownQuestion({ ...search, subject: search.subject ?? seed.subject })
}

export const sameQuestion = (one: ReportQuestion, other: ReportQuestion) => JSON.stringify(askedOf(one)) === JSON.stringify(askedOf(other))
