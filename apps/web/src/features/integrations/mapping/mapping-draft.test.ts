import { expect, test } from 'vitest'
import { mapping } from '../integrations-testing.ts'
import { draftOf, emptyRow, faultsOf, isChanged, sentRows, suggested } from './mapping-draft.ts'
import type { DraftRow } from './mapping-draft.ts'

const row = (key: string, part: Partial<DraftRow>): DraftRow => ({ ...emptyRow('in'), key, ours: 'city', theirs: 'Town', ...part })

test('two of theirs into one of ours are refused, and two of ours into one of theirs', () => {
  expect(faultsOf([row('a', {}), row('b', { theirs: 'Place' })]).get('b')).toEqual({ field: 'ours', kind: 'taken', by: 0 })
  expect(faultsOf([row('a', { direction: 'out' }), row('b', { direction: 'both', ours: 'street' })]).get('b')).toEqual({
    ...{ field: 'theirs', kind: 'taken', by: 0 },
  })
  // In from one field and out into another do not meet.
  expect(faultsOf([row('a', { direction: 'in' }), row('b', { direction: 'out', theirs: 'Place' })]).size).toBe(0)
  // One of theirs may fill two of ours.
  expect(faultsOf([row('a', {}), row('b', { ours: 'street' })]).size).toBe(0)
})

test('a side that is not chosen is missing', () => {
  expect(faultsOf([row('a', { theirs: ' ' })]).get('a')).toEqual({ field: 'theirs', kind: 'missing' })
  expect(faultsOf([row('a', { ours: '' })]).get('a')).toEqual({ field: 'ours', kind: 'missing' })
})

test('fields that are called alike are suggested once, whatever their spelling', () => {
  const found = suggested(mapping, [], 'in')
  expect(found.map(({ ours, theirs }) => [ours, theirs])).toEqual([
    ['givenName', 'First name'],
    ['familyName', 'Family name'],
    ['primaryEmail', 'E-mail'],
    ['city', 'Town'],
  ])
  expect(suggested(mapping, found, 'in')).toEqual([])
})

test('a draft is changed by its rows, its matching, or what happens with missing records', () => {
  const draft = draftOf(mapping)
  expect(isChanged(draft, mapping)).toBe(false)
  expect(sentRows(draft.rows)).toEqual(mapping.mapping)
  expect(isChanged({ ...draft, rows: draft.rows.slice(1) }, mapping)).toBe(true)
  expect(isChanged({ ...draft, onMissing: 'ask' }, mapping)).toBe(true)
})
