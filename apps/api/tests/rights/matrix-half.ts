import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import type { Operation } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { canariesIn } from './canaries.ts'
import { runMatrix } from './matrix.ts'

// These say which records a caller does not see, which every other answer is held against.
const readsRecord = ({ method, url }: Operation) => method === 'GET' && url.endsWith('}')

/** Asks every second procedure, so that two files share the work of all. */
export function matrixHalf(half: 0 | 1): void {
  const mine = operations.filter((operation, index) => index % 2 === half || readsRecord(operation))
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage(`rights${half}`)
  })
  afterAll(() => stage.end())

  test(
    `half ${half + 1}: every principal is answered by every procedure as the policy says, about every relation`,
    { timeout: 3_600_000 },
    async () => {
      const before = await stage.journal.checksum()
      const { checks, calls, findings, reached } = await runMatrix(stage, undefined, mine)
      console.log(
        `authorization matrix, half ${half + 1}: ${mine.length} of ${operations.length} procedures, ${calls} calls, ${checks} checks, ${findings.length} findings`,
      )
      expect(findings).toEqual([])
      expect(mine.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual([])
      expect(await stage.journal.checksum(), 'all rows are as before').toBe(before)
      expect(canariesIn(stage.logged.join('')), 'the log holds nothing that people entered').toEqual([])
    },
  )
}
