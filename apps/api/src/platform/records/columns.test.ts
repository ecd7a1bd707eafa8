import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'

test('fields become columns, and what is undefined is left as it is', () => {
  expect(columnsOf('app.groups', { name: 'Choir', joinPolicy: 'open', parentId: null, capacity: undefined })).toEqual({
    name: 'Choir',
    join_policy: 'open',
    parent_id: null,
  })
})

test('a field without a column is refused by the compiler', () => {
  // @ts-expect-error -- app.groups has no column join_rules
  expect(columnsOf('app.groups', { joinRules: 'open' })).toEqual({ join_rules: 'open' })
})
