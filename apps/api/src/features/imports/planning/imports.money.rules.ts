import { isCurrency, readAmount } from '@guildhall/contract/money'
import { headerOf, textOf } from './imports.drafts.rules.ts'
import type { Draft, Mapped } from './imports.drafts.rules.ts'
import { error } from './imports.plans.rules.ts'

/** The currency of a row: its own, or else the organisation's. */
export function currencyOf(draft: Draft, mapped: Mapped, otherwise: string): string {
  const code = textOf(draft, 'currency')?.toUpperCase() ?? otherwise
  if (!isCurrency(code))
    error(draft, 'not_a_currency', 'This is not the code of a currency.', 'Write it as EUR, USD or GBP.', {
      column: headerOf(mapped, 'currency'),
      value: code,
    })
  return code
}

/** An amount in minor units. One that English and German marks make different amounts of is refused: 1.250 is either a thousand or one. */
export function readEither(text: string, currency: string): number | null {
  const amounts = new Set(['en', 'de'].map((locale) => readAmount(text, currency, locale)).filter((amount) => typeof amount === 'number'))
  const [amount] = amounts
  return amounts.size === 1 && amount !== undefined && amount >= 0 ? amount : null
}

/** The amount of a field; undefined where the row has none, or one that cannot be read. */
export function amountOf(draft: Draft, mapped: Mapped, field: string, currency: string): number | undefined {
  const text = textOf(draft, field)
  if (text === undefined || !isCurrency(currency)) return undefined
  const amount = readEither(text, currency)
  if (amount !== null) return amount
  error(draft, 'not_an_amount', `This is not an amount in ${currency}, or it can be read in two ways.`, 'Write it as 1250.00.', {
    column: headerOf(mapped, field),
    value: text,
    params: { currency },
  })
  return undefined
}

export type Line = { text: string; amount: number }

/** Lines of a cell, such as "Dues 2024: 60.00; Postage: 4.50"; null where one is no text and amount. */
export function readLines(cell: string, currency: string): Line[] | null {
  const lines: Line[] = []
  for (const part of cell.split(';').map((each) => each.trim())) {
    if (part === '') continue
    const at = part.lastIndexOf(':')
    const text = part.slice(0, Math.max(0, at)).trim()
    const amount = at > 0 ? readEither(part.slice(at + 1), currency) : null
    if (amount === null || text === '' || text.length > 300) return null
    lines.push({ text, amount })
  }
  return lines.length > 0 && lines.length <= 100 ? lines : null
}
