import type { FieldMapping } from '@guildhall/contract/features/integrations'
import { describe, expect, test } from 'vitest'
import { compare, setOf } from './integrations.compare.rules.ts'
import type { Agreed } from './integrations.compare.rules.ts'

const sets = new Set(['tags'])
const field = (direction: FieldMapping['direction'] = 'both', rule: FieldMapping['rule'] = 'automatic', ours = 'city'): FieldMapping => ({
  ours,
  theirs: 'town',
  direction,
  rule,
})
const at = (one: FieldMapping, agreed: string | null | undefined, ours: string | null, theirs: string | null) =>
  compare([one], {
    agreed: agreed === undefined ? {} : { [one.ours]: { value: agreed } },
    ours: { [one.ours]: ours },
    theirs: { [one.ours]: theirs },
    sets,
  })
const change = (before: string | null, after: string | null, name = 'city') => [{ field: name, before, after }]
const nothing = { in: [], out: [], conflicts: [], waitIn: [], waitOut: [], settled: {} }

describe('a field that both sides agreed on', () => {
  test('is written where the other side changed it, in the direction of the mapping alone', () => {
    expect(at(field('both'), 'Bonn', 'Bonn', 'Köln')).toEqual({ ...nothing, in: change('Bonn', 'Köln') })
    expect(at(field('in'), 'Bonn', 'Bonn', 'Köln')).toEqual({ ...nothing, in: change('Bonn', 'Köln') })
    expect(at(field('out'), 'Bonn', 'Bonn', 'Köln')).toEqual(nothing)
    expect(at(field('both'), 'Bonn', 'Trier', 'Bonn')).toEqual({ ...nothing, out: change('Bonn', 'Trier') })
    expect(at(field('out'), 'Bonn', 'Trier', 'Bonn')).toEqual({ ...nothing, out: change('Bonn', 'Trier') })
    expect(at(field('in'), 'Bonn', 'Trier', 'Bonn')).toEqual(nothing)
    expect(at(field('both'), 'Bonn', 'Bonn', null)).toEqual({ ...nothing, in: change('Bonn', null) })
  })
  test('waits for somebody where both sides changed it, whatever the rule and the direction', () => {
    for (const direction of ['in', 'out', 'both'] as const)
      for (const rule of ['automatic', 'review'] as const)
        expect(at(field(direction, rule), 'Bonn', 'Trier', 'Köln')).toEqual({ ...nothing, conflicts: change('Trier', 'Köln') })
  })
  test('is settled where both changed it to the same', () => {
    expect(at(field(), 'Bonn', 'Köln', 'Köln')).toEqual({ ...nothing, settled: { city: { value: 'Köln' } } })
    expect(at(field(), 'Köln', 'Köln', 'Köln')).toEqual(nothing)
  })
  test('waits by the rule review, and is left alone by the rule never', () => {
    expect(at(field('both', 'review'), 'Bonn', 'Bonn', 'Köln')).toEqual({ ...nothing, waitIn: change('Bonn', 'Köln') })
    expect(at(field('both', 'review'), 'Bonn', 'Trier', 'Bonn')).toEqual({ ...nothing, waitOut: change('Bonn', 'Trier') })
    expect(at(field('both', 'never'), 'Bonn', 'Trier', 'Köln')).toEqual(nothing)
    const accepted: Agreed = { city: { value: 'Bonn', accepted: 'Trier' } }
    const sides = { agreed: accepted, theirs: { city: 'Bonn' }, sets }
    expect(compare([field('both', 'review')], { ...sides, ours: { city: 'Trier' } })).toEqual({ ...nothing, out: change('Bonn', 'Trier') })
    expect(compare([field('both', 'review')], { ...sides, ours: { city: 'Ulm' } })).toEqual({ ...nothing, waitOut: change('Bonn', 'Ulm') })
  })
  test('that one side writes in other words comes back as no change', () => {
    const agreed: Agreed = { city: { value: 'KÖLN', ours: 'Köln' } }
    expect(compare([field()], { agreed, ours: { city: 'Köln' }, theirs: { city: 'KÖLN' }, sets })).toEqual(nothing)
    expect(compare([field()], { agreed, ours: { city: 'Ulm' }, theirs: { city: 'KÖLN' }, sets })).toEqual({
      ...nothing,
      out: change('KÖLN', 'Ulm'),
    })
  })
  test('is left alone where a side does not show it', () => {
    expect(compare([field()], { agreed: {}, ours: {}, theirs: { city: 'Köln' }, sets })).toEqual(nothing)
    expect(compare([field()], { agreed: {}, ours: { city: 'Köln' }, theirs: {}, sets })).toEqual(nothing)
  })
})

describe('a field of records that meet for the first time', () => {
  test('is filled where it is empty, and nothing is emptied', () => {
    expect(at(field('both'), undefined, null, 'Köln').in).toEqual(change(null, 'Köln'))
    expect(at(field('both'), undefined, 'Köln', null).out).toEqual(change(null, 'Köln'))
    expect(at(field('in'), undefined, 'Köln', null)).toEqual({ ...nothing, settled: { city: { value: null, ours: 'Köln' } } })
    expect(at(field('out'), undefined, null, 'Köln')).toEqual({ ...nothing, settled: { city: { value: 'Köln', ours: null } } })
  })
  test('is decided by the direction where both have one, and by somebody where it goes both ways', () => {
    expect(at(field('in'), undefined, 'Bonn', 'Köln').in).toEqual(change('Bonn', 'Köln'))
    expect(at(field('out'), undefined, 'Bonn', 'Köln').out).toEqual(change('Köln', 'Bonn'))
    expect(at(field('both'), undefined, 'Bonn', 'Köln').conflicts).toEqual(change('Bonn', 'Köln'))
  })
})

describe('a set', () => {
  const tags = (direction: FieldMapping['direction'] = 'both') => field(direction, 'automatic', 'tags')
  test('is merged: what one side added or removed is added or removed on the other', () => {
    const both = at(tags(), 'a; b', 'a; b; mine', 'b; theirs')
    expect(both.in).toEqual(change('a; b; mine', 'b; mine; theirs', 'tags'))
    expect(both.out).toEqual(change('b; theirs', 'b; mine; theirs', 'tags'))
    expect(both.conflicts).toEqual([])
    expect(at(tags('in'), 'a', 'a; mine', 'a; theirs')).toMatchObject({ in: change('a; mine', 'a; mine; theirs', 'tags'), out: [] })
    expect(at(tags('out'), 'a', 'a; mine', 'a; theirs')).toMatchObject({ out: change('a; theirs', 'a; mine; theirs', 'tags'), in: [] })
  })
  test('that the sides hold differently for good is at rest', () => {
    const agreed: Agreed = { tags: { value: 'a', ours: 'a; mine' } }
    expect(compare([tags('in')], { agreed, ours: { tags: 'a; mine' }, theirs: { tags: 'a' }, sets })).toEqual(nothing)
  })
  test('has one order, each text once, and keeps separators within texts', () => {
    expect(setOf(['b', 'A', 'a', 'x; y'])).toBe('a; b; "x; y"')
    expect(setOf([])).toBeNull()
  })
})
