import { withNames } from '@guildhall/contract/formatted-document'
import type { Group, GroupRow, MyGroupMembership } from '@guildhall/contract/features/groups'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, groupRef, mayInChapter, orNull } from '../../platform/lists/json-refs.ts'
import { namesSeen } from '../../platform/formatted-text/mentions.ts'
import type { NamesSeen } from '../../platform/formatted-text/mentions.ts'
import { fieldValues } from '../fields/fields.public.ts'
import { tagRefs } from '../tags/tags.public.ts'
import { statement } from '../../platform/records/statement.ts'

// In these pieces `g` is the group, `c` its chapter, `up` its parent and `n` its counts, the last three left joined.

export const groupsFrom = sql`from app.groups g
  left join app.chapters c on c.org_id = g.org_id and c.id = g.chapter_id
  left join app.groups up on up.org_id = g.org_id and up.id = g.parent_id
  left join app.group_counts n on n.org_id = g.org_id and n.group_id = g.id`

const mine: RawBuilder<MyGroupMembership | null> = sql`(
  select json_build_object('memberId', m.id, 'role', m.role, 'status', m.status, 'title', m.title, 'startsOn', m.starts_on)
  from app.group_members m where m.org_id = g.org_id and m.group_id = g.id and m.person_id = (select app.person_id())
    and m.ends_on is null and m.status in ('active', 'invited', 'requested'))`

const rowFields = sql`'id', g.id, 'name', g.name, 'code', g.code, 'kind', g.kind, 'chapter', ${orNull('c', chapterRef)}, 'parent', ${orNull('up', groupRef)},
  'visibility', g.visibility, 'joinPolicy', g.join_policy, 'members', coalesce(n.members, 0), 'capacity', g.capacity, 'tags', ${tagRefs('group', sql`g.org_id`, sql`g.id`)}, 'mine', ${mine},
  'archivedAt', g.archived_at, 'createdAt', g.created_at, 'version', g.version`

export const groupRow = sql<GroupRow>`json_build_object(${rowFields})`

/** Mirrors the policies, to say what to offer; they decide. */
export const runsChapter: RawBuilder<SqlBool> = mayInChapter('groups.manage', sql`g.chapter_id`)
export const manages: RawBuilder<SqlBool> = sql`(${runsChapter} or g.id = any ((select app.group_scope('groups.manage'))::uuid[]))`
/** Whether the caller sees everybody in it. */
export const seesRoster: RawBuilder<SqlBool> = sql`(${manages} or g.id = any ((select app.my_rosters())::uuid[])
  or (g.visibility in ('public', 'members') and (select app.everywhere('groups.read'))))`

const readsHistory: RawBuilder<SqlBool> = sql`((select app.everywhere('audit.read')) or ${mayInChapter('people.contact', sql`g.chapter_id`)}
  or g.id = any ((select app.group_scope('people.contact'))::uuid[]))`

/** In a group today: not removed, and within the dates. */
export const isIn = (alias: string): RawBuilder<SqlBool> => sql`(${sql.ref(`${alias}.status`)} = 'active'
  and (${sql.ref(`${alias}.ends_on`)} is null or ${sql.ref(`${alias}.ends_on`)} >= (select app.today())))`

/** By rank; those without one after those with one, leaders first. */
export const rankOf = sql<number>`coalesce(m.rank, case m.role when 'leader' then 200000 when 'moderator' then 200001 else 200002 end)`

/** A group with everything its page shows first; `groupOf` makes the answer of it. */
export const groupQuery = (groupId: string) =>
  statement(sql<{ group: Group; names: NamesSeen }>`
    select ${namesSeen(sql`g.about`)} as names, json_build_object(${rowFields}, 'about', g.about, 'website', g.website, 'phone', g.phone, 'updatedAt', g.updated_at,
      'leaders', (select coalesce(json_agg(x.item order by x.rank, x.sort_name), '[]') from (
        select json_build_object('id', p.id, 'displayName', p.display_name, 'pictureId', p.picture_id, 'memberId', m.id, 'role', m.role, 'title', m.title) as item,
          ${rankOf} as rank, p.sort_name
        from app.group_members m join app.people p on p.org_id = m.org_id and p.id = m.person_id
        where m.org_id = g.org_id and m.group_id = g.id and ${isIn('m')} and (m.role = 'leader' or m.title <> '') and p.deleted_at is null
        order by 2, 3 limit 50) x),
      'subgroups', (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'members', coalesce(k.members, 0)) order by s.sort_name), '[]')
        from app.groups s left join app.group_counts k on k.org_id = s.org_id and k.group_id = s.id
        where s.org_id = g.org_id and s.parent_id = g.id and s.archived_at is null),
      'requests', case when ${manages} then (select count(*)::int from app.group_members m
        where m.org_id = g.org_id and m.group_id = g.id and m.status = 'requested' and m.ends_on is null) end,
      'fields', ${fieldValues('groups', 'g.org_id', 'g.id')},
      'may', json_build_object('edit', ${manages}, 'manageMembers', ${manages}, 'archive', ${manages},
        'addSubgroup', ${runsChapter}, 'place', ${runsChapter}, 'seeMembers', ${seesRoster}, 'seeHistory', ${readsHistory},
        'join', case
          when (select app.person_id()) is null or g.archived_at is not null then null
          when w.status = 'invited' then 'accept'
          when w.status is not null then null
          when g.join_policy = 'open' then case when coalesce(n.members, 0) >= g.capacity then 'wait' else 'join' end
          when g.join_policy = 'request' then 'request' end,
        'leave', w.status is not null)) as group
    ${groupsFrom}
    left join lateral (select m.status from app.group_members m where m.org_id = g.org_id and m.group_id = g.id
      and m.person_id = (select app.person_id()) and m.ends_on is null and m.status in ('active', 'invited', 'requested')) w on true
    where g.id = ${groupId}`)

/** With the names of people mentioned that the caller may see. */
export const groupOf = ({ group, names }: { group: Group; names: NamesSeen }): Group => ({ ...group, about: withNames(group.about, names) })
