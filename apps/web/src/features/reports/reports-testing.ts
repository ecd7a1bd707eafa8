import type { ReportAnswer, ReportQuestion, ReportRecord, SavedReport } from '@guildhall/contract/features/reports'
import type * as z from 'zod'
import { fake, uuid } from '../../testing/fake-api.ts'

export const at = '2026-11-28T09:00:00Z'
const count = (key: string) => ({ key, unit: 'count' as const, currency: null })
const key = (value: string | null, label: string | null = null) => ({ value, label })

type Cells = (number | null)[]
export const row = (keys: { value: string | null; label: string | null }[], values: Cells, previous: Cells | null = null) => ({
  keys,
  values,
  previous,
  isHidden: false,
})

const shared = { isCut: false, hidden: 0, previousTotal: null, scope: null, range: null, asOf: null, at }

/** Members by type, with the year before. */
export const membership: ReportAnswer = {
  ...shared,
  dimensions: [{ key: 'type', kind: 'record', bucket: null }],
  measures: [count('active'), count('people')],
  rows: [row([key(uuid(41), 'Full')], [1000, 990], [900, 880]), row([key(uuid(42), 'Student')], [200, 200], [220, 220])],
  total: [1200, 1190],
  previousTotal: [1120, 1100],
  picture: 'bars',
}
export const joins: ReportAnswer = {
  ...shared,
  dimensions: [{ key: 'month', kind: 'day', bucket: 'month' }],
  measures: [count('joins'), count('leaves'), { key: 'net', unit: 'number', currency: null }],
  rows: [row([key('2026-10-01')], [12, 4, 8]), row([key('2026-11-01')], [9, 2, 7])],
  total: [21, 6, 15],
  range: { since: '2025-11-29', until: '2026-11-28' },
  picture: 'line',
}
export const retention: ReportAnswer = {
  ...shared,
  dimensions: [
    { key: 'cohort', kind: 'day', bucket: 'year' },
    { key: 'years', kind: 'number', bucket: null },
  ],
  measures: [{ key: 'retained', unit: 'percent', currency: null }, count('people'), count('cohort')],
  rows: [row([key('2021-01-01'), key('1')], [80, 8, 10]), row([key('2021-01-01'), key('0')], [100, 10, 10])],
  total: [null, null, null],
  picture: 'grid',
}
export const giving: ReportAnswer = {
  ...shared,
  dimensions: [{ key: 'month', kind: 'day', bucket: 'month' }],
  measures: [
    { key: 'raised', unit: 'money', currency: 'EUR' },
    { key: 'average', unit: 'money', currency: 'EUR' },
  ],
  rows: [row([key('2026-11-01')], [123_450, 2500])],
  total: [123_450, 2500],
  picture: 'line',
}
/** Of an own question: people by age group, of which one is kept back. */
export const ages: ReportAnswer = {
  ...shared,
  dimensions: [{ key: 'ageGroup', kind: 'choice', bucket: null }],
  measures: [count('people')],
  rows: [row([key('26to35')], [40]), { ...row([key('over65')], [null]), isHidden: true }, row([key(null)], [7])],
  total: [50],
  hidden: 1,
  picture: 'bars',
}
export const nothing: ReportAnswer = { ...membership, rows: [], total: [0, 0], previousTotal: null }

export const person: ReportRecord = {
  kind: 'person',
  id: uuid(60),
  personId: uuid(60),
  name: 'Ada Okafor',
  chapter: { id: uuid(61), name: 'Lisbon', code: 'LIS' },
  detail: 'active',
  on: '2021-03-04',
  amount: null,
}

export const pageOf = <Item>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

export const ownQuestion: ReportQuestion = {
  kind: 'own',
  subject: 'people',
  chapterId: null,
  range: null,
  compare: false,
  asOf: null,
  groupBy: [{ field: 'ageGroup' }],
  measures: ['people'],
  picture: 'bars',
}
export const saved: z.infer<typeof SavedReport> = {
  id: uuid(50),
  name: 'Ages of members',
  question: ownQuestion,
  sharedWith: 'me',
  isMine: true,
  owner: 'Olive Owner',
  isOnHome: false,
  isStarred: false,
  thumbnail: { rows: [{ label: '26 to 35', value: 40 }], at },
  schedules: 0,
  updatedAt: at,
  version: 3,
  may: { edit: true, share: true },
}

export const { reports } = fake.data

/** Answers by the kind of question; what is asked is kept. */
export function answering(asked: ReportQuestion[] = []) {
  const known: Record<string, ReportAnswer> = { membership, 'joins-and-leaves': joins, retention, giving, people: ages }
  return reports.ask.handler(({ input: { question } }) => {
    asked.push(question)
    return known[question.kind === 'standard' ? question.report : question.subject] ?? nothing
  })
}
