import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const node = (name: string, include: string[], database: boolean) => ({
  test: {
    name,
    include,
    environment: 'node',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    ...(database ? { globalSetup: ['checks/src/test-database.ts'] } : {}),
  },
})
const web = 'apps/web/vitest.config.ts'

export default defineConfig({
  test: {
    // By itself Vitest leaves one core free, which is half of a small machine.
    maxWorkers: '100%',
    projects: [
      node('contract', ['packages/contract/**/*.test.ts'], false),
      node('db', ['packages/db/**/*.test.ts'], true),
      node('api', ['apps/api/**/*.test.ts'], true),
      node('dev', ['apps/dev/**/*.test.ts'], true),
      node('checks', ['checks/src/**/*.test.ts'], false),
      node('faults', ['faults/**/*.test.ts'], false),
      ...(existsSync(web) ? [web] : []),
    ],
  },
})
