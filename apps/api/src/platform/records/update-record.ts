import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, Updateable } from 'kysely'
import { mustFind, problem } from '../procedures/problem.ts'

type Columns<Table extends keyof Schema> = {
  [Column in keyof Updateable<Schema[Table]>]?: Updateable<Schema[Table]>[Column] | RawBuilder<unknown>
}

/**
 * Changes one record and answers it as it is then. It writes first, and reads to explain only when the write touched nothing. With a `version` in its
 * key, nobody's change in between is overwritten. Nothing to set is nothing to write.
 */
export async function updateRecord<Table extends keyof Schema, Item extends object>(
  db: ActorDb,
  table: Table,
  key: Columns<Table> & { version?: number },
  set: Columns<Table>,
  read: () => Promise<Item | undefined>,
): Promise<Item> {
  const pairs = (columns: object) => Object.entries(columns).map(([column, value]: [string, unknown]) => sql`${sql.ref(column)} = ${value}`)
  if (Object.keys(set).length > 0) {
    const { rows } = await sql`update ${sql.table(table)} set ${sql.join(pairs(set))}
      where ${sql.join(pairs(key), sql` and `)} returning 1`.execute(db)
    await mustTouch(rows.length > 0, read, key.version)
  }
  return mustFind(await read())
}

/**
 * Passes when a write touched its record, and else says why it did not: the record is not there (or hidden), it was changed meanwhile, or it may be
 * seen but not changed. What was read before the write may be older than what won, so `read` reads it now.
 */
export async function mustTouch<Touched>(touched: Touched, read: () => Promise<unknown>, version?: number): Promise<NonNullable<Touched>> {
  if (touched) return touched
  const current = mustFind(await read())
  const isStale = version !== undefined && !(typeof current === 'object' && 'version' in current && current.version === version)
  if (!isStale) throw problem('FORBIDDEN')
  throw problem('PRECONDITION_FAILED', {
    reason: 'stale',
    detail: 'Someone else changed this. Check the current values and try again.',
    current,
  })
}
