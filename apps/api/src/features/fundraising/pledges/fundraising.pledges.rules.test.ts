import { expect, test } from 'vitest'
import { instalmentsOf, monthsAfter } from './fundraising.pledges.rules.ts'

test('instalments add up to the pledge, whatever the split, and each day is reckoned from the first', () => {
  const split = (amount: number, instalments: number) => instalmentsOf({ amount, instalments, firstDueOn: '2027-01-31', interval: 'month' })
  expect(split(10_000, 3)).toEqual([
    { due_on: '2027-01-31', amount: 3334 },
    { due_on: '2027-02-28', amount: 3333 },
    { due_on: '2027-03-31', amount: 3333 },
  ])
  for (const amount of [60, 61, 99_999]) {
    const parts = split(amount, 60)
    expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount)
    expect(new Set(parts.map(({ due_on: day }) => day)).size).toBe(60)
  }
})

test('a quarter and a year later is the same day, or the last of a shorter month', () => {
  expect(monthsAfter('2027-11-30', 3)).toBe('2028-02-29')
  expect(monthsAfter('2028-02-29', 12)).toBe('2029-02-28')
  expect(monthsAfter('2027-12-31', 1)).toBe('2028-01-31')
})
