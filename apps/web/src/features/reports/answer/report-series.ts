import { plural, t } from '@lingui/core/macro'
import type { ReportAnswer } from '@guildhall/contract/features/reports'
import type { ChartData, ChartRow } from '../../../ui/charts/chart-data.ts'
import type { AnswerWords, Measure } from './answer-words.ts'

/** The keys of a row as one text, for lists and drawings. */
export const rowKey = (keys: readonly { value: string | null }[]) => JSON.stringify(keys.map(({ value }) => value))

/** More lines than this cannot be told apart. */
const mostLines = 3
export const mostParts = 6
const mostStacks = 24

/** The measure that a picture shows, and those beside it that have the same scale. */
export function shownMeasures(answer: ReportAnswer, shown: string | undefined): number[] {
  const chosen = answer.measures.findIndex(({ key }) => key === shown)
  if (chosen >= 0) return [chosen]
  const alike = answer.measures.flatMap(({ unit }, at) => (unit === answer.measures[0]?.unit ? [at] : []))
  const isLine = answer.picture === 'line'
  return isLine && alike.length <= mostLines ? alike : [0]
}

/** One group: a row of the answer each, with the year before where there is one measure. */
export function seriesOf(answer: ReportAnswer, at: readonly number[], words: AnswerWords): ChartData {
  const [dimension] = answer.dimensions
  const measures = at.flatMap((index) => (answer.measures[index] ? [{ index, measure: answer.measures[index] }] : []))
  const compares = measures.length === 1 && answer.rows.some(({ previous }) => previous !== null)
  return {
    heading: dimension ? words.dimensionText(dimension) : t`Measure`,
    series: measures.flatMap(({ measure: { key } }) => {
      const { label } = words.measureWord(key)
      return [{ key, label }, ...(compares ? [{ key: `${key} before`, label: t`A year before`, previous: true }] : [])]
    }),
    rows: answer.rows.map((row) => {
      const [key] = row.keys
      return {
        key: rowKey(row.keys),
        label: dimension && key ? words.keyText(dimension, key) : '',
        ...(dimension && key && { short: words.shortText(dimension, key) }),
        values: Object.fromEntries(
          measures.flatMap(({ index, measure }) => {
            const { of } = words.drawn(measure)
            return [
              [measure.key, of(row.values[index] ?? null)],
              [`${measure.key} before`, of(row.previous?.[index] ?? null)],
            ]
          }),
        ),
      }
    }),
  }
}

/** Two groups: the first down, the second across. What is beyond so many columns counts as one where parts add up. */
export function crossed(answer: ReportAnswer, at: number, words: AnswerWords, most: number): ChartData {
  const [down, across] = answer.dimensions
  const measure = answer.measures[at]
  if (!down || !across || !measure) return { heading: '', series: [], rows: [] }
  const { of } = words.drawn(measure)
  const columns = new Map<string, { label: string; total: number }>()
  const rows = new Map<string, { label: string; short: string; values: Record<string, number | null> }>()
  for (const { keys, values } of answer.rows) {
    const [one, other] = keys
    if (!one || !other) continue
    const value = of(values[at] ?? null)
    const [rowId, columnId] = [JSON.stringify(one.value), JSON.stringify(other.value)]
    const column = columns.get(columnId) ?? { label: words.keyText(across, other), total: 0 }
    columns.set(columnId, { ...column, total: column.total + (value ?? 0) })
    const row = rows.get(rowId) ?? { label: words.keyText(down, one), short: words.shortText(down, one), values: {} }
    row.values[columnId] = value
    rows.set(rowId, row)
  }
  const ordered = [...columns].toSorted(
    across.kind === 'day' || across.kind === 'number' ? ([a], [b]) => compareKeys(a, b, across.kind) : ([, a], [, b]) => b.total - a.total,
  )
  const kept = ordered.length > most ? ordered.slice(0, most - 1) : ordered
  const rest = ordered.slice(kept.length).map(([key]) => key)
  return {
    heading: words.dimensionText(down),
    series: [...kept.map(([key, { label }]) => ({ key, label })), ...(rest.length > 0 ? [{ key: otherColumn, label: t`Other` }] : [])],
    rows: [...rows].map(([key, { label, short, values }]): ChartRow => ({
      key,
      label,
      short,
      values: { ...values, ...(rest.length > 0 && { [otherColumn]: rest.reduce((sum, column) => sum + (values[column] ?? 0), 0) }) },
    })),
  }
}
export const otherColumn = ' other'

const compareKeys = (a: string, b: string, kind: string) =>
  kind === 'number' ? Number(JSON.parse(a)) - Number(JSON.parse(b)) : a.localeCompare(b)

/** As many bars as can be looked at. */
export const firstStacks = (data: ChartData): ChartData => ({ ...data, rows: data.rows.slice(0, mostStacks) })

/** One sentence: how much there is, and where most of it is. */
export function summaryOf(answer: ReportAnswer, at: number, words: AnswerWords): string {
  const measure = answer.measures[at]
  if (!measure || answer.rows.length === 0) return ''
  const { label } = words.measureWord(measure.key)
  const named = answer.rows.flatMap((row) => {
    const value = row.values[at]
    return value === null || value === undefined ? [] : [{ value, name: nameOf(answer, row.keys, words) }]
  })
  const [first, last] = [named[0], named.at(-1)]
  if (!first || !last) return t`${label} cannot be shown for these rows.`
  if (named.length === 1) return t`${first.name}: ${words.valueText(measure, first.value)}.`
  const most = named.reduce((best, one) => (one.value > best.value ? one : best))
  const least = named.reduce((best, one) => (one.value < best.value ? one : best))
  const value = (of: { value: number }) => words.valueText(measure, of.value)
  if (answer.dimensions[0]?.kind === 'day' && answer.dimensions.length === 1)
    return t`From ${value(first)} (${first.name}) to ${value(last)} (${last.name}); most in ${most.name}: ${value(most)}.`
  if (answer.picture === 'grid') return t`From ${value(least)} (${least.name}) to ${value(most)} (${most.name}).`
  const rows = plural(named.length, { one: '# row', other: '# rows' })
  return t`${rows}; most for ${most.name}: ${value(most)}.`
}

export const nameOf = (answer: ReportAnswer, keys: ReportAnswer['rows'][number]['keys'], words: AnswerWords): string =>
  answer.dimensions.flatMap((dimension, at) => (keys[at] ? [words.keyText(dimension, keys[at])] : [])).join(', ')

/** "1,204 active, 84 more than a year before" */
export function findingOf(answer: ReportAnswer, at: number, words: AnswerWords, title: string): string {
  const measure: Measure | undefined = answer.measures[at]
  const total = answer.total[at]
  if (!measure || total === null || total === undefined) return title
  const { label } = words.measureWord(measure.key)
  const before = answer.previousTotal?.[at]
  const text = t`${label}: ${words.valueText(measure, total)}`
  if (before === null || before === undefined) return text
  const change = words.valueText(measure, Math.abs(total - before))
  if (total === before) return t`${text}, as a year before`
  return total > before ? t`${text}, ${change} more than a year before` : t`${text}, ${change} less than a year before`
}
