import { defineConfig } from 'vitest/config'
import { workers } from './src/product.ts'

/** Journeys of one file share a running product, and so go one after another; files run side by side on products of their own. */
export default defineConfig({
  test: {
    name: 'journeys',
    root: import.meta.dirname,
    include: ['journeys/**/*.e2e.ts', 'src/**/*.e2e.ts'],
    globalSetup: ['src/product.ts'],
    fileParallelism: workers > 1,
    maxWorkers: workers,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
