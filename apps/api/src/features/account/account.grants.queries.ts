import type { Grant, NewGrant } from '@guildhall/contract/features/account'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, groupRef, orNull, whenOf } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

// `g` is the grant, `o` the account it was given to, `r` the role, `c` the chapter and `u` the group it reaches.

export const grantsFrom = sql`from app.grants g
  join app.accounts o on o.org_id = g.org_id and o.id = g.account_id
  join app.roles r on r.org_id = g.org_id and r.id = g.role_id
  left join app.chapters c on c.org_id = g.org_id and c.id = g.chapter_id
  left join app.groups u on u.org_id = g.org_id and u.id = g.group_id
  left join app.account_name(g.granted_by) by on true`

export const grantItem = sql<Grant>`json_build_object('id', g.id, 'account', json_build_object('id', o.id, 'name', o.name, 'email', o.email),
  'role', json_build_object('id', r.id, 'key', r.key, 'name', r.name), 'scopeKind', g.scope_kind, 'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('u', groupRef)},
  'startsOn', g.starts_on, 'endsOn', g.ends_on, 'when', ${whenOf('g')}, 'reason', g.reason,
  'grantedBy', case when g.granted_by is not null and by.name is not null then json_build_object('accountId', g.granted_by, 'name', by.name) end,
  'mayChange', (select app.everywhere('account.manage')) and g.account_id <> (select app.account_id()), 'version', g.version, 'createdAt', g.created_at)`

type Wanted = {
  accountId?: string | undefined
  roleId?: string | undefined
  chapterId?: string | undefined
  groupId?: string | undefined
  when?: 'past' | 'current' | 'future' | undefined
}

/** Grants, newest first. */
export function grantsList({ accountId, roleId, chapterId, groupId, when }: Wanted): List<Grant> {
  const where: RawBuilder<SqlBool>[] = []
  if (accountId) where.push(sql`g.account_id = ${accountId}`)
  if (roleId) where.push(sql`g.role_id = ${roleId}`)
  if (chapterId) where.push(sql`g.chapter_id = ${chapterId}`)
  if (groupId) where.push(sql`g.group_id = ${groupId}`)
  if (when) where.push(sql`${whenOf('g')} = ${when}`)
  return {
    key: ['grants', accountId ?? null, roleId ?? null, chapterId ?? null, groupId ?? null, when ?? null],
    item: grantItem,
    from: grantsFrom,
    where,
    order: [sql`g.created_at`, sql`g.id`],
    descending: true,
  }
}

export async function findGrant(db: ActorDb, grantId: string): Promise<Grant | undefined> {
  const { rows } = await sql<{ item: Grant }>`select ${grantItem} as item ${grantsFrom} where g.id = ${grantId}`.execute(db)
  return rows[0]?.item
}

/** What a new grant refers to and is not there, by the name of the input's field. */
export async function missingOf(db: ActorDb, { accountId, roleId, chapterId, groupId }: NewGrant): Promise<string | undefined> {
  const { rows } = await sql<{ field: string }>`
    select field from (values
      ('accountId', exists (select from app.accounts where id = ${accountId} and kind = 'person')),
      ('roleId', exists (select from app.roles where id = ${roleId})),
      ('chapterId', ${chapterId ?? null}::uuid is null or exists (select from app.chapters where id = ${chapterId ?? null})),
      ('groupId', ${groupId ?? null}::uuid is null or exists (select from app.groups where id = ${groupId ?? null}))
    ) v (field, there) where not there`.execute(db)
  return rows[0]?.field
}

/** Whether the account holds the same role in the same place in an overlapping time. */
export async function grantOverlaps(db: ActorDb, grant: NewGrant): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select g.id from app.grants g where g.account_id = ${grant.accountId} and g.role_id = ${grant.roleId} and g.scope_kind = ${grant.scopeKind}
      and g.chapter_id is not distinct from ${grant.chapterId ?? null}::uuid and g.group_id is not distinct from ${grant.groupId ?? null}::uuid
      and g.starts_on <= coalesce(${grant.endsOn ?? null}::date, 'infinity')
      and coalesce(g.ends_on, 'infinity') >= coalesce(${grant.startsOn ?? null}::date, (select app.today()))`.execute(db)
  return rows.length > 0
}

export async function insertGrant(
  db: ActorDb,
  { orgId, accountId: grantedBy }: { orgId: string; accountId: string },
  grant: NewGrant,
): Promise<string> {
  const { id } = await db
    .insertInto('app.grants')
    .values({
      org_id: orgId,
      starts_on: sql<string>`(select app.today())`,
      ...columnsOf('app.grants', grant),
      granted_by: grantedBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type GrantChange = { startsOn?: string | undefined; endsOn?: string | null | undefined; reason?: string | undefined }

export const updateGrant = (db: ActorDb, grantId: string, version: number, change: GrantChange): Promise<Grant> =>
  updateRecord(db, 'app.grants', { id: grantId, version }, columnsOf('app.grants', change), () => findGrant(db, grantId))

/** The last day of a grant still counts, so one that ends now ended yesterday; one that began today goes away. */
export async function endGrant(db: ActorDb, grantId: string): Promise<boolean> {
  const today = sql<string>`(select app.today())`
  const removed = await db
    .deleteFrom('app.grants')
    .where('id', '=', grantId)
    .where('starts_on', '>=', today)
    .returning('id')
    .executeTakeFirst()
  if (removed) return true
  const ended = await db
    .updateTable('app.grants')
    .set({ ends_on: sql<string>`(select app.today()) - 1` })
    .where('id', '=', grantId)
    .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', today)]))
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
