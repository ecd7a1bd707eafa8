import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

/** Whom a change of many would still add: those not in the group, invited or waiting. The column holds a person's id. */
export const notInGroup = (person: string, groupId: string) => sql<boolean>`not exists (select from app.group_members m
  where m.group_id = ${groupId} and m.person_id = ${sql.ref(person)} and m.ends_on is null)`

/** Whether the caller may add people to this group; nothing when there is no such group or it is archived. */
export async function groupTakesPeople(db: ActorDb, groupId: string): Promise<{ may: boolean } | undefined> {
  const { rows } = await sql<{
    may: boolean
  }>`select (select app.everywhere('groups.manage')) or g.id = any ((select app.group_scope('groups.manage'))::uuid[])
      or coalesce(g.chapter_id = any ((select app.scope('groups.manage'))::uuid[]), false) as may
    from app.groups g where g.id = ${groupId} and g.archived_at is null`.execute(db)
  return rows[0]
}

/** Adds many people as active members from today; those already in are left out of the answer. */
export async function addPeople(
  db: ActorDb,
  orgId: string,
  groupId: string,
  personIds: readonly string[],
): Promise<{ personId: string; memberId: string }[]> {
  const { rows } = await sql<{ personId: string; memberId: string }>`
    insert into app.group_members (org_id, group_id, person_id, status, starts_on)
    select ${orgId}, ${groupId}, x, 'active', app.today() from unnest(${personIds}::uuid[]) x
    on conflict (org_id, group_id, person_id) where ends_on is null do nothing
    returning person_id as "personId", id as "memberId"`.execute(db)
  return rows
}

/** Takes back what addPeople made, as far as nobody changed it since: the row goes where the caller may delete it, else it ends today. */
export async function takeBackPeople(db: ActorDb, memberIds: readonly string[]): Promise<string[]> {
  const gone = await sql<{
    personId: string
  }>`delete from app.group_members where id = any (${memberIds}::uuid[]) and version = 1 returning person_id as "personId"`.execute(db)
  const ended = await sql<{ personId: string }>`update app.group_members set ends_on = greatest(starts_on, app.today()), status = 'removed'
    where id = any (${memberIds}::uuid[]) and version = 1 returning person_id as "personId"`.execute(db)
  return [...gone.rows, ...ended.rows].map((row) => row.personId)
}
