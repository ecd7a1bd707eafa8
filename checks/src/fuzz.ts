/** `npm run fuzz -- --cases 250000 --seed 7 --operation createPerson`: generated requests in any number, with the same seed the same ones. */
import { parseArgs } from 'node:util'
import { summary } from './report.ts'
import { vitestRun } from './vitest-run.ts'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '250000' }, seed: { type: 'string' }, operation: { type: 'string' } },
})
const { passed, failed } = await vitestRun(['--project', 'api', 'apps/api/tests/fuzz'], {
  FUZZ_CASES: values.cases,
  ...(values.seed ? { FUZZ_SEED: values.seed } : {}),
  ...(values.operation ? { FUZZ_OPERATION: values.operation } : {}),
})
console.log(summary(passed, failed))
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
