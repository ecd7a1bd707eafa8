import { expect, test } from 'vitest'
import { failureLines } from './failures.ts'

const failures = (count: number, message: string) => Array.from({ length: count }, (_, index) => ({ name: `test ${index + 1}`, message }))
const long = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n')

test('each failure stands with the beginning of its message, without colours and empty lines', () => {
  expect(failureLines(failures(1, '\u001b[31mexpected 2\u001b[39m\n\n  to be 3'))).toEqual([
    'What failed:',
    '  test 1',
    '      expected 2',
    '        to be 3',
  ])
  expect(failureLines(failures(1, long))).toHaveLength(2 + 12)
  expect(failureLines([])).toEqual([])
})

test('many failures share a hundred lines, names before messages', () => {
  for (const count of [9, 30, 60, 99, 100, 500]) {
    const lines = failureLines(failures(count, long))
    expect(lines.length).toBeLessThanOrEqual(100)
    expect(lines.filter((line) => line.startsWith('  test')).length).toBeGreaterThanOrEqual(Math.min(count, 97))
  }
  expect(failureLines(failures(500, long)).at(-1)).toBe('  … and 402 more')
})
