import { expect, test } from 'vitest'
import type { RelationshipGraph } from '@guildhall/contract/features/relationships'
import { lineage } from '../lines/lines-testing.ts'
import { uuid } from '../../../testing/fake-api.ts'
import { graphWidth, pictureOf } from './graph-layout.ts'

/** A centre, numbered 0, with so many above, below and below these. */
function graphOf(above: number, below: number, further = 0): RelationshipGraph {
  const count = 1 + above + below + further
  const link = (number: number, from: number, to: number) => ({
    ...{ relationshipId: uuid(1000 + number), fromPersonId: uuid(from), toPersonId: uuid(to) },
    ...{ typeId: lineage.id, label: 'Big', isActive: true },
  })
  return {
    people: Array.from({ length: count }, (_, number) => ({
      person: { id: uuid(number), displayName: `P ${number}` },
      isCentre: number === 0,
    })),
    links: Array.from({ length: count - 1 }, (_, nth) => {
      const number = nth + 1
      if (number <= above) return link(number, number, 0)
      return number <= above + below ? link(number, 0, number) : link(number, above + 1, number)
    }),
    isCut: false,
  }
}

test('who stands first is above the person in the middle, the others below, each with what they are', () => {
  const { nodes, edges } = pictureOf(graphOf(1, 3, 2), [lineage])
  const centre = nodes.find(({ step }) => step === 0)
  expect(nodes.filter(({ role }) => role === 'Big').every(({ y }) => y < centre!.y)).toBe(true)
  expect(nodes.filter(({ role }) => role === 'Little').map(({ y }) => y > centre!.y)).toEqual([true, true, true])
  expect(nodes.filter(({ step }) => step === 2).map(({ role }) => role)).toEqual(['', ''])
  expect(edges).toHaveLength(6)
})

test.each([
  [1, 1, 0],
  [4, 8, 10],
  [20, 39, 0],
])('nobody stands outside or on somebody else: %i above, %i below, %i further away', (above, below, further) => {
  const { nodes, top, bottom } = pictureOf(graphOf(above, below, further), [lineage])
  for (const { x, y } of nodes) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(graphWidth)
    expect(y).toBeGreaterThan(top)
    expect(y).toBeLessThan(bottom)
  }
  const near = nodes.flatMap((one, nth) => nodes.slice(nth + 1).filter((other) => Math.hypot(one.x - other.x, one.y - other.y) < 30))
  expect(near).toEqual([])
})

test('with many around, those further away are left out, which is said', () => {
  const { nodes, isCut, isDense } = pictureOf(graphOf(10, 15, 20), [lineage])
  expect(nodes).toHaveLength(26)
  expect([isCut, isDense]).toEqual([true, true])
})
