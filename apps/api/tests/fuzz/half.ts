import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { fuzz } from './fuzz.ts'

const total = Number(process.env['FUZZ_CASES'] ?? 30_000)
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const wanted = process.env['FUZZ_OPERATION']

/** Fuzzes every second operation, so that two files share the work of all. */
export function fuzzHalf(half: 0 | 1): void {
  const mine = operations.filter(({ id }, index) => (wanted ? id === wanted : true) && index % 2 === half)
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage(`fuzz${half}`)
  })
  afterAll(() => stage.end())

  test.runIf(mine.length > 0)(
    `half ${half + 1}: no generated request brings an operation down or past its document`,
    { timeout: 3_600_000 },
    async () => {
      const start = performance.now()
      const { cases, statuses, reached, findings } = await fuzz(stage, mine, { cases: wanted ? total : total / 2, seed })
      const seconds = (performance.now() - start) / 1000
      const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
      console.log(
        `fuzz, half ${half + 1}: ${cases} cases of ${mine.length} operations in ${seconds.toFixed(0)} s, seed ${seed}; ${counted.join(', ')}`,
      )
      expect(findings.join('\n\n')).toBe('')
      expect(mine.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual([])
    },
  )
}
