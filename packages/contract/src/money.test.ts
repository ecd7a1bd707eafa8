import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from './shapes.ts'
import { allocate, currencyCodes, decimalsOf, isCurrency, plainAmount, readAmount } from './money.ts'

test('100,000 random amounts are divided without losing or making a unit', () => {
  const amount = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -100, max: 100 }))
  const weight = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }), fc.maxSafeNat())
  fc.assert(
    fc.property(amount, fc.array(weight, { minLength: 1, maxLength: 12 }), (whole, weights) => {
      const parts = allocate(whole, weights)
      const size = BigInt(Math.abs(whole))
      const shares = weights.every((one) => one === 0) ? weights.map(() => 1n) : weights.map(BigInt)
      const total = shares.reduce((sum, one) => sum + one, 0n)
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(whole))
      parts.forEach((part, index) => {
        const share = shares[index] ?? 0n
        const got = BigInt(Math.abs(part))
        // Nobody is further than a unit from the exact share, on either side; no share, no unit; the sign is the amount's.
        const off = got * total - size * share
        if (off <= -total || off >= total || (share === 0n && part !== 0) || part * whole < 0 || Object.is(part, -0)) {
          throw new Error(`${whole} by ${weights.join()} gives ${parts.join()}`)
        }
      })
    }),
    { numRuns: 100_000 },
  )
}, 60_000)

test.each([
  [100, [1, 1, 1], [34, 33, 33]],
  [-100, [1, 1, 1], [-34, -33, -33]],
  [5, [50, 30, 20], [3, 1, 1]],
  [7, [0, 0], [4, 3]],
  [0, [3, 4], [0, 0]],
  [10, [0, 1, 0], [0, 10, 0]],
])('%i by %j is %j', (amount, weights, parts) => {
  expect(allocate(amount, weights)).toEqual(parts)
})

test('what cannot be divided is refused', () => {
  for (const [amount, weights] of [
    [0.5, [1]],
    [1, []],
    [1, [-1, 2]],
    [1, [0.5]],
    [Number.NaN, [1]],
  ] as const) {
    expect(() => allocate(amount, weights)).toThrow(RangeError)
  }
})

test('each currency has its decimals, whatever the browser thinks of them', () => {
  expect(['EUR', 'JPY', 'KWD', 'ISK', 'HUF', 'IQD'].map(decimalsOf)).toEqual([2, 0, 3, 0, 2, 3])
  expect(new Set(currencyCodes).size).toBe(currencyCodes.length)
  expect(['EUR', 'XXX', 'eur', ''].map(isCurrency)).toEqual([true, false, false, false])
  expect(plainAmount(125_000, 'EUR')).toBe('1250.00')
  expect(plainAmount(-5, 'EUR')).toBe('-0.05')
  expect(plainAmount(1_250, 'JPY')).toBe('1250')
  expect(plainAmount(7, 'KWD')).toBe('0.007')
})

test.each<[string, string, string, number | string]>([
  ['1,250.5', 'EUR', 'en', 125_050],
  ['1.250,50', 'EUR', 'de', 125_050],
  ['1.250', 'EUR', 'de', 125_000],
  ['1.250', 'KWD', 'en', 1_250],
  ['1.250', 'EUR', 'en', 125],
  ['12,5', 'EUR', 'en', 1_250],
  ['1 250,50', 'EUR', 'fr', 125_050],
  ['1’250.50', 'CHF', 'de-CH', 125_050],
  ['€ 12', 'EUR', 'en', 1_200],
  ['12 eur', 'EUR', 'en', 1_200],
  ['-0.05', 'EUR', 'en', -5],
  ['−3', 'JPY', 'en', -3],
  ['١٬٢٥٠٫٥', 'EUR', 'ar-EG', 125_050],
  ['12,34,567', 'INR', 'en', 'not_an_amount'],
  ['12,34,567.5', 'INR', 'en-IN', 123_456_750],
  ['1.234.567', 'EUR', 'de', 123_456_700],
  ['1,2,3', 'EUR', 'en', 'not_an_amount'],
  ['1.2.3', 'EUR', 'en', 'not_an_amount'],
  ['.5', 'EUR', 'en', 50],
  ['12.345', 'EUR', 'en', 'too_many_decimals'],
  ['1.5', 'JPY', 'en', 'too_many_decimals'],
  ['1.00', 'JPY', 'en', 1],
  ['90071992547409.92', 'EUR', 'en', 'too_large'],
  ['', 'EUR', 'en', 'not_an_amount'],
  ['12 USD', 'EUR', 'en', 'not_an_amount'],
  ['1e3', 'EUR', 'en', 'not_an_amount'],
])('%s in %s, typed in %s, is %j', (text, currency, locale, amount) => {
  expect(readAmount(text, currency, locale)).toBe(amount)
})

test('what is written for reading can be read back', () => {
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      fc.constantFrom('EUR', 'JPY', 'KWD'),
      fc.constantFrom('en', 'de', 'fr', 'pt', 'ja', 'ar', 'en-IN', 'hi'),
      (amount, currency, locale) => {
        const decimals = decimalsOf(currency)
        const shown = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          plainAmount(amount, currency),
        )
        expect(readAmount(shown.replaceAll(/[\u200e\u200f\u061c]/g, ''), currency, locale)).toBe(amount)
      },
    ),
  )
})

test('on the wire, money is whole and has a currency', () => {
  expect(Money.safeParse({ amount: 1250, currency: 'EUR' }).success).toBe(true)
  for (const wrong of [
    { amount: 12.5, currency: 'EUR' },
    { amount: 1, currency: 'XXX' },
    { amount: 1 },
    { amount: 2 ** 53, currency: 'EUR' },
    { amount: 1, currency: 'EUR', more: 1 },
  ]) {
    expect(Money.safeParse(wrong).success).toBe(false)
  }
})
