import type { Membership, NewMembership } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import { columnsOf } from '../../../platform/records/columns.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { findMembership } from '../people.queries.ts'

type Named = { personId: string; membershipId: string }
export type MembershipChange = {
  kind?: Membership['kind'] | undefined
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

export async function updateMembership(db: ActorDb, named: Named, version: number, change: MembershipChange): Promise<Membership> {
  const { personId, membershipId } = named
  if (change.isPrimary) await demoteMemberships(db, personId, membershipId)
  const key = { id: membershipId, person_id: personId, version }
  return updateRecord(db, 'app.affiliations', key, columnsOf('app.affiliations', change), () => findMembership(db, personId, membershipId))
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
