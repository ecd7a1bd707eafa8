import { expect, test } from 'vitest'
import { daysOf, monthLater, weekOf, weeksOfMonth } from './calendar-days.ts'

test('weeks begin where the language begins them, and hold the whole month', () => {
  expect(weekOf('2026-12-03', 1)).toEqual([
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
    '2026-12-06',
  ])
  expect(weekOf('2026-12-03', 7)[0]).toBe('2026-11-29')
  expect(weeksOfMonth('2026-02-14', 1)).toHaveLength(5)
  // February 2027 begins on a Monday and has four weeks.
  expect(weeksOfMonth('2027-02-01', 1)).toHaveLength(4)
  expect(weeksOfMonth('2026-12-31', 1).flat()).toContain('2026-12-31')
})

test('months go over the end of the year, from their first day', () => {
  expect(monthLater('2026-12-31', 1)).toBe('2027-01-01')
  expect(monthLater('2026-01-31', -1)).toBe('2025-12-01')
})

test('an event is on each of its days, and not on the one that begins when it ends', () => {
  const days = (startsLocal: string, endsLocal: string) => daysOf({ startsLocal, endsLocal }, '2026-12-01', '2026-12-31')
  expect(days('2026-12-03T19:00:00', '2026-12-03T21:00:00')).toEqual(['2026-12-03'])
  expect(days('2026-12-03T19:00:00', '2026-12-04T00:00:00')).toEqual(['2026-12-03'])
  expect(days('2026-11-29T10:00:00', '2026-12-02T10:00:00')).toEqual(['2026-12-01', '2026-12-02'])
})
