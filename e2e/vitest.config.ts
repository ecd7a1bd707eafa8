import { defineConfig } from 'vitest/config'

/** Journeys share one running product and the two cores it needs, so they go one after another. */
export default defineConfig({
  test: {
    name: 'journeys',
    root: import.meta.dirname,
    include: ['journeys/**/*.e2e.ts', 'src/**/*.e2e.ts'],
    globalSetup: ['src/product.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
