import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'

/** All of these hold; of none, everything does. */
export const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> =>
  conditions.length === 0
    ? sql`true`
    : sql`${sql.join(
        conditions.map((one) => sql`(${one})`),
        sql` and `,
      )}`
