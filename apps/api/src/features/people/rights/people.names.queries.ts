import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

/** Whether the caller is this person. */
export async function isOneself(db: ActorDb, personId: string): Promise<boolean> {
  const { rows } = await sql<{ own: boolean }>`select coalesce((select app.person_id()) = ${personId}, false) as own`.execute(db)
  return rows[0]?.own ?? false
}

/** What the person agreed to have shown in public. */
export async function shownInPublic(db: ActorDb, personId: string) {
  const row = await db.selectFrom('app.public_names').select('with_picture').where('person_id', '=', personId).executeTakeFirst()
  return { shown: row !== undefined, withPicture: row?.with_picture ?? false }
}

export async function showInPublic(
  db: ActorDb,
  orgId: string,
  personId: string,
  { shown, withPicture }: { shown: boolean; withPicture: boolean },
): Promise<void> {
  const names = 'app.public_names'
  if (!shown) {
    await db.deleteFrom(names).where('person_id', '=', personId).execute()
    return
  }
  await db
    .insertInto(names)
    .values({ org_id: orgId, person_id: personId, with_picture: withPicture })
    .onConflict((given) =>
      given
        .columns(['org_id', 'person_id'])
        .doUpdateSet({ with_picture: withPicture })
        .where('app.public_names.with_picture', '!=', withPicture),
    )
    .execute()
}
