import { expect, test } from 'vitest'
import { listAddress, lastDayOf } from './answer/list-address.ts'
import { askedOf, nothingAsked, ownQuestion, questionOf, sameQuestion, standardQuestion } from './reports-question.ts'
import { ages } from './reports-testing.ts'

test('a question and its address say the same', () => {
  const question = ownQuestion({
    ...nothingAsked,
    subject: 'gifts',
    group: ['on:quarter', 'fund'],
    measure: ['raised', 'donors'],
    filter: { and: [{ or: [{ field: 'method', op: 'in', value: ['card'] }] }] },
    span: 'lastYear',
    picture: 'grid',
  })
  expect(question).toMatchObject({ groupBy: [{ field: 'on', bucket: 'quarter' }, { field: 'fund' }], picture: 'grid' })
  expect(ownQuestion(askedOf(question))).toEqual(question)
  const standard = standardQuestion('giving', { ...nothingAsked, span: 'all', compare: 1, by: 'chapter' })
  expect(standard.range).toBeNull()
  expect(standardQuestion('giving', askedOf(standard))).toEqual(standard)
})

test('what a report cannot be asked is not asked', () => {
  expect(standardQuestion('officers', { ...nothingAsked, span: 'lastYear', compare: 1, asOf: '2024-01-31', by: 'month' })).toEqual({
    kind: 'standard',
    report: 'officers',
    chapterId: null,
    range: null,
    compare: false,
    asOf: '2024-01-31',
  })
})

test('a saved question is asked as it was saved until the address changes it', () => {
  const seed = standardQuestion('membership', { ...nothingAsked, compare: 1 })
  expect(questionOf(seed, {})).toBe(seed)
  const changed = questionOf(seed, { changed: 1, by: 'chapter' })
  expect(changed).toMatchObject({ compare: false, by: 'chapter' })
  expect(sameQuestion(changed, seed)).toBe(false)
  expect(sameQuestion(questionOf(seed, { changed: 1, compare: 1 }), seed)).toBe(true)
})

test('a figure leads to the list page only where it has the same filter', () => {
  const people = (filter?: { field: string; op: 'is'; value: string }) =>
    ownQuestion({ ...nothingAsked, subject: 'people', group: ['lifecycle'], ...(filter && { filter: { and: [{ or: [filter] }] } }) })
  const answer = { ...ages, dimensions: [{ key: 'lifecycle', kind: 'choice' as const, bucket: null }] }
  expect(decodeURIComponent(listAddress(people(), answer, ['active']) ?? '')).toBe(
    '/members?view=all&filter={"and":[{"or":[{"field":"lifecycle","op":"in","value":["active"]}]}]}',
  )
  expect(listAddress(people({ field: 'language', op: 'is', value: 'en' }), answer, ['active'])).toBeUndefined()
  expect(listAddress(people(), ages, ['26to35'])).toBeUndefined()
})

test.each([
  ['2026-11-01', 'month', '2026-11-30'],
  ['2026-10-01', 'quarter', '2026-12-31'],
  ['2024-02-26', 'week', '2024-03-03'],
  ['2026-01-01', 'year', '2026-12-31'],
] as const)('the %2$s from %1$s ends in time', (first, bucket, last) => {
  expect(lastDayOf(first, bucket)).toBe(last)
})
