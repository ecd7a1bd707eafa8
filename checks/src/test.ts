/**
 * `npm test`: every test there is, and as its last line how many passed and failed. `npm test -- people` runs those of matching files only,
 * `npm test -- --changed` those that the work since main can affect.
 */
import { affectedBy, changedSince, startOfChange } from './changed.ts'
import { chromium } from './chromium.ts'
import { conclude } from './report.ts'
import type { TestOutcome } from './test-outcome.ts'
import { vitestRun, vitestRunTwice } from './vitest-run.ts'

const args = process.argv.slice(2)
const runAll = args.length === 0 ? vitestRunTwice : vitestRun
const onlyChanged = args.includes('--changed')
const { tests, journeys } = onlyChanged ? changedOnly(args.filter((arg) => arg !== '--changed')) : all(args)
// One after the other: rules that are told by the clock hold in both, and a processor that has to be shared breaks them.
const outcomes = [await inTurn(tests), journeys && (await journeysRun(journeys))]
const passed = outcomes.reduce((sum, outcome) => sum + (outcome?.passed ?? 0), 0)
const failures = outcomes.flatMap((outcome) => outcome?.failures ?? [])
if (passed + failures.length === 0) console.error(onlyChanged ? 'No test is affected.' : `No test matches ${args.join(' ')}.`)
conclude(passed, failures)
if (onlyChanged && failures.length === 0) process.exitCode = 0

/** What to run: Vitest's arguments for each of its runs, and for the journeys. */
type Plan = { tests: string[][]; journeys: string[] | undefined }

function all(filters: string[]): Plan {
  return { tests: [filters], journeys: filters }
}

function changedOnly(filters: string[]): Plan {
  const start = startOfChange()
  const { database, journeys } = affectedBy(changedSince(start))
  const related = ['--changed', start, ...filters]
  return {
    tests: database
      ? [
          ['--project', 'db', '--project', 'api', ...filters],
          ['--project', '!db', '--project', '!api', ...related],
        ]
      : [related],
    journeys: journeys === 'all' ? filters : journeys.length > 0 ? journeys.map((name) => `journeys/${name}`) : undefined,
  }
}

async function inTurn(runs: string[][]): Promise<TestOutcome> {
  const whole: TestOutcome = { passed: 0, failures: [] }
  for (const run of runs) {
    const { passed, failures } = await runAll(run)
    whole.passed += passed
    whole.failures.push(...failures)
  }
  return whole
}

async function journeysRun(filters: string[]): Promise<TestOutcome> {
  const browser = await chromium()
  if (!browser) {
    const message = 'The browser journeys need a Chromium: install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.'
    return { passed: 0, failures: [{ name: 'journeys', message }] }
  }
  return runAll(['--config', 'e2e/vitest.config.ts', ...filters], { env: { CHROMIUM_PATH: browser } })
}
