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
const projects = ['--project', 'db', '--project', 'api']
// Rules are plain calls: they know no database, and npm test has run them. What asks everything of every procedure takes longest and sends the
// statements that the features' own tests send; by name it runs here too.
const leftOut = ['--exclude', '**/*.rules.test.ts', '--exclude', 'apps/api/tests/**']
const filters = process.argv.slice(2)
const env = { TEST_PG_BIN: bin }
const { passed, failures } =
  filters.length === 0 ? await vitestRunTwice([...projects, ...leftOut], { env }) : await vitestRun([...projects, ...filters], { env })
conclude(passed, failures)
