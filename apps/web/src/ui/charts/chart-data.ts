import { guardText } from '@guildhall/contract/formula-guard'

/** What is measured. `previous` is the same measure in the period before, drawn as a thin grey line. */
export type ChartSeries = { key: string; label: string; previous?: boolean }
/** One month, chapter or kind; `short` is its name on an axis. A value that is not there is null. */
export type ChartRow = { key: string; label: string; short?: string; values: Readonly<Record<string, number | null>> }
/** A level that lines are compared with, such as a limit. */
export type ChartLimit = { label: string; value: number }
/** Something that happened at a row; its label is short, since several stand side by side. */
export type ChartMark = { row: string; label: string }
export type ChartData = { heading: string; series: readonly ChartSeries[]; rows: readonly ChartRow[] }

/** `line` and `area` go over time, `bars` compare, `share` divides a whole, `stacked` divides each of several, `grid` shades every value. */
export type ChartKind = 'line' | 'area' | 'bars' | 'share' | 'stacked' | 'grid'

export const partColor = (index: number) => `var(--gh-chart-${index + 1})`
export const grey = 'var(--gh-outline)'
/** The present measures take the colours in order, those of the period before are grey. */
export function colorsOf(series: readonly ChartSeries[]): string[] {
  let next = 0
  return series.map(({ previous }) => (previous ? grey : partColor(next++)))
}
export const valueOf = (row: ChartRow, series: ChartSeries): number | null => row.values[series.key] ?? null

/** The table of a chart, its headings first. */
export const chartTable = ({ heading, series, rows }: ChartData): (string | number)[][] => [
  [heading, ...series.map(({ label }) => label)],
  ...rows.map((row) => [row.label, ...series.map((one) => valueOf(row, one) ?? '')]),
]

const cell = (value: string | number) => (typeof value === 'number' ? String(value) : guardText(value))
const quoted = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** As the server writes its tables: guarded against formulas, with a byte order mark for spreadsheets. */
export const chartCsv = (data: ChartData): string =>
  `\ufeff${chartTable(data)
    .map((row) => `${row.map((value) => quoted(cell(value))).join(',')}\r\n`)
    .join('')}`

/** For the clipboard; a spreadsheet takes each part for a cell. */
export const chartClipboard = (data: ChartData): string =>
  chartTable(data)
    .map((row) => row.map((value) => cell(value).replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')

/** Largest first; beyond `most`, the rest counts as one row. */
export function largestFirst(data: ChartData, most: number, other: string): ChartRow[] {
  const [series] = data.series
  if (!series) return []
  const sorted = data.rows.toSorted((a, b) => (valueOf(b, series) ?? 0) - (valueOf(a, series) ?? 0))
  if (sorted.length <= most) return sorted
  const rest = sorted.slice(most - 1).reduce((sum, row) => sum + (valueOf(row, series) ?? 0), 0)
  return [...sorted.slice(0, most - 1), { key: otherKey, label: other, values: { [series.key]: rest } }]
}
export const otherKey = ' other'

/** Round figures from zero, or from below where a value is negative, to above the highest value. */
export function axisTicks(values: readonly number[], wanted = 4): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const rough = (high - low || 1) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  const first = Math.floor(low / step)
  return Array.from({ length: Math.max(1, Math.ceil(high / step)) - first + 1 }, (_, index) => (first + index) * step)
}

/** Where labels stand that would overlap: pushed apart to `gap`, in the order of what they name, inside 0 to `height`. */
export function pushedApart(places: readonly number[], gap: number, height: number): number[] {
  const order = places.map((place, index) => ({ place, index })).toSorted((a, b) => a.place - b.place)
  order.forEach((one, at) => (one.place = Math.max(one.place, at === 0 ? 0 : (order[at - 1]?.place ?? 0) + gap)))
  const over = (order.at(-1)?.place ?? 0) - height
  if (over > 0) {
    order.reverse().forEach((one, at) => (one.place = Math.min(one.place, at === 0 ? height : (order[at - 1]?.place ?? 0) - gap)))
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ place }) => place)
}
