import { ChapterSort, chaptersFilterFields } from '@guildhall/contract/features/chapters'
import type { ChapterRow } from '@guildhall/contract/features/chapters'
import type { Filter } from '@guildhall/contract/shapes'
import type { Field } from '@guildhall/contract/features/fields'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, idValues, textField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField } from '../../platform/lists/filters.ts'
import { isCurrent } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { hasAllWords, matchRank } from '../../platform/lists/match-rank.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { fieldFilters, fieldOrder, withFields } from '../fields/fields.public.ts'
import { tagField } from '../tags/tags.public.ts'
import { chapterRow } from './chapters.queries.ts'

const subtreeField = (nearest: RawBuilder<SqlBool>): FilterField => ({
  ops: ['is', 'in', 'isNot', 'notIn'],
  where(op, value, refuse) {
    const within = sql<SqlBool>`c.id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = any (${idValues(value, refuse)}::uuid[]) and ${nearest})`
    return op === 'is' || op === 'in' ? within : sql`not ${within}`
  },
})
const parentField: FilterField = {
  ops: ['is', 'in', 'empty', 'notEmpty'],
  where(op, value, refuse) {
    if (op === 'empty' || op === 'notEmpty') return op === 'empty' ? sql`c.parent_id is null` : sql`c.parent_id is not null`
    return sql`c.parent_id = any (${idValues(value, refuse)}::uuid[])`
  },
}

const catalogue: FilterCatalogue = {
  level: choiceField(sql`c.level`, chaptersFilterFields.level.options),
  status: choiceField(sql`c.status`, chaptersFilterFields.status.options),
  within: subtreeField(sql`true`),
  below: subtreeField(sql`a.ancestor_id <> a.chapter_id`),
  under: parentField,
  name: textField(sql`c.name`),
  code: textField(sql`c.code`),
  city: textField(sql`c.city`),
  charteredOn: dateField(sql`c.chartered_on`),
  tag: tagField('chapter', sql`c.id`),
  mine: flagField(sql`exists (select from app.affiliations a where a.org_id = c.org_id and a.chapter_id = c.id
    and a.person_id = (select app.person_id()) and ${isCurrent('a')})`),
  messages: flagField(sql`((select app.everywhere('messages.write')) or c.id = any ((select app.scope('messages.write'))::uuid[]))`),
}

const orders: Record<Exclude<ChapterSort, 'match'>, RawBuilder<unknown>[]> = {
  name: [sql`c.search`, sql`c.id`],
  code: [sql`c.code`, sql`c.id`],
  charteredOn: [sql`coalesce(c.chartered_on, '0001-01-01')`, sql`c.id`],
}

/** Words in the name or code, accent-blind; closed chapters only when the filter speaks of status. */
export function chaptersList({
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
}): List<ChapterRow> {
  const own = fieldOrder('chapters', fields, sort, 'c.org_id', 'c.id')
  const { by, descending } = own ? { by: 'name' as const, ...own } : readSort(sort, ChapterSort.options, 'name')
  const filtered = filterWhere(filter, { ...catalogue, ...fieldFilters('chapters', fields, 'c.org_id', 'c.id') })
  const asksStatus = filter?.and.some((group) => group.or.some(({ field }) => field === 'status')) ?? false
  const where: RawBuilder<SqlBool>[] = []
  if (q?.trim()) where.push(hasAllWords(sql`c.search`, q.trim()))
  if (filtered) where.push(filtered)
  if (!asksStatus) where.push(sql`c.status <> 'closed'`)
  return {
    key: ['chapters', q?.trim() ?? '', filter ?? null, own ? sort : by],
    item: withFields(chapterRow, 'chapters', 'c.org_id', 'c.id', columns),
    from: sql`from app.chapters c left join app.chapters up on up.org_id = c.org_id and up.id = c.parent_id`,
    where,
    // What does not search has no best match, and goes by name.
    order: own
      ? [own.key, sql`c.id`]
      : by !== 'match'
        ? orders[by]
        : q?.trim()
          ? [matchRank(sql`c.name`, q.trim()), ...orders.name]
          : orders.name,
    descending,
  }
}
