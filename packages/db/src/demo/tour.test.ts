import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { candidatesOf } from './candidates.ts'
import { groupsOf } from './groups.ts'
import { planOf } from './plan.ts'

const fixture = (file: string) => readFileSync(new URL(`../../../../e2e/fixtures/us-congress/${file}`, import.meta.url), 'utf8')
/** First cells of a file, by which its rows are known. */
const keysOf = (file: string) =>
  fixture(file)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]?.toLowerCase() ?? '')

describe('the guided tour and the demo organisation', () => {
  const sizes = ['small', 'demo', 'large'] as const

  test.each(sizes)('no code of a chapter or group means one of each (%s)', (size) => {
    const plan = planOf({ size, today: '2026-11-21', people: 2000 })
    const toured = new Set(keysOf('chapters.csv'))
    expect(toured.size).toBeGreaterThan(400)
    expect(plan.chapters.filter(({ code }) => toured.has(code.toLowerCase()))).toEqual([])
    // A chapter may be given by its name too.
    expect(plan.chapters.filter(({ name }) => toured.has(name.toLowerCase()))).toEqual([])
    const groups = new Set(keysOf('groups.csv'))
    expect(groupsOf(plan, candidatesOf(plan)).all.filter(({ code }) => groups.has(code.toLowerCase()))).toEqual([])
  })

  test('no member number means one of each', () => {
    // Those of the demo are M-100000 and up.
    expect(keysOf('people.csv').filter((no) => no.startsWith('m-'))).toEqual([])
  })
})
