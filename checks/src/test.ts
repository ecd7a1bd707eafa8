/** `npm test`: every test there is, and as its last line how many passed and failed. `npm test -- people` runs those of matching files only. */
import { chromium } from './chromium.ts'
import { summary } from './report.ts'
import { vitestRun } from './vitest-run.ts'

const filters = process.argv.slice(2)
const tests = await vitestRun(filters)
const browser = await chromium()
if (!browser) {
  console.error('The browser journeys need a Chromium: install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.')
}
const journeys = browser
  ? await vitestRun(['--config', 'e2e/vitest.config.ts', ...filters], { CHROMIUM_PATH: browser })
  : { passed: 0, failed: 1 }
const passed = tests.passed + journeys.passed
const failed = tests.failed + journeys.failed
if (passed + failed === 0) console.error(`No test matches ${filters.join(' ')}.`)
console.log(summary(passed, failed))
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
