/**
 * `npm run fuzz -- --cases 250000 --seed 7 --operation createPerson`: generated requests in any number, with the same seed the same ones.
 * `npm run fuzz -- --walks 100000`: so many steps of random walks through what a membership may become, and nothing else.
 */
import { parseArgs } from 'node:util'
import { conclude } from './report.ts'
import { vitestRun } from './vitest-run.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '250000' },
    seed: { type: 'string' },
    operation: { type: 'string' },
    walks: { type: 'string' },
  },
})
const { passed, failures } = await vitestRun(['--project', 'api', values.walks ? 'apps/api/tests/fuzz/walks' : 'apps/api/tests/fuzz'], {
  env: {
    FUZZ_CASES: values.cases,
    ...(values.walks ? { FUZZ_WALKS: values.walks } : {}),
    ...(values.seed ? { FUZZ_SEED: values.seed } : {}),
    ...(values.operation ? { FUZZ_OPERATION: values.operation } : {}),
  },
})
conclude(passed, failures)
