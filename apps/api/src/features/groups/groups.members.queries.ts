import type { GroupMember, GroupMembersInput, MembershipInGroup, MembershipsInput } from '@guildhall/contract/features/groups'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, groupRef, orNull } from '../../platform/json-refs.ts'
import type { List } from '../../platform/list-page.ts'
import { isIn, rankOf } from './groups.queries.ts'

// `m` is the membership, `p` the person and `h` the person's home chapter, left joined.

const memberFields = sql`'id', m.id,
  'person', json_build_object('id', p.id, 'displayName', p.display_name, 'homeChapter', ${orNull('h', chapterRef)}),
  'role', m.role, 'title', m.title, 'side', m.side, 'rank', m.rank, 'status', m.status, 'startsOn', m.starts_on, 'endsOn', m.ends_on,
  'when', case when m.status in ('removed', 'declined') or m.ends_on < (select app.today()) then 'past'
    when m.starts_on > (select app.today()) then 'future' else 'current' end,
  'version', m.version`
const memberItem = sql<GroupMember>`json_build_object(${memberFields})`
const membersFrom = sql`from app.group_members m
  join app.people p on p.org_id = m.org_id and p.id = m.person_id
  left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id`

const left: RawBuilder<SqlBool> = sql`(m.status = 'removed' or (m.status = 'active' and m.ends_on < (select app.today())))`
const states: Record<'active' | 'requested' | 'invited' | 'former', RawBuilder<SqlBool>> = {
  active: isIn('m'),
  requested: sql`(m.status = 'requested' and m.ends_on is null)`,
  invited: sql`(m.status = 'invited' and m.ends_on is null)`,
  former: left,
}
const contains = (column: RawBuilder<unknown>, words: string): RawBuilder<SqlBool> =>
  sql`${column} like app.like_pattern(app.fold(${words}))`

export function groupMembersList(input: z.infer<typeof GroupMembersInput>): List<GroupMember> {
  const { groupId, q, status = 'active', role, side, sort = 'rank' } = input
  const where: RawBuilder<SqlBool>[] = [sql`m.group_id = ${groupId}`, states[status], sql`p.deleted_at is null`]
  const words = q?.trim()
  if (words) where.push(sql`(${contains(sql`p.search`, words)} or ${contains(sql`app.fold(m.title)`, words)})`)
  if (role) where.push(sql`m.role = ${role}`)
  if (side !== undefined) where.push(sql`m.side = ${side}`)
  const by = sort.replace('-', '')
  const first = by === 'rank' ? [rankOf] : by === 'startsOn' ? [sql`coalesce(m.starts_on, '0001-01-01')`] : []
  return {
    key: ['group-members', groupId, status, words ?? '', role ?? null, side ?? null, by],
    item: memberItem,
    from: membersFrom,
    where,
    order: [...first, sql`p.sort_name`, sql`m.id`],
    descending: sort.startsWith('-'),
  }
}

/** Over all groups: who is or was what. Titles are few, and an index holds just those. */
export function membershipsList(input: z.infer<typeof MembershipsInput>): List<MembershipInGroup> {
  const { title, titled, personId, groupId, kind, when } = input
  const words = input.q?.trim()
  const where: RawBuilder<SqlBool>[] = [sql`p.deleted_at is null`]
  where.push(when === 'current' ? isIn('m') : when === 'former' ? left : sql`(${isIn('m')} or ${left})`)
  if (titled || title?.trim()) where.push(sql`m.title <> ''`)
  if (title?.trim()) where.push(contains(sql`app.fold(m.title)`, title.trim()))
  if (words)
    where.push(sql`(${contains(sql`app.fold(m.title)`, words)} or ${contains(sql`p.search`, words)} or ${contains(sql`g.search`, words)})`)
  if (personId) where.push(sql`m.person_id = ${personId}`)
  if (groupId) where.push(sql`m.group_id = ${groupId}`)
  if (kind) where.push(sql`g.kind = ${kind}`)
  return {
    key: ['memberships', words ?? '', title?.trim() ?? '', titled ?? false, personId ?? null, groupId ?? null, kind ?? null, when ?? null],
    item: sql<MembershipInGroup>`json_build_object(${memberFields}, 'group', json_build_object('id', g.id, 'name', g.name, 'code', g.code, 'kind', g.kind,
      'parent', ${orNull('up', groupRef)}))`,
    from: sql`${membersFrom}
      join app.groups g on g.org_id = m.org_id and g.id = m.group_id
      left join app.groups up on up.org_id = g.org_id and up.id = g.parent_id`,
    where,
    order: [sql`g.sort_name`, sql`g.id`, rankOf, sql`p.sort_name`, sql`m.id`],
  }
}

export async function findMember(
  db: ActorDb,
  { groupId, memberId }: { groupId: string; memberId: string },
): Promise<GroupMember | undefined> {
  const { rows } = await sql<{
    item: GroupMember
  }>`select ${memberItem} as item ${membersFrom} where m.id = ${memberId} and m.group_id = ${groupId}`.execute(db)
  return rows[0]?.item
}
