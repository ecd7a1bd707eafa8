import { currencyCodes } from '@guildhall/contract/money'
import { expect, test } from 'vitest'
import { fromStripe, toStripe } from './stripe-amounts.ts'

test.each([
  ['EUR', 1_250, 1_250],
  ['JPY', 500, 500],
  // Stripe counts these otherwise than ISO 4217 does.
  ['ISK', 500, 50_000],
  ['UGX', 500, 50_000],
  ['MGA', 1_200, 12],
  ['MGA', 1_250, undefined],
  ['KWD', 1_250, 1_250],
  ['KWD', 1_255, undefined],
])('%s %i is %s to Stripe', (currency, amount, stripe) => {
  expect(toStripe({ amount, currency })).toBe(stripe)
})

test('what Stripe takes comes back as the same amount, in every currency', () => {
  for (const currency of currencyCodes) {
    const amount = toStripe({ amount: 12_300, currency })
    expect(amount).toBeDefined()
    expect(fromStripe(amount ?? 0, currency.toLowerCase())).toEqual({ amount: 12_300, currency })
  }
})
