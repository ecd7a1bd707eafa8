import type { TagRef } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import { tagsOf } from '../list/people.columns.queries.ts'

/** Lets the person carry exactly these tags; touches only what differs. */
export async function setTags(db: ActorDb, orgId: string, personId: string, tagIds: readonly string[]) {
  await sql`delete from app.person_tags where person_id = ${personId} and tag_id <> all (${tagIds}::uuid[])`.execute(db)
  await sql`insert into app.person_tags (org_id, person_id, tag_id) select ${orgId}, ${personId}, t.id from app.tags t
    where t.id = any (${tagIds}::uuid[]) and not exists (select from app.person_tags pt where pt.person_id = ${personId} and pt.tag_id = t.id)`.execute(
    db,
  )
  const { rows } = await sql<{
    tags: z.infer<typeof TagRef>[]
  }>`select ${tagsOf} as tags from app.people p where p.id = ${personId}`.execute(db)
  return rows[0]?.tags ?? []
}
