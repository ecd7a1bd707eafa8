import type { ExportTime } from './export-people.ts'
import type { ImportTime } from './import-people.ts'
import type { Measured } from './measure.ts'
import { firstPage, nextPage, personPage } from './pages.ts'
import type { Timing } from './pages.ts'
import type { Comparison, RivalName, Side } from './people-page.ts'

/** The first row says what the columns are. */
export type Table = readonly (readonly string[])[]

/** Of their answers per second, what the product must reach. */
const rivals: Record<RivalName, { name: string; wanted: number }> = {
  bare: { name: 'bare server, four trips', wanted: 1 },
  oneTrip: { name: 'bare server, one trip: the floor', wanted: 0.6 },
  postgraphile: { name: 'PostGraphile 5', wanted: 3 },
}
/** For 50,000 people on two cores. */
const importLimit = { seconds: 60, growth: 300 }
/** How much longer the largest organisation may wait than the smallest. */
const growthLimit = 1.3

/** Columns as wide as their widest cell; numbers to the right. */
export function table(rows: Table): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Array.from(row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')
  const [head = [], ...body] = rows
  return [line(head), widths.map((width) => '─'.repeat(width)).join('──'), ...body.map(line)].join('\n')
}

export function markdownTable(rows: Table): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...body.map(line)].join('\n')
}

export const round = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })

export const missed = (bad: boolean) => (bad ? ' ✗' : '')

export function ratioTable(what: string, { ours, against }: Comparison, least?: number): Table {
  const cpu = (side: Side) => [side.cpu.server, side.cpu.database].map((milliseconds) => round(milliseconds, 2))
  return [
    [`${what}, 16 connections`, 'answers/s', 'product to it', 'wanted', 'of each round', 'CPU ms each', 'in the database'],
    ['product', round(ours.perSecond), '', '', '', ...cpu(ours)],
    ...against.map(({ name, side, ratio, ratios }) => [
      rivals[name].name,
      round(side.perSecond),
      round(ratio, 2),
      wantedOf(least && name === 'bare' ? least : rivals[name].wanted, ratio),
      ratios.map((each) => round(each, 2)).join(' '),
      ...cpu(side),
    ]),
  ]
}

const wantedOf = (wanted: number, ratio: number) => `≥ ${wanted}${missed(ratio < wanted)}`

export function timingTable(timings: readonly Timing[]): Table {
  return [
    ['waiting for', 'users', 'p50 ms', 'p95 ms', 'p99 ms', 'wanted p95', 'answers/s', 'failed'],
    ...timings.map(({ what, users, p50, p95, p99, limitMs, perSecond, failed }) => [
      what,
      String(users),
      ...[p50, p95, p99].map((milliseconds) => round(milliseconds, 1)),
      `≤ ${limitMs}${missed(p95 > limitMs)}`,
      round(perSecond),
      failed === 0 ? '' : `${failed} ✗`,
    ]),
  ]
}

export function importTable({ rows, megabytes, uploadSeconds, checkSeconds, runSeconds, growth, counts }: ImportTime): Table {
  const total = uploadSeconds + checkSeconds + runSeconds
  const compared = rows === 50_000
  return [
    [`import of ${round(rows)} people, ${round(megabytes, 1)} MB`, 'measured', 'wanted'],
    ['upload', `${round(uploadSeconds, 1)} s`, ''],
    ['dry run with duplicate check', `${round(checkSeconds, 1)} s`, ''],
    ['import', `${round(runSeconds, 1)} s`, ''],
    ['altogether', `${round(total, 1)} s`, compared ? `≤ ${importLimit.seconds} s${missed(total > importLimit.seconds)}` : ''],
    [
      'growth of the worker',
      megabytesOf(growth),
      compared ? `≤ ${importLimit.growth} MB${missed((growth ?? 0) > importLimit.growth)}` : '',
    ],
    ['outcome', counts, ''],
  ]
}

export function exportTable({ rows, seconds, megabytes, growth }: ExportTime): Table {
  return [
    [`export of everybody, ${round(megabytes, 1)} MB`, 'measured'],
    ['rows', round(rows)],
    ['asked for, written, fetched', `${round(seconds, 1)} s`],
    ['rows a second', round(rows / seconds)],
    ['growth of the worker', megabytesOf(growth)],
  ]
}

export function memoryTable(memory: Measured['memory']): Table {
  return [
    ['resident memory', 'at first', 'at its highest'],
    ...memory.map(({ what, before, peak }) => [what, megabytesOf(before), megabytesOf(peak)]),
  ]
}

const megabytesOf = (megabytes: number | null | undefined) => (megabytes == null ? 'unknown' : `${round(megabytes)} MB`)

/** What one user waits in the largest organisation against the smallest. */
export function growthTable(measured: readonly Measured[]): Table {
  return [
    ['median ms, one user', ...measured.map(({ people }) => `${round(people)} people`), 'growth', 'wanted'],
    ...[firstPage, nextPage, personPage].map((what) => {
      const medians = measured.map(({ timings }) => timings.find((timing) => timing.what === what && timing.users === 1)?.p50 ?? Number.NaN)
      const growth = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN)
      return [what, ...medians.map((value) => round(value, 2)), round(growth, 2), `≤ ${growthLimit}${missed(growth > growthLimit)}`]
    }),
  ]
}

export const tablesOf = ({ next, first, membership, timings, imported, exported, memory }: Measured): Table[] => [
  ratioTable('50 people after a cursor', next),
  ratioTable('50 people with type and term of their membership', membership, 0.9),
  ratioTable('the first 50 and their total', first),
  timingTable(timings),
  ...(imported ? [importTable(imported)] : []),
  exportTable(exported),
  memoryTable(memory),
]
