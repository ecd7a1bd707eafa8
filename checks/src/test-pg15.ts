/** `npm run test:pg15`: what depends on the database, on the oldest PostgreSQL that we support. */
import { existsSync } from 'node:fs'
import { install } from './chromium.ts'
import { conclude } from './report.ts'
import { vitestRun, vitestRunTwice } from './vitest-run.ts'

const bin = process.env['TEST_PG_BIN'] ?? '/usr/lib/postgresql/15/bin'
if (!existsSync(`${bin}/postgres`) && !(await install('postgresql-15'))) {
  console.error(`There is no PostgreSQL 15 in ${bin}, and none could be installed; name its folder in TEST_PG_BIN.`)
  process.exit(1)
}
// Rules are plain calls: they know no database, and npm test has run them.
const projects = ['--project', 'db', '--project', 'api', '--exclude', '**/*.rules.test.ts']
const filters = process.argv.slice(2)
const run = filters.length === 0 ? vitestRunTwice : vitestRun
const { passed, failures } = await run([...projects, ...filters], { env: { TEST_PG_BIN: bin } })
conclude(passed, failures)
