import { expect, test } from 'vitest'
import { count } from './vitest-run.ts'

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((each) => ({ status: each })),
})

test('passed and failed tests are counted over all files, skipped ones are neither', () => {
  const testResults = [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'passed', 'failed')]
  expect(count({ testResults }, 1)).toEqual({ passed: 3, failed: 1 })
})

test('a file that cannot be loaded is a failed test', () => {
  expect(count({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 })
})

test('a run that ended badly without a failed test is a failed test', () => {
  expect(count({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 })
})
