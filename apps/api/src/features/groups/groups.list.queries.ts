import { GroupSort, groupsFilterFields } from '@guildhall/contract/features/groups'
import type { GroupRow } from '@guildhall/contract/features/groups'
import type { Filter } from '@guildhall/contract/shapes'
import type { Field } from '@guildhall/contract/features/fields'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, filterWhere, flagField, idField, textField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../platform/lists/filters.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { hasAllWords, matchRank } from '../../platform/lists/match-rank.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { fieldFilters, fieldOrder, withFields } from '../fields/fields.public.ts'
import { chapterField } from '../chapters/chapters.references.public.ts'
import { tagField } from '../tags/tags.public.ts'
import { groupRow, groupsFrom } from './groups.queries.ts'

const catalogue: FilterCatalogue = {
  kind: choiceField(sql`g.kind`, groupsFilterFields.kind.options),
  chapter: chapterField(sql`g.chapter_id`),
  parent: idField(sql`g.parent_id`),
  visibility: choiceField(sql`g.visibility`, groupsFilterFields.visibility.options),
  joinPolicy: choiceField(sql`g.join_policy`, groupsFilterFields.joinPolicy.options),
  tag: tagField('group', sql`g.id`),
  name: textField(sql`g.name`),
  code: textField(sql`g.code`),
  mine: flagField(sql`g.id = any ((select app.my_groups())::uuid[])`),
  archived: flagField(sql`(g.archived_at is not null)`),
  messages: flagField(
    sql`((select app.everywhere('messages.write')) or g.id = any ((select app.message_groups('messages.write'))::uuid[]))`,
  ),
}

const orders: Record<Exclude<GroupSort, 'match'>, RawBuilder<unknown>[]> = {
  name: [sql`g.sort_name`, sql`g.id`],
  members: [sql`coalesce(n.members, 0)`, sql`g.id`],
  createdAt: [sql`g.created_at`, sql`g.id`],
}

/** Words in the name or code, accent-blind; archived groups only when the filter speaks of them. */
export function groupsList({
  q,
  filter,
  sort,
  fields = [],
  columns,
}: {
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
  fields?: readonly Field[]
  columns?: string | undefined
}): List<GroupRow> {
  const own = fieldOrder('groups', fields, sort, 'g.org_id', 'g.id')
  const { by, descending } = own ? { by: 'name' as const, ...own } : readSort(sort, GroupSort.options, 'name')
  const filtered = filterWhere(filter, { ...catalogue, ...fieldFilters('groups', fields, 'g.org_id', 'g.id') })
  const asksArchived = filter?.and.some((group) => group.or.some(({ field }) => field === 'archived')) ?? false
  const where: RawBuilder<SqlBool>[] = []
  if (q?.trim()) where.push(hasAllWords(sql`g.search`, q.trim()))
  if (filtered) where.push(filtered)
  if (!asksArchived) where.push(sql`g.archived_at is null`)
  return {
    key: ['groups', q?.trim() ?? '', filter ?? null, own ? sort : by],
    item: withFields(groupRow, 'groups', 'g.org_id', 'g.id', columns),
    from: groupsFrom,
    where,
    // What does not search has no best match, and goes by name.
    order: own
      ? [own.key, sql`g.id`]
      : by !== 'match'
        ? orders[by]
        : q?.trim()
          ? [matchRank(sql`g.name`, q.trim()), ...orders.name]
          : orders.name,
    descending,
  }
}
