import { GroupMembersInput } from '@guildhall/contract/features/groups'
import { sql } from 'kysely'
import { exportField, exportRows, listExport } from '../../platform/lists/export-source.ts'
import type { ExportSource } from '../../platform/lists/export-source.ts'
import { mayWith } from '../../platform/lists/people-rights.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { fieldCells } from '../fields/fields.public.ts'
import { tagCell } from '../tags/tags.public.ts'
import { groupsList } from './groups.list.queries.ts'
import { groupMembersList } from './groups.members.queries.ts'

/** Groups that the caller sees. */
export const groupsExport = listExport(
  sql`g.id`,
  groupsList,
  [
    exportField('name', 'Name', sql`g.name`),
    exportField('code', 'Code', sql`g.code`),
    exportField('kind', 'Kind', sql`g.kind`),
    exportField('chapter', 'Chapter', sql`(select q.name from app.chapters q where q.id = g.chapter_id)`),
    exportField('chapterCode', 'Chapter code', sql`(select q.code from app.chapters q where q.id = g.chapter_id)`),
    exportField('parentCode', 'Parent code', sql`(select u.code from app.groups u where u.id = g.parent_id)`),
    exportField('description', 'Description', sql`g.description`),
    exportField('visibility', 'Visibility', sql`g.visibility`),
    exportField('joinPolicy', 'Join policy', sql`g.join_policy`),
    exportField('members', 'Members', sql`coalesce(n.members, 0)`, 'number'),
    exportField('capacity', 'Capacity', sql`g.capacity`, 'number'),
    exportField('website', 'Website', sql`g.website`),
    exportField('phone', 'Phone', sql`g.phone`, 'phone'),
    tagCell('group', sql`g.org_id`, sql`g.id`),
    exportField('archivedAt', 'Archived at', sql`g.archived_at`, 'instant'),
    exportField('createdAt', 'Created at', sql`g.created_at`, 'instant'),
    exportField('id', 'Record id', sql`g.id`),
  ],
  { of: 'groups', cells: (fields) => fieldCells('groups', fields, 'g.org_id', 'g.id') },
)

/** Active members of one group. Whoever leads it exports names; addresses need the right to export people. */
export const groupMembersExport: ExportSource = {
  fields: [
    exportField('displayName', 'Name', sql`p.display_name`),
    exportField('givenName', 'Given name', sql`p.given_name`),
    exportField('familyName', 'Family name', sql`p.family_name`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('homeChapter', 'Chapter', sql`h.name`),
    exportField('role', 'Role', sql`m.role`),
    exportField('title', 'Title', sql`m.title`),
    exportField('side', 'Side', sql`m.side`),
    exportField('rank', 'Rank', sql`m.rank`, 'number'),
    exportField('startsOn', 'From', sql`m.starts_on`, 'date'),
    exportField('endsOn', 'Until', sql`m.ends_on`, 'date'),
    exportField('groupCode', 'Group code', sql`(select g.code from app.groups g where g.id = m.group_id)`),
    exportField(
      'primaryEmail',
      'Email',
      sql`case when ${mayWith('people.export')} then (select e.address from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id
      order by e.is_primary desc, e.created_at, e.id limit 1) end`,
    ),
    exportField(
      'primaryPhone',
      'Phone',
      sql`case when ${mayWith('people.export')} then (select f.number from app.person_phones f where f.org_id = p.org_id and f.person_id = p.id
      order by f.is_primary desc, f.created_at, f.id limit 1) end`,
      'phone',
    ),
    exportField('groupId', 'Group record id', sql`m.group_id`),
    exportField('personId', 'Person record id', sql`p.id`),
  ],
  may: ({
    groupId,
  }) => sql`exists (select from app.groups g where g.id = ${groupId ?? null}::uuid and ((select app.everywhere('groups.manage'))
    or g.id = any ((select app.group_scope('groups.manage'))::uuid[]) or coalesce(g.chapter_id = any ((select app.scope('groups.manage'))::uuid[]), false)))`,
  rows(request) {
    const { selection, sort, groupId } = request
    const input = GroupMembersInput.safeParse({ groupId, sort, q: 'ids' in selection ? undefined : selection.all.q })
    if (!groupId)
      throw problem('UNPROCESSABLE_CONTENT', fault('groupId', 'export_group_needed', 'Choose the group whose members to export.'))
    if (!input.success) throw problem('BAD_REQUEST', fault('sort', 'sort', 'Members cannot be sorted by this.'))
    if (!('ids' in selection) && selection.all.filter?.and.length) {
      throw problem('BAD_REQUEST', fault('selection.all.filter', 'filter', 'Members of a group have no filter.'))
    }
    // An export reads from the group's side whatever its size.
    const list = groupMembersList(input.data, 0)
    return exportRows(request, sql`m.id`, list)
  },
}
