import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

/** Tries a part of a transaction; what fails in a way that `isExpected` leaves the rest as it was, and is answered. Null where it went well. */
export async function attempt(db: ActorDb, run: () => Promise<void>, isExpected: (error: unknown) => boolean): Promise<unknown> {
  await sql`savepoint attempt`.execute(db)
  try {
    await run()
    await sql`release savepoint attempt`.execute(db)
    return null
  } catch (error) {
    if (!isExpected(error)) throw error
    await sql`rollback to savepoint attempt`.execute(db)
    await sql`release savepoint attempt`.execute(db)
    return error
  }
}

/** Does something for what can be learnt from it, and leaves nothing of it. */
export async function undone(db: ActorDb, run: () => Promise<void>): Promise<void> {
  await sql`savepoint tried`.execute(db)
  await run()
  await sql`rollback to savepoint tried`.execute(db)
  await sql`release savepoint tried`.execute(db)
}
