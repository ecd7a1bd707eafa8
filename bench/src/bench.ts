/** `npm run bench`: measures the product as it runs, in one go. `npm run bench -- --people 100000` takes one size instead of three. */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { timeImport } from './import-people.ts'
import { timePages } from './pages.ts'
import { comparePages } from './people-page.ts'
import { importTable, ratioTable, round, timingTable } from './report.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000,100000,1000000' },
    pairs: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    import: { type: 'string', default: '50000' },
  },
})
const sizes = values.people.split(',').map(Number)
const [pairs, seconds, imported] = [Number(values.pairs), Number(values.seconds), Number(values.import)]
const whole = [...sizes, pairs, seconds, imported].every((number) => Number.isInteger(number) && number >= 0)
if (!whole || Math.min(...sizes) < 2_000 || pairs < 1 || seconds < 1) {
  console.error('Give whole numbers: --people 10000,100000 (2,000 at least) --pairs 6 --seconds 4 --import 50000 (0 for none)')
  process.exit(1)
}
const log = (line: string) => console.error(`  ${line}`)
const load = () =>
  `load average ${loadavg()
    .map((average) => round(average, 1))
    .join(' ')} on ${cpus().length} cores`

let stage: Stage | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void (stage?.stop() ?? Promise.resolve()).finally(() => process.exit(130)))
}

for (const people of sizes) {
  stage = await setStage(people, log)
  try {
    console.log(
      `\n${round(people)} people, loaded in ${round(stage.loadSeconds, 1)} s; Node ${process.version}, PostgreSQL ${stage.version}, ${load()}\n`,
    )
    const { next, first } = await comparePages(stage, pairs, seconds)
    console.log(ratioTable(next, first))
    console.log(`\n${timingTable(await timePages(stage, log))}`)
    if (imported > 0) console.log(`\n${importTable(await timeImport(stage, imported, log))}`)
    console.log(`\n${load()}`)
  } finally {
    await stage.stop()
    stage = undefined
  }
}
