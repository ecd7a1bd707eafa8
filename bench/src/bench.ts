/**
 * `npm run bench`: measures the product as it runs, in one go. `npm run bench -- --people 100000` takes one size instead of three, `--write` puts
 * the tables into docs/performance.md.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measure } from './measure.ts'
import type { Measured } from './measure.ts'
import { writePerformancePage } from './performance-page.ts'
import { growthTable, round, table, tablesOf } from './report.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    import: { type: 'string', default: '50000' },
    write: { type: 'boolean', default: false },
  },
})
const sizes = values.people.split(',').map(Number)
const [rounds, seconds, imported] = [Number(values.rounds), Number(values.seconds), Number(values.import)]
const whole = [...sizes, rounds, seconds, imported].every((number) => Number.isInteger(number) && number >= 0)
if (!whole || Math.min(...sizes) < 2_000 || rounds < 1 || seconds < 1) {
  console.error('Give whole numbers: --people 10000,100000 (2,000 at least) --rounds 5 --seconds 3 --import 50000 (0 for none)')
  process.exit(1)
}
const log = (line: string) => console.error(`  ${line}`)
const load = () =>
  loadavg()
    .map((average) => round(average, 1))
    .join(' ')

let stage: Stage | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void (stage?.stop() ?? Promise.resolve()).finally(() => process.exit(130)))
}

const started = performance.now()
const before = load()
const measured: Measured[] = []
for (const people of sizes) {
  stage = await setStage(people, log)
  try {
    console.log(
      `\n${round(people)} people, loaded in ${round(stage.loadSeconds, 1)} s; Node ${process.version}, PostgreSQL ${stage.version}, load average ${load()} on ${cpus().length} cores`,
    )
    const found = await measure(stage, { rounds, seconds, imported }, log)
    for (const each of tablesOf(found)) console.log(`\n${table(each)}`)
    measured.push(found)
  } finally {
    await stage.stop()
    stage = undefined
  }
}
if (measured.length > 1) console.log(`\n${table(growthTable(measured))}`)
console.log(`\nload average ${load()}; ${round((performance.now() - started) / 60_000, 1)} minutes in all`)
if (values.write) writePerformancePage(measured, { before, after: load() })
