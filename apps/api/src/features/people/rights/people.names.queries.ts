import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

/** Whether the caller is this person. */
export async function isOneself(db: ActorDb, personId: string): Promise<boolean> {
  const { rows } = await sql<{ own: boolean }>`select coalesce((select app.person_id()) = ${personId}, false) as own`.execute(db)
  return rows[0]?.own ?? false
}

export const agreedToBeNamed = async (db: ActorDb, personId: string): Promise<boolean> =>
  (await db.selectFrom('app.public_names').select('person_id').where('person_id', '=', personId).executeTakeFirst()) !== undefined

export async function agreeToBeNamed(db: ActorDb, orgId: string, personId: string, agrees: boolean): Promise<void> {
  const names = 'app.public_names'
  if (!agrees) await db.deleteFrom(names).where('person_id', '=', personId).execute()
  else if (!(await agreedToBeNamed(db, personId))) {
    await db
      .insertInto(names)
      .values({ org_id: orgId, person_id: personId })
      .onConflict((given) => given.doNothing())
      .execute()
  }
}
