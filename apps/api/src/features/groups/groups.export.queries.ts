import { GroupMembersInput } from '@guildhall/contract/features/groups'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { mayWith } from '../../platform/lists/people-rights.ts'
import type { ExportField, ExportRequest, ExportSource } from '../../platform/lists/export-source.ts'
import { groupsList } from './groups.list.queries.ts'
import { groupMembersList } from './groups.members.queries.ts'

const field = (key: string, header: string, cell: RawBuilder<unknown>, kind: ExportField['kind'] = 'text'): ExportField => ({
  key,
  header,
  kind,
  cell,
})
const chosen = ({ selection }: ExportRequest, id: RawBuilder<unknown>) =>
  'ids' in selection ? sql<boolean>`${id} = any (${selection.ids}::uuid[])` : sql<boolean>`${id} <> all (${selection.except}::uuid[])`

/** Groups that the caller sees. */
export const groupsExport: ExportSource = {
  fields: [
    field('name', 'Name', sql`g.name`),
    field('code', 'Code', sql`g.code`),
    field('kind', 'Kind', sql`g.kind`),
    field('chapter', 'Chapter', sql`(select q.name from app.chapters q where q.id = g.chapter_id)`),
    field('chapterCode', 'Chapter code', sql`(select q.code from app.chapters q where q.id = g.chapter_id)`),
    field('parentCode', 'Parent code', sql`(select u.code from app.groups u where u.id = g.parent_id)`),
    field('description', 'Description', sql`g.description`),
    field('visibility', 'Visibility', sql`g.visibility`),
    field('joinPolicy', 'Join policy', sql`g.join_policy`),
    field('members', 'Members', sql`coalesce(n.members, 0)`, 'number'),
    field('capacity', 'Capacity', sql`g.capacity`, 'number'),
    field('website', 'Website', sql`g.website`),
    field('phone', 'Phone', sql`g.phone`, 'phone'),
    field('archivedAt', 'Archived at', sql`g.archived_at`, 'instant'),
    field('createdAt', 'Created at', sql`g.created_at`, 'instant'),
    field('id', 'Record id', sql`g.id`),
  ],
  may: () => sql`((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}')`,
  rows(request) {
    const { selection, sort } = request
    const list = groupsList({ ...('ids' in selection ? {} : selection.all), sort })
    return {
      id: sql`g.id`,
      from: list.from,
      where: [...list.where, chosen(request, sql`g.id`)],
      order: list.order,
      descending: list.descending ?? false,
    }
  },
}

/** Active members of one group. Whoever leads it exports names; addresses need the right to export people. */
export const groupMembersExport: ExportSource = {
  fields: [
    field('displayName', 'Name', sql`p.display_name`),
    field('givenName', 'Given name', sql`p.given_name`),
    field('familyName', 'Family name', sql`p.family_name`),
    field('memberNo', 'Member number', sql`p.member_no`),
    field('homeChapter', 'Chapter', sql`h.name`),
    field('role', 'Role', sql`m.role`),
    field('title', 'Title', sql`m.title`),
    field('side', 'Side', sql`m.side`),
    field('rank', 'Rank', sql`m.rank`, 'number'),
    field('startsOn', 'From', sql`m.starts_on`, 'date'),
    field('endsOn', 'Until', sql`m.ends_on`, 'date'),
    field('groupCode', 'Group code', sql`(select g.code from app.groups g where g.id = m.group_id)`),
    field(
      'primaryEmail',
      'Email',
      sql`case when ${mayWith('people.export')} then (select e.address from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id
      order by e.is_primary desc, e.created_at, e.id limit 1) end`,
    ),
    field(
      'primaryPhone',
      'Phone',
      sql`case when ${mayWith('people.export')} then (select f.number from app.person_phones f where f.org_id = p.org_id and f.person_id = p.id
      order by f.is_primary desc, f.created_at, f.id limit 1) end`,
      'phone',
    ),
    field('groupId', 'Group record id', sql`m.group_id`),
    field('personId', 'Person record id', sql`p.id`),
  ],
  may: ({
    groupId,
  }) => sql`exists (select from app.groups g where g.id = ${groupId ?? null}::uuid and ((select app.everywhere('groups.manage'))
    or g.id = any ((select app.group_scope('groups.manage'))::uuid[]) or coalesce(g.chapter_id = any ((select app.scope('groups.manage'))::uuid[]), false)))`,
  rows(request) {
    const { selection, sort, groupId } = request
    const input = GroupMembersInput.safeParse({ groupId, sort, q: 'ids' in selection ? undefined : selection.all.q })
    if (!groupId)
      throw problem('UNPROCESSABLE_CONTENT', { errors: fault('groupId', 'required', 'Choose the group whose members to export.').errors })
    if (!input.success) throw problem('BAD_REQUEST', fault('sort', 'unknown_sort', 'Members cannot be sorted by this.', { reason: 'sort' }))
    if (!('ids' in selection) && selection.all.filter?.and.length) {
      throw problem(
        'BAD_REQUEST',
        fault('selection.all.filter', 'unknown_field', 'Members of a group have no filter.', { reason: 'filter' }),
      )
    }
    // An export reads from the group's side whatever its size.
    const list = groupMembersList(input.data, 0)
    return {
      id: sql`m.id`,
      from: list.from,
      where: [...list.where, chosen(request, sql`m.id`)],
      order: list.order,
      descending: list.descending ?? false,
    }
  },
}
