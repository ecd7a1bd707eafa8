import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Measured } from './measure.ts'
import { growthTable, markdownTable, round, tablesOf } from './report.ts'

const page = new URL('../../docs/performance.md', import.meta.url).pathname
const [from, to] = ['<!-- measured: begin -->', '<!-- measured: end -->']

/** Puts what was measured into docs/performance.md, between its two marks; what stands around it is written by hand. */
export function writePerformancePage(measured: readonly Measured[], load: { before: string; after: string }): void {
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [text.indexOf(from), text.indexOf(to)]
  if (begin < 0 || end < begin) throw new Error(`docs/performance.md has lost its marks ${from} and ${to}.`)
  writeFileSync(page, `${text.slice(0, begin + from.length)}\n\n${results(measured, load)}\n\n${text.slice(end)}`)
  const formatted = spawnSync('prettier', ['--write', page], { encoding: 'utf8' })
  if (formatted.status !== 0) throw new Error(`prettier could not format ${page}: ${formatted.stderr}`)
}

function results(measured: readonly Measured[], load: { before: string; after: string }): string {
  const [processor] = cpus()
  const machine = `${cpus().length} cores of ${processor?.model.trim() ?? 'an unknown processor'}, ${round(totalmem() / 2 ** 30)} GB of memory, ${process.platform}`
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} on ${machine}; Node ${process.version}, PostgreSQL ${measured[0]?.version ?? ''}; everything, ` +
      `those who ask included, on this one machine. Load average at the beginning ${load.before}, at the end ${load.after}.`,
    ...(measured.length > 1 ? ['### Growth', markdownTable(growthTable(measured))] : []),
    ...measured.flatMap((one) => [
      `### ${round(one.people)} people`,
      `Loaded in ${round(one.loadSeconds, 1)} s.`,
      ...tablesOf(one).map(markdownTable),
    ]),
  ].join('\n\n')
}
