import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Tries a part of a transaction. What the database refuses leaves the rest of the transaction as it is, and is answered instead. */
export async function orRefused<Done>(db: Kysely<Schema>, run: () => Promise<Done>, refused: (error: unknown) => Done): Promise<Done> {
  await sql`savepoint part`.execute(db)
  try {
    return await run()
  } catch (error) {
    await sql`rollback to savepoint part`.execute(db)
    return refused(error)
  }
}
