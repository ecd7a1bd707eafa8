import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'

// The backslash is doubled: a template reads `\s` as the letter s.
const words = (typed: string) => sql`regexp_split_to_table(app.fold(${typed}), '\\s+')`

/** Every word typed is somewhere in the text, which is already folded. */
export const hasAllWords = (folded: RawBuilder<unknown>, typed: string): RawBuilder<SqlBool> =>
  sql`${folded} like all (select app.like_pattern(w) from ${words(typed)} w)`

/**
 * How well a name answers what was typed, best first: it is that, begins with it, every word typed begins a word of it, or it is
 * merely in there. Accents and capitals make no difference.
 */
export const matchRank = (name: RawBuilder<unknown>, typed: string): RawBuilder<number> => sql`(case
  when app.fold(${name}) = app.fold(${typed}) then 0
  when starts_with(app.fold(${name}), app.fold(${typed})) then 1
  when (select bool_and(position(' ' || w in ' ' || app.fold(${name})) > 0) from ${words(typed)} w) then 2
  else 3 end)`
