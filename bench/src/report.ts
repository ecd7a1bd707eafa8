import type { ImportTime } from './import-people.ts'
import type { Timing } from './pages.ts'
import type { Ratio } from './people-page.ts'

/** Of the bare server's answers per second, what the product must reach. */
const wantedRatio = 0.8
/** For 50,000 people on two cores. */
const importLimit = { seconds: 60, growth: 300 }

/** Columns as wide as their widest cell; numbers to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Array.from(row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')
  const [head = [], ...body] = rows
  return [line(head), widths.map((width) => '─'.repeat(width)).join('──'), ...body.map(line)].join('\n')
}

export const round = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })

export const missed = (bad: boolean) => (bad ? ' ✗' : '')

export function ratioTable(next: Ratio, first: Ratio): string {
  const row = (what: string, { ours, bare, ratio, ratios }: Ratio, wanted: string) => [
    what,
    round(ours.perSecond),
    round(bare.perSecond),
    round(ratio, 2),
    ratios.map((each) => round(each, 2)).join(' '),
    wanted,
    ...[ours, bare].flatMap(({ cpu }) => [cpu.server, cpu.database].map((milliseconds) => round(milliseconds, 2))),
  ]
  return table([
    [
      '50 people per page, 16 connections',
      'product/s',
      'bare/s',
      'ratio',
      'of each pair',
      'wanted',
      'CPU ms: product',
      'its database',
      'bare',
      'its database',
    ],
    row('a page after a cursor', next, `≥ ${wantedRatio}${missed(next.ratio < wantedRatio)}`),
    row('the first page with its total', first, ''),
  ])
}

export function timingTable(timings: readonly Timing[]): string {
  return table([
    ['waiting for', 'users', 'p50 ms', 'p95 ms', 'p99 ms', 'wanted p95', 'answers/s', 'failed'],
    ...timings.map(({ what, users, p50, p95, p99, limitMs, perSecond, failed }) => [
      what,
      String(users),
      ...[p50, p95, p99].map((milliseconds) => round(milliseconds, 1)),
      `≤ ${limitMs}${missed(p95 > limitMs)}`,
      round(perSecond),
      failed === 0 ? '' : `${failed} ✗`,
    ]),
  ])
}

export function importTable({ rows, megabytes, uploadSeconds, checkSeconds, runSeconds, growth, counts }: ImportTime): string {
  const total = uploadSeconds + checkSeconds + runSeconds
  const compared = rows === 50_000
  return table([
    [`import of ${round(rows)} people, ${round(megabytes, 1)} MB`, 'measured', 'wanted'],
    ['upload', `${round(uploadSeconds, 1)} s`, ''],
    ['dry run with duplicate check', `${round(checkSeconds, 1)} s`, ''],
    ['import', `${round(runSeconds, 1)} s`, ''],
    ['altogether', `${round(total, 1)} s`, compared ? `≤ ${importLimit.seconds} s${missed(total > importLimit.seconds)}` : ''],
    [
      'growth of the worker',
      growth === null ? 'unknown' : `${round(growth)} MB`,
      compared ? `≤ ${importLimit.growth} MB${missed((growth ?? 0) > importLimit.growth)}` : '',
    ],
    ['outcome', counts, ''],
  ])
}
