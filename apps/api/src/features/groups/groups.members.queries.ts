import type {
  GroupMember,
  GroupMemberChange,
  GroupMembersInput,
  MembershipInGroup,
  MembershipsInput,
} from '@guildhall/contract/features/groups'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, groupRef, orNull } from '../../platform/lists/json-refs.ts'
import { countLimit } from '../../platform/lists/keyset.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { statement } from '../../platform/records/statement.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { anybodyFound } from '../../platform/lists/person-match.ts'
import type { PersonMatch } from '../../platform/lists/person-match.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { isIn, rankOf } from './groups.queries.ts'

// `m` is the membership, `p` the person and `h` the person's home chapter, left joined.

const memberFields = sql`'id', m.id,
  'person', json_build_object('id', p.id, 'displayName', p.display_name, 'pictureId', p.picture_id, 'homeChapter', ${orNull('h', chapterRef)}),
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

/** From so many members on, a group is read along the names: collecting and ranking all of them for one page takes too long. */
const many = 3_000

/** How many members a group has; no row for a group that is not there. */
export const groupSizeQuery = (groupId: string) =>
  statement(
    sql<{
      size: number
    }>`select coalesce((select n.members from app.group_counts n where n.group_id = g.id), 0) as size from app.groups g where g.id = ${groupId}`,
  )

export function groupMembersList(input: z.infer<typeof GroupMembersInput>, size: number, match?: PersonMatch): List<GroupMember> {
  const { groupId, q, status = 'active', role, side } = input
  const sort = input.sort ?? (size < many ? 'rank' : 'name')
  const ours: RawBuilder<SqlBool>[] = [sql`m.group_id = ${groupId}`, states[status]]
  const where: RawBuilder<SqlBool>[] = [sql`p.deleted_at is null`]
  const words = q?.trim()
  if (words) ours.push(sql`(${titled(words)} or ${match?.fits ?? anybodyFound(words)})`)
  if (role) ours.push(sql`m.role = ${role}`)
  if (side !== undefined) ours.push(sql`m.side = ${side}`)
  const by = sort.replace('-', '')
  const first = by === 'rank' ? [rankOf] : by === 'startsOn' ? [sql`coalesce(m.starts_on, '0001-01-01')`] : []
  const alongNames = by === 'name' && size >= many && !words
  return {
    key: ['group-members', groupId, status, words ?? '', role ?? null, side ?? null, by],
    item: memberItem,
    from: alongNames
      ? // offset 0 keeps the planner from turning the walk round.
        sql`from app.people p cross join lateral (select m.* from app.group_members m where m.org_id = p.org_id and m.person_id = p.id
          and ${sql.join(ours, sql` and `)} offset 0) m left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id`
      : membersFrom,
    where: alongNames ? where : [...ours, ...where],
    order: [...first, sql`p.sort_name`, sql`p.id`, sql`m.id`],
    ...(words && { once: sql`m.id` }),
    // With room for those whom the caller does not see.
    uncountable: status === 'active' && !words && !role && side === undefined && size > 2 * countLimit,
    descending: sort.startsWith('-'),
  }
}

const titled = (words: string): RawBuilder<SqlBool> => sql`(m.title <> '' and ${contains(sql`lower(m.title)`, words)})`

/** About how many memberships over all groups a text is about, and how far it reaches among people. */
export async function membershipsReach(
  context: Pick<CallerContext, 'read' | 'findPeople'>,
  words: string,
): Promise<MembershipsReach | undefined> {
  const match = await context.findPeople(context, words)
  if (!match) return undefined
  const [found] = await context.read(statement(sql<{ memberships: number }>`select app.memberships_reach(${words}) as memberships`))
  return { ...match, memberships: found?.memberships ?? 0 }
}
type MembershipsReach = PersonMatch & { memberships: number }

/** Over all groups: who is or was what. Titles are few, and an index holds just those; they are met along the names of the groups. */
export function membershipsList(input: z.infer<typeof MembershipsInput>, reach?: MembershipsReach): List<MembershipInGroup> {
  const { personId, groupId, kind, when } = input
  const words = input.q?.trim() ?? ''
  const title = input.title?.trim() ?? ''
  const withTitle = (input.titled ?? false) || title !== ''
  const ours: RawBuilder<SqlBool>[] = [when === 'current' ? isIn('m') : when === 'former' ? left : sql`(${isIn('m')} or ${left})`]
  if (withTitle) ours.push(sql`m.title <> ''`)
  if (title) ours.push(contains(sql`lower(m.title)`, title))
  if (personId) ours.push(sql`m.person_id = ${personId}`)
  const groups: RawBuilder<SqlBool>[] = [sql`p.deleted_at is null`]
  if (groupId) groups.push(sql`g.id = ${groupId}`)
  if (kind) groups.push(sql`g.kind = ${kind}`)
  // What a text is about is collected, unless that is so much that a page is sooner full along the groups.
  const collected = words !== '' && (reach?.memberships ?? 0) <= 2 * countLimit
  if (collected) ours.push(sql`m.id in (select f.id from app.matching_memberships(${words}) f (id))`)
  else if (words) groups.push(sql`(${titled(words)} or ${contains(sql`g.search`, words)} or ${reach?.fits ?? anybodyFound(words)})`)
  const alongGroups = !collected && !personId
  return {
    key: ['memberships', words, title, withTitle, personId ?? null, groupId ?? null, kind ?? null, when ?? null],
    item: sql<MembershipInGroup>`json_build_object(${memberFields}, 'group', json_build_object('id', g.id, 'name', g.name, 'code', g.code, 'kind', g.kind,
      'parent', ${orNull('up', groupRef)}))`,
    from: sql`from app.groups g ${
      alongGroups
        ? // offset 0 keeps the planner from turning the walk round.
          sql`cross join lateral (select m.* from app.group_members m where m.org_id = g.org_id and m.group_id = g.id and ${sql.join(ours, sql` and `)} offset 0) m`
        : sql`join app.group_members m on m.org_id = g.org_id and m.group_id = g.id`
    }
      join app.people p on p.org_id = m.org_id and p.id = m.person_id
      left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id
      left join app.groups up on up.org_id = g.org_id and up.id = g.parent_id`,
    where: alongGroups ? groups : [...ours, ...groups],
    order: [sql`g.sort_name`, sql`g.id`, rankOf, sql`p.sort_name`, sql`m.id`],
    ...(collected && { once: sql`m.id` }),
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

export const updateMember = (
  db: ActorDb,
  member: { groupId: string; memberId: string },
  version: number,
  change: GroupMemberChange,
): Promise<GroupMember> => {
  const key = { id: member.memberId, group_id: member.groupId, version }
  return updateRecord(db, 'app.group_members', key, columnsOf('app.group_members', change), () => findMember(db, member))
}
