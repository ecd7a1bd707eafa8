/** `npm test`: every test there is, and as its last line how many passed and failed. `npm test -- people` runs those of matching files only. */
import { chromium } from './chromium.ts'
import { conclude } from './report.ts'
import { vitestRun } from './vitest-run.ts'

const filters = process.argv.slice(2)
const tests = await vitestRun(filters)
const browser = await chromium()
const noBrowser = {
  name: 'journeys',
  message: 'The browser journeys need a Chromium: install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.',
}
const journeys = browser
  ? await vitestRun(['--config', 'e2e/vitest.config.ts', ...filters], { CHROMIUM_PATH: browser })
  : { passed: 0, failures: [noBrowser] }
const failures = [...tests.failures, ...journeys.failures]
const passed = tests.passed + journeys.passed
if (passed + failures.length === 0) console.error(`No test matches ${filters.join(' ')}.`)
conclude(passed, failures)
