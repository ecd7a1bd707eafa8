import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { canariesIn } from './canaries.ts'
import { runMatrix } from './matrix.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('rights')
})
afterAll(() => stage.end())

test('every principal is answered by every procedure as the policy says, about every relation', { timeout: 300_000 }, async () => {
  const before = await stage.journal.checksum()
  const { checks, calls, findings, reached } = await runMatrix(stage)
  console.log(`authorization matrix: ${operations.length} procedures, ${calls} calls, ${checks} checks, ${findings.length} findings`)
  expect(findings).toEqual([])
  expect(operations.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual([])
  expect(await stage.journal.checksum(), 'all rows are as before').toBe(before)
  expect(canariesIn(stage.logged.join('')), 'the log holds nothing that people entered').toEqual([])
})
