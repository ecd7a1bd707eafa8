import { expect, test } from 'vitest'
import { lastDayOfTerm, rollUp } from './chapters.rules.ts'
import type { OwnCounts } from './chapters.rules.ts'

const node = (id: string, parentId: string | null, members: number): OwnCounts => ({
  id,
  parentId,
  name: id,
  code: id,
  level: 'chapter',
  status: 'active',
  depth: 1,
  members,
  alumni: members * 10,
  officers: 0,
  vacancies: 0,
})

test('every chapter counts its own people and those of everything below it', () => {
  const rolled = rollUp([node('top', null, 1), node('north', 'top', 2), node('south', 'top', 4), node('harbour', 'north', 8)])
  expect(
    rolled.map(({ id, members, subtreeMembers, subtreeAlumni, subchapters }) => [id, members, subtreeMembers, subtreeAlumni, subchapters]),
  ).toEqual([
    ['top', 1, 15, 150, 2],
    ['north', 2, 10, 100, 1],
    ['south', 4, 4, 40, 0],
    ['harbour', 8, 8, 80, 0],
  ])
})

test('a chapter whose parent is not in the list stands by itself', () => {
  expect(rollUp([node('lost', 'gone', 3)])).toMatchObject([{ subtreeMembers: 3 }])
})

test.each([
  ['2026-07-01', 12, '2027-06-30'],
  ['2026-01-31', 1, '2026-02-27'],
  ['2024-02-29', 12, '2025-02-27'],
  ['2026-12-15', 1, '2027-01-14'],
])('a term from %s for %i months ends on %s', (startsOn, months, endsOn) => {
  expect(lastDayOfTerm(startsOn, months)).toBe(endsOn)
})
