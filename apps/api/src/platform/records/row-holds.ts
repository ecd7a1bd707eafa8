import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * What uses a row, so that it cannot be removed without removing other work too. `users` are the first few: their id (null where the table
 * has none), the record whose history tells how they came about, and a name.
 */
export type Hold = {
  id: string
  why: string
  table: string
  total: number
  users: { id: string | null; subject: string; name: string }[]
}
/** Rows that use the row `k.id`: a SELECT of id, subject and name. */
export type Use = { why: string; table: string; rows: RawBuilder<unknown> }

/** Of so many users at most the names are given; beyond `counted` they are not counted. */
const named = 3
const counted = 1_000

/** All that uses these rows, in the order of `uses`; one statement. */
export async function readHolds(db: ActorDb, ids: readonly string[], uses: readonly Use[]): Promise<Hold[]> {
  if (ids.length === 0) return []
  const parts = uses.map(
    ({ why, table, rows }, place) => sql`
      select k.id, ${sql.lit(place)} as place, ${why} as why, ${table} as "table", u.total, u.users
      from unnest(${ids}::uuid[]) k (id)
      cross join lateral (
        select count(*)::int as total, jsonb_agg(jsonb_build_object('id', x.id, 'subject', x.subject, 'name', x.name)) filter (where x.n <= ${sql.lit(named)}) as users
        from (select y.*, row_number() over () as n from (${rows} limit ${sql.lit(counted)}) y) x
      ) u where u.total > 0`,
  )
  const { rows } = await sql<Hold>`
    select x.id, x.why, x."table", x.total, x.users from (${sql.join(parts, sql` union all `)}) x order by x.place`.execute(db)
  return rows
}

/** What is said of a row that was changed after it was made. */
export const edited = 'was changed since'

/** The use of a row that its own table says was changed. */
export const editedUse = (orgId: string, table: string): Use => ({
  why: edited,
  table,
  rows: sql`select t.id, t.id as subject, '' as name from ${sql.table(`app.${table}`)} t where t.org_id = ${orgId}::uuid and t.id = k.id and t.version > 1`,
})
