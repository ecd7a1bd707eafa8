import { currencyCodes, decimalsOf } from '@guildhall/contract/money'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { FilterField } from './filters.ts'

const having = (decimals: number) => sql.lit(`{${currencyCodes.filter((code) => decimalsOf(code) === decimals).join(',')}}`)

/** How many minor units one unit of a currency has. */
export const minorUnits = (currency: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(case when ${currency} = any (${having(0)}::text[]) then 1 when ${currency} = any (${having(3)}::text[]) then 1000 else 100 end)`

/** An amount in minor units as a plain number with the decimals of its currency, as `plainAmount` writes it. */
export const amountCell = (amount: RawBuilder<unknown>, currency: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`round(${amount}::numeric / ${minorUnits(currency)}, case ${minorUnits(currency)} when 1 then 0 when 1000 then 3 else 2 end)`

/** Amounts as people say them: 59.5 is 5950 cents. */
export const amountField = (column: RawBuilder<unknown>, currency: RawBuilder<unknown>): FilterField => {
  const units = minorUnits(currency)
  const number = (value: unknown, refuse: (message: string) => never): number =>
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= 1e12 ? value : refuse('Enter an amount.')
  const is = (compare: RawBuilder<unknown>, value: number) => sql<SqlBool>`${column} ${compare} ${value}::numeric * ${units}`
  return {
    ops: ['is', 'isNot', 'before', 'after', 'between'],
    where(op, value, refuse) {
      if (op === 'between') {
        if (!Array.isArray(value) || value.length !== 2) return refuse('Give two values: from and to.')
        return sql`(${is(sql`>=`, number(value[0], refuse))} and ${is(sql`<=`, number(value[1], refuse))})`
      }
      const wanted = number(value, refuse)
      return is(op === 'is' ? sql`=` : op === 'isNot' ? sql`<>` : op === 'before' ? sql`<` : sql`>`, wanted)
    },
  }
}
