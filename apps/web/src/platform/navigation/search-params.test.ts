import { expect, test } from 'vitest'
import { asDay, asFlag, asId, asOneOf, asText, asTexts, searchParams } from './search-params.ts'

const read = searchParams({ q: asText(5), new: asFlag, layout: asOneOf('table', 'cards'), columns: asTexts, panel: asId })

test('what makes sense is kept', () => {
  const given = { q: 'ada', new: 1, layout: 'cards', columns: ['name'], panel: '0190a000-0000-7000-8000-000000000001' }
  expect(read(given)).toEqual(given)
  expect(read({ q: 42 })).toEqual({ q: '42' })
})

test('what makes none is dropped, and what is unknown too', () => {
  expect(Object.keys(read({ q: 'too long' }))).toEqual(['q', 'new', 'layout', 'columns', 'panel'])
  expect(read({ q: 'too long', new: 2, layout: 'map', columns: [1], panel: 'x', other: 1 })).toEqual({})
  expect(read({ q: {}, columns: 'name' })).toEqual({})
})

test('a day is one that exists', () => {
  expect(['2026-02-28', '2026-02-30', '2026-13-01', 'yesterday', 20260228].map(asDay)).toEqual([
    '2026-02-28',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
