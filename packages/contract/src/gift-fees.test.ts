import { expect, test } from 'vitest'
import { feeToCover } from './gift-fees.ts'

test('the gift arrives whole when the fee is covered', () => {
  const fees = { feeBps: 140, feeFixed: 25 }
  for (const amount of [1, 99, 2_500, 10_000, 333_333]) {
    const total = amount + feeToCover(amount, fees)
    const taken = Math.round((total * fees.feeBps) / 10_000) + fees.feeFixed
    expect(total - taken).toBeGreaterThanOrEqual(amount)
    expect(total - taken).toBeLessThanOrEqual(amount + 1)
  }
})

test('without fees there is nothing to cover', () => {
  expect(feeToCover(5_000, { feeBps: 0, feeFixed: 0 })).toBe(0)
  expect(feeToCover(5_000, { feeBps: 0, feeFixed: 30 })).toBe(30)
})
