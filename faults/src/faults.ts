/** `npm run faults`: breaks the running product in every way we promised to stand. `npm run faults -- import --seed 7 --kills 5` runs one of them. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { runCase } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, kills: { type: 'string' }, size: { type: 'string' }, short: { type: 'boolean' }, list: { type: 'boolean' } },
}) // prettier-ignore
const unknown = positionals.filter((name) => !cases.some((one) => one.name === name))
if (values.list || unknown.length > 0) {
  const widest = Math.max(...cases.map(({ name }) => name.length))
  if (unknown.length > 0) console.error(`There is no ${unknown.join(', ')}. There are:\n`)
  console.log(
    cases.map(({ name, about, onDemand }) => `  ${name.padEnd(widest)}  ${about}${onDemand ? ' (only when named)' : ''}`).join('\n'),
  )
  process.exit(unknown.length > 0 ? 2 : 0)
}
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const chosen = cases.filter(({ name, onDemand, short }) =>
  positionals.length > 0 ? positionals.includes(name) : !onDemand && (!values.short || short),
)
let [passed, failed] = [0, 0]
for (const one of chosen) {
  const amount = (values.short && one.short) || one.full
  const kills = values.kills === undefined ? amount.kills : Number(values.kills)
  const size = values.size === undefined ? amount.size : Number(values.size)
  console.log(`\n${one.name}: ${one.about}\n  seed ${seed}, kills ${kills}, size ${size}`)
  const started = performance.now()
  const checks = await runCase(one, { seed, kills, size }, (line) => console.log(`  ${line}`))
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  passed += checks.filter(({ ok }) => ok).length
  failed += checks.filter(({ ok }) => !ok).length
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
