import { decimalsOf } from '@guildhall/contract/money'
import type { Amount } from './payment-provider.ts'

/**
 * Stripe counts some currencies with other decimals than ISO 4217 does: kronur and shillings as if they had two, ariary as if it had none. Of three
 * decimals it takes only amounts that end in zero.
 */
const stripeDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

/** The amount as Stripe counts it, or undefined where Stripe cannot take it. */
export function toStripe({ amount, currency }: Amount): number | undefined {
  const shift = (stripeDecimals[currency] ?? decimalsOf(currency)) - decimalsOf(currency)
  if (shift > 0) return amount * 10 ** shift
  if (shift < 0) return amount % 10 ** -shift === 0 ? amount / 10 ** -shift : undefined
  return decimalsOf(currency) === 3 && amount % 10 !== 0 ? undefined : amount
}

export function fromStripe(amount: number, code: string): Amount {
  const currency = code.toUpperCase()
  const shift = (stripeDecimals[currency] ?? decimalsOf(currency)) - decimalsOf(currency)
  if (shift === 0) return { amount, currency }
  // What Stripe holds of a króna is whole: it was asked for so.
  return { amount: shift > 0 ? Math.round(amount / 10 ** shift) : amount * 10 ** -shift, currency }
}
