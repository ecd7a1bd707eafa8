import { standardReports } from '@guildhall/contract/features/reports'
import type { ReportAnswer, ReportRow, StandardQuestion, StandardReport } from '@guildhall/contract/features/reports'
import { standardMeasures } from '@guildhall/contract/features/reports.standard'
import type { StandardMeasure } from '@guildhall/contract/features/reports.standard'
import { monthsFrom } from '@guildhall/contract/moments'
import { mostRows } from '../reports.engine.rules.ts'
import type { ReportFrame } from '../reports.engine.rules.ts'

/** A question as a report understands it: bounded where it can be, and with the day that it is about. */
export type Asked = {
  by: NonNullable<StandardQuestion['by']> | null
  /** This chapter and those below it. */
  chapterId: string | null
  since: string | null
  /** Never open: what has not come yet is in no report that was not asked for it. */
  until: string
  /** The day that is looked at, and the same day a year earlier. */
  day: string
  yearBefore: string
  /** Nobody asked about the past. */
  isNow: boolean
  today: string
  timezone: string
  currency: string
  /** Which part of a long report this is. */
  part: string | null
}

type Values = Record<string, number | null>
export type Cell = { keys: (string | null)[]; labels: (string | null)[]; rank: number | null; values: Values }
export type Counts = { cells: Cell[]; total: Cell; known: ReadonlySet<string> }

/** A measure as it is shown. Without `of` it is a weight of a source. */
export type Shown = {
  key: string
  unit: ReportAnswer['measures'][number]['unit']
  /** What it is worked out from: the weights of the row, and those of everything. */
  of?: (values: Values, total: Values) => number | null
  /** The measure whose rows are listed for it. */
  behind?: string
  /** False where rows overlap, so that there is no total. */
  adds?: false
}

type More = Omit<Shown, 'key' | 'unit'>
/** The measures of a report, with what is special about some of them. */
export function measuresOf<R extends StandardReport>(report: R, more: { [M in StandardMeasure<R>]?: More } = {}): Shown[] {
  const special = new Map<string, More>(Object.entries<More | undefined>(more).flatMap(([key, of]) => (of ? [[key, of]] : [])))
  return Object.entries(standardMeasures[report]).map(([key, unit]) => ({ key, unit, ...special.get(key) }))
}

export const percent = (part: number | null | undefined, whole: number | null | undefined): number | null =>
  part === null || part === undefined || !whole ? null : Math.round((part / whole) * 1_000) / 10

/** Of 29 February, the 28th. */
export const addYears = (day: string, years: number): string => monthsFrom(day, years * 12)

export function askedNow(question: StandardQuestion, frame: ReportFrame, groupings: readonly (StandardQuestion['by'] | null)[]): Asked {
  const by = question.by && groupings.includes(question.by) ? question.by : (groupings[0] ?? null)
  const day = frame.asOf ?? frame.today
  return {
    by,
    chapterId: frame.scope?.id ?? null,
    since: frame.range?.since ?? null,
    until: frame.range?.until ?? frame.today,
    day,
    yearBefore: addYears(day, -1),
    isNow: frame.asOf === null || frame.asOf >= frame.today,
    today: frame.today,
    timezone: frame.timezone,
    currency: frame.currency,
    part: null,
  }
}

/** The same a year earlier; null where that says nothing, since the range is open. */
export function askedBefore(asked: Asked, question: StandardQuestion, frame: ReportFrame): Asked | null {
  if (!question.compare || (standardReports[question.report].range && !frame.before)) return null
  const day = addYears(asked.day, -1)
  return {
    ...asked,
    since: frame.before?.since ?? null,
    until: frame.before?.until ?? day,
    day,
    yearBefore: addYears(day, -1),
    isNow: false,
  }
}

type Dimension = { key: string; kind: string; bucket?: 'month' | 'quarter' | 'year'; order?: readonly string[] }
type Report = { measures: readonly Shown[]; mostRows?: number }

/** Parts of an answer under one roof: cells of the same key are one, and their values are added. */
function merged(parts: readonly Counts[]): Counts {
  const cells = new Map<string, Cell>()
  const total: Cell = { keys: [], labels: [], rank: null, values: {} }
  const known = new Set<string>()
  const add = (to: Cell, from: Cell) => {
    for (const [key, value] of Object.entries(from.values)) to.values[key] = (to.values[key] ?? 0) + (value ?? 0)
  }
  for (const part of parts) {
    for (const key of part.known) known.add(key)
    add(total, part.total)
    for (const cell of part.cells) {
      const at = JSON.stringify(cell.keys)
      const there = cells.get(at)
      if (there) add(there, cell)
      else cells.set(at, { ...cell, values: { ...cell.values } })
    }
  }
  return { cells: [...cells.values()], total, known }
}

/** Labels come later, so a row keeps the cell that it was made of. */
export function composed(
  report: Report,
  dimensions: readonly Dimension[],
  asked: Asked,
  parts: readonly Counts[],
  before: readonly Counts[] | null,
) {
  const now = merged(parts)
  const then = before ? merged(before) : null
  const at = (cell: Cell) => JSON.stringify(cell.keys)
  const earlier = new Map(
    then?.cells.map((cell) => {
      const keys = cell.keys.map((key, nth) => (key !== null && dimensions[nth]?.bucket ? addYears(key, 1) : key))
      return [JSON.stringify(keys), { ...cell, keys }]
    }),
  )
  const filled = filledIn(now.cells, dimensions)
  const present = new Set(filled.map(at))
  const cells = [...filled, ...[...earlier.values()].filter((cell) => !present.has(at(cell))).map((cell) => ({ ...cell, values: {} }))]
  const values = (cell: Cell | undefined, counts: Counts, isTotal: boolean): (number | null)[] =>
    report.measures.map((shown) => {
      const found = Object.fromEntries([...counts.known].map((key) => [key, cell?.values[key] ?? 0]))
      if (isTotal && shown.adds === false) return null
      if (shown.of) return shown.of(found, counts.total.values)
      return counts.known.has(shown.key) ? (found[shown.key] ?? 0) : null
    })
  const answer = (currency: string): Omit<ReportAnswer, 'scope' | 'range' | 'asOf' | 'at' | 'hidden' | 'picture'> => {
    const most = report.mostRows ?? mostRows
    const rows = cells
      .sort((a, b) => compared(a, b, dimensions))
      .slice(0, most)
      .map((cell): ReportRow => ({
        keys: cell.keys.map((value, nth) => ({ value, label: cell.labels[nth] ?? null })),
        values: values(cell, now, false),
        previous: then ? values(earlier.get(at(cell)), then, false) : null,
        isHidden: false,
      }))
    return {
      dimensions: dimensions.map(({ key, kind, bucket }) => ({ key, kind: kindOf(kind), bucket: bucket ?? null })),
      measures: report.measures.map(({ key, unit }) => ({ key, unit, currency: unit === 'money' ? currency : null })),
      rows,
      total: values(now.total, now, true),
      previousTotal: then ? values(then.total, then, true) : null,
      isCut: cells.length > most,
    }
  }
  return { cells, answer, asked }
}

const kinds = ['choice', 'record', 'chapter', 'day', 'number', 'yesNo', 'text', 'person'] as const
const kindOf = (kind: string) => kinds.find((known) => known === kind) ?? 'text'

const monthsOf = { month: 1, quarter: 3, year: 12 } as const

/** Months in which nothing happened stand between those in which something did. */
function filledIn(cells: readonly Cell[], dimensions: readonly Dimension[]): Cell[] {
  const [only, second] = dimensions
  if (!only?.bucket || second) return [...cells]
  const days = cells.flatMap(({ keys }) => keys[0] ?? []).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return [...cells]
  const there = new Set(days)
  const missing: Cell[] = []
  for (let day = first; day < last && missing.length <= mostRows; day = monthsFrom(day, monthsOf[only.bucket]))
    if (!there.has(day)) missing.push({ keys: [day], labels: [null], rank: null, values: {} })
  return [...cells, ...missing]
}

/** The highest rank first; else by key: days and numbers upwards, codes in their order, names by the alphabet, nothing last. */
function compared(a: Cell, b: Cell, dimensions: readonly Dimension[]): number {
  if (a.rank !== b.rank) return (b.rank ?? -Infinity) - (a.rank ?? -Infinity)
  for (const [nth, { kind, order }] of dimensions.entries()) {
    const [one, other] = [a.keys[nth] ?? null, b.keys[nth] ?? null]
    if (one === other) continue
    if (one === null || other === null) return one === null ? 1 : -1
    if (order) return order.indexOf(one) - order.indexOf(other)
    if (kind === 'number') return Number(one) - Number(other)
    if (kind === 'day') return one < other ? -1 : 1
    const byName = (a.labels[nth] ?? one).localeCompare(b.labels[nth] ?? other)
    return byName === 0 ? (one < other ? -1 : 1) : byName
  }
  return 0
}
