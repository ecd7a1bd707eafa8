import { expect, test } from 'vitest'
import { tree } from './repository.ts'
import { rowIds, testsOfRows } from './sign-in-rows.ts'

const untested = (tests: Map<string, string[]>) => rowIds.filter((id) => tests.get(id)?.length === 0)

test('every row of what sign-in must do has a test that names it', () => {
  expect(rowIds).toHaveLength(new Set(rowIds).size)
  expect(untested(testsOfRows())).toEqual([])
})

test('a row that no test names is noticed (the control)', () => {
  const { files, read } = tree()
  const without = testsOfRows({ files, read: (file) => read(file).replaceAll(/\b(S4-6|N21)\b/g, 'something') })
  expect(untested(without)).toEqual(['S4-6', 'N21'])
})
