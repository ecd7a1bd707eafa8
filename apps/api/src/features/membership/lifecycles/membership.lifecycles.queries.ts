import type { LifecycleOverride, LifecycleOverrideListInput } from '@guildhall/contract/features/membership'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'

/** Those whose memberships the caller manages, apart from the caller. */
const mayEnd = sql<SqlBool>`(o.person_id is distinct from (select app.person_id()) and ((select app.everywhere('memberships.manage'))
  or o.person_id in (select w.person_id from app.people_within('memberships.manage') w)))`
const item = sql<LifecycleOverride>`json_build_object('person', ${personRef('p')}, 'lifecycle', o.lifecycle, 'until', o.until, 'reason', o.reason,
  'setBy', (select coalesce(b.display_name, a.name) from app.accounts a left join app.people b on b.org_id = a.org_id and b.id = a.person_id
    where a.org_id = o.org_id and a.id = o.set_by),
  'setAt', o.created_at, 'may', json_build_object('end', ${mayEnd}))`

export function lifecycleOverridesList({ personId, chapterId }: z.infer<typeof LifecycleOverrideListInput>): List<LifecycleOverride> {
  const where: RawBuilder<SqlBool>[] = [sql`p.deleted_at is null`]
  if (personId) where.push(sql`o.person_id = ${personId}`)
  if (chapterId)
    where.push(sql`o.person_id in (select a.person_id from app.affiliations a join app.chapter_ancestors c on c.org_id = a.org_id and c.chapter_id = a.chapter_id
      where c.ancestor_id = ${chapterId} and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))`)
  return {
    key: ['lifecycle-overrides', personId ?? null, chapterId ?? null],
    item,
    from: sql`from app.lifecycle_overrides o join app.people p on p.org_id = o.org_id and p.id = o.person_id`,
    where,
    order: [sql`o.until`, sql`o.person_id`],
  }
}

/** Whether there is one that the caller sees, and may end. */
export async function findLifecycleOverride(db: ActorDb, personId: string): Promise<{ mayEnd: boolean } | undefined> {
  const { rows } = await sql<{
    mayEnd: boolean
  }>`select ${mayEnd} as "mayEnd" from app.lifecycle_overrides o where o.person_id = ${personId}`.execute(db)
  return rows[0]
}
export const endLifecycleOverride = (db: ActorDb, personId: string) => sql`select app.end_lifecycle_override(${personId})`.execute(db)
