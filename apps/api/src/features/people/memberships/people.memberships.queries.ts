import type { NewMembership } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'

type Named = { personId: string; membershipId: string }
export type MembershipChange = {
  kind?: string | undefined
  startsOn?: string | undefined
  endsOn?: string | null | undefined
  isPrimary?: boolean | undefined
}

/** The first live membership is the primary one; a new primary one takes over from the former. */
export async function addMembership(
  db: ActorDb,
  orgId: string,
  personId: string,
  membership: z.infer<typeof NewMembership>,
): Promise<string> {
  if (membership.isPrimary) await demoteMemberships(db, personId, null)
  const { rows } = await sql<{ id: string }>`
    insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, ends_on, is_primary)
    select ${orgId}, ${personId}, ${membership.chapterId}, ${membership.kind}, coalesce(${membership.startsOn ?? null}::date, app.today()), ${membership.endsOn ?? null}::date,
      coalesce(${membership.isPrimary ?? null}::boolean, ${membership.endsOn ?? null}::date is null
        and not exists (select from app.affiliations a where a.person_id = ${personId} and a.is_primary and a.ends_on is null))
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

/** False when there is no such membership of that version that the caller may change. */
export async function updateMembership(
  db: ActorDb,
  { personId, membershipId }: Named,
  version: number,
  change: MembershipChange,
): Promise<boolean> {
  if (change.isPrimary) await demoteMemberships(db, personId, membershipId)
  const { rows } =
    await sql`update app.affiliations set kind = coalesce(${change.kind ?? null}, kind), starts_on = coalesce(${change.startsOn ?? null}::date, starts_on),
      ends_on = ${change.endsOn === undefined ? sql`ends_on` : sql`${change.endsOn}::date`}, is_primary = coalesce(${change.isPrimary ?? null}::boolean, is_primary)
    where id = ${membershipId} and person_id = ${personId} and version = ${version} returning 1`.execute(db)
  return rows.length > 0
}

export async function removeMembership(db: ActorDb, { personId, membershipId }: Named): Promise<boolean> {
  const row = await db
    .deleteFrom('app.affiliations')
    .where('id', '=', membershipId)
    .where('person_id', '=', personId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

const demoteMemberships = (db: ActorDb, personId: string, except: string | null) =>
  sql`update app.affiliations set is_primary = false where person_id = ${personId} and is_primary and ends_on is null and id is distinct from ${except}::uuid`.execute(
    db,
  )

export async function chapterThere(db: ActorDb, chapterId: string): Promise<{ status: string } | undefined> {
  return db.selectFrom('app.chapters').select('status').where('id', '=', chapterId).executeTakeFirst()
}
