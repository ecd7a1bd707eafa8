/** `npm run bench`: measures the product as it runs, in one go. `npm run bench -- --people 100000` takes one size instead of three. */
import { parseArgs } from 'node:util'
import { comparePages } from './people-page.ts'
import type { Ratio } from './people-page.ts'
import { timePages } from './pages.ts'
import { setStage } from './stage.ts'
import { round, table } from './table.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000,100000,1000000' },
    pairs: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
  },
})
const sizes = values.people.split(',').map(Number)
const [pairs, seconds] = [Number(values.pairs), Number(values.seconds)]
if (![...sizes, pairs, seconds].every((number) => Number.isInteger(number) && number > 0) || Math.min(...sizes) < 2_000) {
  console.error('Give whole numbers: --people 10000,100000 (2,000 at least) --pairs 6 --seconds 4')
  process.exit(1)
}
const log = (line: string) => console.error(`  ${line}`)
/** Of the bare server's answers per second, what the product must reach. */
const wantedRatio = 0.8

for (const people of sizes) {
  console.log(`\n${round(people)} people\n`)
  const stage = await setStage(people, log)
  try {
    log(`loaded in ${round(stage.loadSeconds, 1)} s`)
    const { next, first } = await comparePages(stage, pairs, seconds)
    console.log(
      table([
        ['50 people per page, 16 connections', 'product/s', 'bare/s', 'ratio', 'of pairs', 'wanted'],
        ratioRow('a page after a cursor', next, `≥ ${wantedRatio}`),
        ratioRow('the first page with its total', first, ''),
      ]),
    )
    const timings = await timePages(stage, log)
    console.log(
      `\n${table([
        ['waiting for', 'users', 'p50 ms', 'p95 ms', 'p99 ms', 'wanted p95', 'answers/s'],
        ...timings.map(({ what, users, p50, p95, p99, limitMs, perSecond }) => [
          what,
          String(users),
          round(p50, 1),
          round(p95, 1),
          round(p99, 1),
          limitMs === null ? '' : `≤ ${limitMs}${p95 > limitMs ? ' ✗' : ''}`,
          round(perSecond),
        ]),
      ])}`,
    )
  } finally {
    await stage.stop()
  }
}

function ratioRow(what: string, { ours, bare, ratio, ratios }: Ratio, wanted: string): string[] {
  return [what, round(ours), round(bare), round(ratio, 2), ratios.map((each) => round(each, 2)).join(' '), wanted]
}
