import type { ReportAnswer, ReportQuestion } from '@guildhall/contract/features/reports'
import { daysFrom, monthsFrom } from '@guildhall/contract/moments'
import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { FilterCondition } from '../../../ui/filter/filter.ts'

type List = { path: string; day: string; fields: Readonly<Record<string, string>> }
/** Lists whose filters say the same as fields of a subject; chapters are left out, since a list may mean those below as well. */
const lists: Partial<Record<ReportSubject, List>> = {
  people: {
    path: '/members?view=all',
    day: 'joinedOn',
    fields: { lifecycle: 'lifecycle', joinedOn: 'joinedOn', graduationYear: 'gradYear', hasEmail: 'hasEmail', tag: 'tag' },
  },
  events: { path: '/events?view=all', day: 'startsAt', fields: { status: 'status', kind: 'kind', startsOn: 'startsAt' } },
  gifts: {
    path: '/fundraising/all/donations?view=all',
    day: 'day',
    fields: { status: 'status', campaign: 'campaign', fund: 'fund', method: 'method', isRecurring: 'recurring', on: 'day' },
  },
}

/** The list page that shows what a figure counts; nothing where no list has the same filter. */
export function listAddress(question: ReportQuestion, answer: ReportAnswer, keys: readonly (string | null)[]): string | undefined {
  if (question.kind !== 'own' || question.chapterId !== null || (question.asOf !== null && question.asOf !== 'today')) return undefined
  const list = lists[question.subject]
  if (!list) return undefined
  const and: { or: FilterCondition[] }[] = []
  for (const { or } of question.filter?.and ?? []) {
    const told = or.flatMap((condition) => {
      const field = list.fields[condition.field]
      return field ? [{ ...condition, field }] : []
    })
    if (told.length < or.length) return undefined
    and.push({ or: told })
  }
  const { range } = answer
  if (range?.since && range.until) and.push({ or: [{ field: list.day, op: 'between', value: [range.since, range.until] }] })
  for (const [at, key] of keys.entries()) {
    const dimension = answer.dimensions[at]
    const field = dimension && list.fields[dimension.key]
    if (!dimension || !field) return undefined
    and.push({ or: [conditionOf(field, dimension, key)] })
  }
  const filter = and.length > 0 ? `&filter=${encodeURIComponent(JSON.stringify({ and }))}` : ''
  return `${list.path}${filter}`
}

function conditionOf(field: string, { kind, bucket }: ReportAnswer['dimensions'][number], key: string | null): FilterCondition {
  if (key === null) return { field, op: 'empty' }
  switch (kind) {
    case 'day':
      return { field, op: 'between', value: [key, lastDayOf(key, bucket)] }
    case 'yesNo':
      return { field, op: 'is', value: key === 'true' }
    case 'number':
      return { field, op: 'is', value: Number(key) }
    case 'text':
      return { field, op: 'is', value: key }
    default:
      return { field, op: 'in', value: [key] }
  }
}

/** The last day of the week, month, quarter or year that begins on a day. */
export function lastDayOf(first: string, bucket: ReportAnswer['dimensions'][number]['bucket']): string {
  switch (bucket) {
    case 'day':
    case null:
      return first
    case 'week':
      return daysFrom(first, 6)
    default:
      return daysFrom(monthsFrom(first, { month: 1, quarter: 3, year: 12 }[bucket]), -1)
  }
}
