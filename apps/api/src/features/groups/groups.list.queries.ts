import { GroupSort, groupsFilterFields } from '@guildhall/contract/features/groups'
import type { GroupRow } from '@guildhall/contract/features/groups'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, filterWhere, flagField, idValues, textField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField } from '../../platform/lists/filters.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { matchRank } from '../../platform/lists/match-rank.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { groupRow, groupsFrom } from './groups.queries.ts'

const idField = (column: RawBuilder<unknown>, matches: (ids: string[]) => RawBuilder<SqlBool>): FilterField => ({
  ops: ['is', 'isNot', 'in', 'notIn', 'empty', 'notEmpty'],
  where(op, value, refuse) {
    if (op === 'empty' || op === 'notEmpty') return op === 'empty' ? sql`${column} is null` : sql`${column} is not null`
    const found = matches(idValues(value, refuse))
    return op === 'is' || op === 'in' ? found : sql`(${column} is null or not ${found})`
  },
})

const catalogue: FilterCatalogue = {
  kind: choiceField(sql`g.kind`, groupsFilterFields.kind.options),
  chapter: idField(
    sql`g.chapter_id`,
    (ids) => sql`g.chapter_id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = any (${ids}::uuid[]))`,
  ),
  parent: idField(sql`g.parent_id`, (ids) => sql`g.parent_id = any (${ids}::uuid[])`),
  visibility: choiceField(sql`g.visibility`, groupsFilterFields.visibility.options),
  joinPolicy: choiceField(sql`g.join_policy`, groupsFilterFields.joinPolicy.options),
  name: textField(sql`g.name`),
  code: textField(sql`g.code`),
  mine: flagField(sql`g.id = any ((select app.my_groups())::uuid[])`),
  archived: flagField(sql`(g.archived_at is not null)`),
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
}: {
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
}): List<GroupRow> {
  const { by, descending } = readSort(sort, GroupSort.options, 'name')
  const filtered = filterWhere(filter, catalogue)
  const asksArchived = filter?.and.some((group) => group.or.some(({ field }) => field === 'archived')) ?? false
  const where: RawBuilder<SqlBool>[] = []
  if (q?.trim()) where.push(sql`g.search like all (select app.like_pattern(t) from regexp_split_to_table(app.fold(${q.trim()}), '\s+') t)`)
  if (filtered) where.push(filtered)
  if (!asksArchived) where.push(sql`g.archived_at is null`)
  return {
    key: ['groups', q?.trim() ?? '', filter ?? null, by],
    item: groupRow,
    from: groupsFrom,
    where,
    // What does not search has no best match, and goes by name.
    order: by !== 'match' ? orders[by] : q?.trim() ? [matchRank(sql`g.name`, q.trim()), ...orders.name] : orders.name,
    descending,
  }
}
