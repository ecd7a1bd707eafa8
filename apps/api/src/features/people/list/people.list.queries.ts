import type { Field } from '@guildhall/contract/features/fields'
import type { PeopleSummary } from '@guildhall/contract/features/people'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { Compilable, CompiledQuery, RawBuilder, SqlBool } from 'kysely'
import { LRUCache } from 'lru-cache'
import { filterWhere } from '../../../platform/lists/filters.ts'
import { countLimit } from '../../../platform/lists/keyset.ts'
import type { Position } from '../../../platform/lists/keyset.ts'
import { statement } from '../../../platform/records/statement.ts'
import { fits, isFar } from './people.search.queries.ts'
import type { Reach } from './people.search.queries.ts'
import { matchRank } from '../../../platform/lists/match-rank.ts'
import { furtherColumns, homeChapterJoin, personColumns } from './people.columns.queries.ts'
import { chaptersOf, crowded, peopleFiltersIn, speaksOfArchived } from './people.filters.queries.ts'
import { mayWrite } from '../rights/people.rights.queries.ts'
import type { ChapterForm } from './people.filters.queries.ts'
import {
  commonStanding,
  countStandings,
  hasStanding,
  manyStandings,
  pageByTermEnd,
  termEndKey,
  walkByTermEnd,
  withoutTermEnd,
} from '../../membership/membership.people.public.ts'
import { commonValue, fieldSortKey, listedValues, walkByField, withoutValue } from '../../fields/fields.public.ts'
import type { PeopleColumns, PeopleOrder } from '../people.rules.ts'

type Condition = RawBuilder<SqlBool>
/** `reach`: of the text, where it was asked. `fields`: of the organisation, where the filter or the order speaks of them. */
export type PeopleList = {
  q?: string | undefined
  filter?: Filter | undefined
  order: PeopleOrder
  reach?: Reach | undefined
  fields?: readonly Field[] | undefined
}
/** `items`: as JSON text. `key` and `lastId`: the sort key and the id of the last of them, when more people follow. */
export type PeoplePage = { items: string; rows: number; key: string | null; lastId: string | null; total: number | null }

type Sort = { key: RawBuilder<unknown>; type: string; nullable?: true }
const sorts: Record<PeopleOrder['by'], Sort> = {
  name: { key: sql`p.sort_name`, type: 'text' },
  givenName: { key: sql`p.given_name collate "C"`, type: 'text' },
  joinedOn: { key: sql`p.joined_on`, type: 'date', nullable: true },
  createdAt: { key: sql`p.created_at`, type: 'timestamptz' },
  updatedAt: { key: sql`p.updated_at`, type: 'timestamptz' },
  termEnd: { key: termEndKey, type: 'date', nullable: true },
  match: { key: sql`p.sort_name`, type: 'text' },
}

/** What a person is sorted by, of a row `p`. */
export const sortKey = ({ by, field }: PeopleOrder): Sort =>
  field ? { key: fieldSortKey('people', field, 'p.org_id', 'p.id'), type: 'text', nullable: true } : sorts[by]

const inFound = sql<SqlBool>`p.id in (select found.id from found)`
export const searchText = (q: string | undefined) => q?.trim() || undefined

/** What a list comes to: counted in one walk over its people. */
export const summaryQuery = (list: Pick<PeopleList, 'q' | 'filter' | 'fields'>) =>
  statement(sql<PeopleSummary>`
    with counted as materialized (
      select p.lifecycle, case when p.joined_on >= date_trunc('month', (select app.today())) - interval '11 months' then to_char(p.joined_on, 'YYYY-MM') end as month,
        count(*)::int as people
      from app.people p where ${peopleWhere(list)} group by 1, 2)
    select
      (select coalesce(json_agg(json_build_object('lifecycle', x.lifecycle, 'people', x.people) order by x.people desc, x.lifecycle), '[]')
        from (select lifecycle, sum(people)::int as people from counted group by 1) x) as lifecycles,
      (select json_agg(json_build_object('month', m.month, 'people', (select coalesce(sum(c.people), 0)::int from counted c where c.month = m.month)) order by m.month)
        from (select to_char(date_trunc('month', (select app.today())) - make_interval(months => n), 'YYYY-MM') as month from generate_series(0, 11) n) m) as joins`)

/** How many of those whose name merely contains what was typed are looked at for the best ones. */
const matchGlance = 50

/**
 * Those whose name answers best what was typed: family names that begin with it, by the index of names, and the first of all who match.
 * One page without an end, for a reader who picks one while typing.
 */
export function bestMatchesQuery(text: string, columns: PeopleColumns, limit: number) {
  return statement(sql<PeoplePage>`
    with typed as materialized (select app.fold(${text}) as folded),
    found as materialized (
      (select p.id, null::int as total from typed, app.people p where p.deleted_at is null
        and p.sort_name >= typed.folded and p.sort_name < typed.folded || chr(1114111) order by p.sort_name, p.id limit ${sql.lit(limit)})
      union all
      select f.id, f.total from app.search_people(${text}, null, null, ${sql.lit(matchGlance)}, false) f),
    page as materialized (
      select p.id, least(${matchRank(sql`p.display_name`, text)}, ${matchRank(sql`p.sort_name`, text)}) as rank
      from app.people p where p.id in (select found.id from found) order by 2, p.sort_name, p.id limit ${sql.lit(limit)})
    select coalesce(json_agg(${withValues(columns.fields)}), '[]')::text as items, count(*)::int as rows, null::text as key, null::uuid as "lastId", coalesce((select max(found.total) from found), 0) as total
    from (
      select p.org_id, p.id, (select item from (select ${personColumns}${columnsAsked(columns)}) item) as item
      from page join app.people p on p.id = page.id ${homeChapterJoin} order by page.rank, p.sort_name, p.id
    ) row`)
}

/** Which people a list is about, as conditions on `p`. */
export function peopleWhere(
  { q, filter, reach, fields }: Omit<PeopleList, 'order'>,
  found?: Condition,
  form: ChapterForm = 'join',
  standingForm = form,
): Condition {
  const standing = commonStanding(filter)
  const catalogue = peopleFiltersIn(form, fields)
  // The whole of it is read, so that what is refused is named at its place.
  const whole = filterWhere(filter, catalogue)
  const wanted = standing ? filterWhere(standing.rest, catalogue) : whole
  const text = searchText(q)
  const conditions = [
    speaksOfArchived(filter) ? sql<SqlBool>`(p.deleted_at is null or ${mayWrite})` : sql<SqlBool>`p.deleted_at is null`,
    ...(standing ? [hasStanding(standing, standingForm)] : []),
    ...(wanted ? [wanted] : []),
    ...(text ? [found ?? fits(text, reach)] : []),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** Whether the text of a list has to be asked for its reach first: app.search_people sees to it by itself. */
export const needsReach = ({ q, filter, order }: PeopleList): boolean => searchText(q) !== undefined && !isByName({ q, filter, order })
const isFiltered = ({ filter }: PeopleList) => (filter?.and.length ?? 0) > 0
const isByName = (list: PeopleList) =>
  searchText(list.q) !== undefined && list.order.by === 'name' && !list.order.field && !isFiltered(list)

/** One page as one row: the items as JSON, where to go on if one more than asked for was found, and the total with the first page. */
export function peoplePageQuery(list: PeopleList, columns: PeopleColumns, after: Position | null, limit: number): Compilable<PeoplePage> {
  // One walk along the index answers what needs no second one, so that rights are checked once.
  const isPlain = searchText(list.q) === undefined && !isFiltered(list) && !sortKey(list.order).nullable
  if (isPlain) return walkedPage(list.order, columns, after, limit)
  const { source, total } = pageSource(list, after, limit)
  const page = sql`select ${rowOf(list.order, columns)} from page join app.people p on p.id = page.id ${homeChapterJoin} ${ordered(list.order, limit)}`
  return statement(sql<PeoplePage>`with ${source} ${pageOf(page, columns, after ? sql`null::int` : total, limit)}`)
}

/** The page that is asked for most has few texts: each is put together once, and the place is all that differs from one to the next. */
const walks = new LRUCache<string, CompiledQuery<PeoplePage>>({ max: 500 })

function walkedPage(order: PeopleOrder, columns: PeopleColumns, after: Position | null, limit: number): Compilable<PeoplePage> {
  const kind = JSON.stringify([order, columns, after !== null, limit])
  let walk = walks.get(kind)
  if (!walk) {
    const where = sql`${peopleWhere({})} and ${follows(order, after)}`
    const page = sql`select ${rowOf(order, columns)} from app.people p ${homeChapterJoin} where ${where} ${ordered(order, limit)}`
    walk = statement(pageOf(page, columns, after ? sql`null::int` : totalOf({ order }), limit)).compile()
    walks.set(kind, walk)
  }
  const placed = { ...walk, parameters: after ?? [] }
  return { compile: () => placed }
}

const columnsAsked = ({ further }: PeopleColumns) =>
  sql.join(
    further.map((column) => sql`, ${furtherColumns[column]} as ${sql.ref(column)}`),
    sql``,
  )
const rowOf = (order: PeopleOrder, columns: PeopleColumns) =>
  sql`(${sortKey(order).key})::text as key, p.org_id, p.id, (select item from (select ${personColumns}${columnsAsked(columns)}) item) as item`
const ordered = (order: PeopleOrder, limit: number) => sql`order by ${orderBy(sortKey(order).key, order)} limit ${sql.lit(limit + 1)}`

/** Numbers that shape the plan are written into the text, so that a prepared statement keeps its good plan. */
const pageOf = (rows: RawBuilder<unknown>, { fields }: PeopleColumns, total: RawBuilder<unknown>, limit: number) => sql<PeoplePage>`
  select coalesce(json_agg(row.item) filter (where row.nth <= ${sql.lit(limit)}), '[]')::text as items,
    least(count(*), ${sql.lit(limit)})::int as rows,
    case when count(*) > ${sql.lit(limit)} then (array_agg(row.key))[${sql.lit(limit)}] end as key,
    case when count(*) > ${sql.lit(limit)} then (array_agg(row.id))[${sql.lit(limit)}] end as "lastId", ${total} as total
  from (select row.key, row.id, ${withValues(fields)} as item, row_number() over () as nth from (${rows}) row) row`

/** Values of fields come when the page is known, so that what they cost is nothing to the way its people are found. */
const withValues = (fields: readonly string[]) =>
  fields.length === 0
    ? sql`row.item`
    : sql`to_jsonb(row.item) || jsonb_build_object('fields', ${listedValues('people', 'row.org_id', 'row.id', fields)})`

/** Common table expressions, of which `page` has the ids of a page, and how many people the list has. */
function pageSource(list: PeopleList, after: Position | null, limit: number): { source: RawBuilder<unknown>; total: RawBuilder<number> } {
  const text = searchText(list.q)
  const counted = sql<number>`(select count(*)::int from hits)`
  if (text !== undefined && isByName(list))
    return {
      source: sql`page as materialized (${searchedPage(text, list.order.descending, after, limit)})`,
      total: sql`coalesce((select max(page.total) from page), 0)`,
    }
  // Everybody who fits is collected once: where few do, and where finding out is so much work for each that their order does not matter beside it.
  if (text !== undefined && !isFar(list.reach)) {
    const found = sql`found as materialized (select f.id from app.matching_people(${text}) f)`
    return { source: sql`${found}, ${collected([peopleWhere(list, inFound)], list, after, limit)}`, total: counted }
  }
  if (textsIn(list.filter) > manyTexts) return { source: collected([peopleWhere(list)], list, after, limit), total: counted }
  const standing = commonStanding(list.filter)
  if (standing && list.order.by === 'termEnd' && !list.order.field && text === undefined) {
    const where = peopleWhere({ ...list, filter: standing.rest }, undefined, 'walk')
    const walk = { where, after, descending: list.order.descending, limit: limit + 1 }
    return { source: sql`page as materialized (${pageByTermEnd(standing, walk)})`, total: countCrowd(list) }
  }
  const many = crowd(list)
  if (many) return crowdPage(many, list, after, limit)
  if (text === undefined && !isFiltered(list))
    return { source: sql`page as materialized (${pageWhere(peopleWhere(list), list, after, limit)})`, total: totalOf(list) }
  // Otherwise they are met along the order, which ends early where many fit: once, for the page and the total.
  return {
    source: sql`hits as materialized (${pageWhere(peopleWhere(list), list, after, after ? limit : countLimit)}),
      page as materialized (select h.id from hits h ${firstOf(list.order, limit)})`,
    total: counted,
  }
}

const firstOf = ({ descending }: PeopleOrder, limit: number) =>
  sql`order by h.key ${direction(descending)} nulls last, h.id ${direction(descending)} limit ${sql.lit(limit + 1)}`

/** Whatever comes after a position in an order whose key is never missing. */
function follows(order: PeopleOrder, after: Position | null): Condition {
  const { descending } = order
  const { key, type } = sortKey(order)
  const [value, id] = after ?? []
  if (value === undefined || value === null) return sql`true`
  return sql`(${key}, p.id) ${descending ? sql`<` : sql`>`} (${value}::text::${sql.raw(type)}, ${id}::uuid)`
}

const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`)
/** Ascending order has missing keys last by itself; saying so would keep an index on a key that is never missing from being used backwards. */
const orderBy = (key: RawBuilder<unknown>, order: PeopleOrder) =>
  sql`${key} ${direction(order.descending)} ${order.descending && sortKey(order).nullable ? sql`nulls last` : sql``}, p.id ${direction(order.descending)}`

/** Free text in the order of names: the database finds the page itself, see app.search_people. */
const searchedPage = (text: string, descending: boolean, after: Position | null, limit: number) =>
  sql`select f.id, f.total from app.search_people(${text}, ${after?.[0] ?? null}, ${after?.[1] ?? null}::uuid, ${sql.lit(limit + 1)}, ${sql.lit(descending)}) f`

/** Texts to look for, from which on a filter is a long one. */
const manyTexts = 10
const textsIn = (filter: Filter | undefined) =>
  filter?.and.reduce((sum, { or }) => sum + or.filter(({ op }) => op === 'contains' || op === 'startsWith').length, 0) ?? 0

/** Everybody who meets one of the conditions, which exclude each other, as `hits`, and `page` in their order. */
function collected(
  where: readonly Condition[],
  list: PeopleList,
  after: Position | null,
  limit: number,
  page = 'page',
): RawBuilder<unknown> {
  const { key, type } = sortKey(list.order)
  const { descending } = list.order
  const beyond = descending ? sql`<` : sql`>`
  const [value, id] = after ?? []
  const onward =
    value === undefined
      ? sql`true`
      : value === null
        ? sql`h.key is null and h.id ${beyond} ${id}::uuid`
        : sql`((h.key, h.id) ${beyond} (${value}::text::${sql.raw(type)}, ${id}::uuid) or h.key is null)`
  const hits = sql.join(
    where.map((condition) => sql`select p.id, ${key} as key from app.people p where ${condition}`),
    sql` union all `,
  )
  return sql`hits as materialized (${hits}),
    ${sql.ref(page)} as materialized (select h.id, h.key from hits h where ${onward} ${firstOf(list.order, limit)})`
}

/** `asked`: a common table expression, so that what is counted is counted once. `many`: whether more meet what the filter asks of everybody than collecting them is worth. `few`: the ways to collect them, of which one at most runs. */
type Crowd = { asked: RawBuilder<unknown>; many: Condition; few: Condition[] }

/** By membership, chapter or value, as far as the filter asks it of everybody in the list; null where it does not. */
function crowd(list: PeopleList): Crowd | null {
  const { filter, fields } = list
  const chapters = chaptersOf(filter)
  const standing = commonStanding(filter)
  if (standing) {
    const asked = sql`crowd as materialized (select ${manyStandings(standing)} as standings, ${chapters ? crowded(chapters) : sql`false`} as chapters), `
    const many = sql<SqlBool>`(select c.standings from crowd c)`
    const few = sql<SqlBool>`(not ${many} and ${peopleWhere(list, undefined, 'walk', 'set')})`
    if (!chapters) return { asked, many, few: [few] }
    const crowdedOnes = sql<SqlBool>`(select c.chapters from crowd c)`
    const chapterFew = sql<SqlBool>`(${many} and not ${crowdedOnes} and ${peopleWhere(list, undefined, 'set', 'walk')})`
    return { asked, many: sql`(${many} and ${crowdedOnes})`, few: [few, chapterFew] }
  }
  const common = commonOf({ filter, fields })
  const decides = chapters ? crowded(chapters) : common?.many
  if (!decides) return null
  const many = sql<SqlBool>`(select c.many from crowd c)`
  return {
    asked: sql`crowd as materialized (select ${decides} as many), `,
    many,
    few: [
      common?.few
        ? sql`(not ${many} and ${common.few} and ${peopleWhere({ ...list, filter: common.rest }, undefined, 'walk')})`
        : sql`(not ${many} and ${peopleWhere(list, undefined, 'set')})`,
    ],
  }
}

/** Where no chapter decides. */
const commonOf = ({ filter, fields }: Pick<PeopleList, 'filter' | 'fields'>) =>
  chaptersOf(filter) ? null : commonValue('people', fields ?? [], filter, 'p.id')

/** A filter is asked in the form that suits its size: many are met along the order, few are collected and sorted. Only one of them runs. */
function crowdPage({ asked, many, few }: Crowd, list: PeopleList, after: Position | null, limit: number) {
  const walked = pageWhere(sql`(${many} and ${peopleWhere(list, undefined, 'walk')})`, list, after, limit)
  return {
    source: sql`${asked}${collected(few, list, after, limit, 'few')}, page as materialized (select * from (${walked}) walked union all select few.id, few.key from few)`,
    total: sql<number>`case when ${many} then ${countCrowd(list)} else (select count(*)::int from hits) end`,
  }
}

/** One more than the limit, rows with a key first, then, for keys that may be missing, those without. */
function pageWhere(where: Condition, { order }: PeopleList, after: Position | null, limit: number): RawBuilder<unknown> {
  const { descending, field } = order
  const { key, type, nullable } = sortKey(order)
  const beyond = descending ? sql`<` : sql`>`
  const pick = (condition: Condition, order: RawBuilder<unknown>) =>
    sql`(select p.id, ${key} as key from app.people p where ${where} and ${condition} order by ${order} limit ${sql.lit(limit + 1)})`
  const [value, id] = after ?? []
  const walk = { where, after: typeof value === 'string' ? ([value, String(id)] as const) : null, descending, limit: limit + 1 }
  const keyed = field
    ? walkByField('people', field, { from: sql`app.people`, ...walk })
    : order.by === 'termEnd'
      ? walkByTermEnd(walk)
      : pick(
          value === undefined || value === null
            ? sql`${nullable ? sql`${key} is not null` : sql`true`}`
            : sql`(${key}, p.id) ${beyond} (${value}::text::${sql.raw(type)}, ${id}::uuid)`,
          sql`${key} ${direction(descending)}, p.id ${direction(descending)}`,
        )
  if (!nullable) return keyed
  const missing = withoutKey(order)
  const keyless = pick(
    sql`${missing} ${after && value === null ? sql`and p.id ${beyond} ${id}::uuid` : sql``}`,
    sql`p.id ${direction(descending)}`,
  )
  return after && value === null ? keyless : sql`select * from (${keyed} union all ${keyless}) both_kinds limit ${sql.lit(limit + 1)}`
}

/** Of an order whose key may be missing: that it is. */
export const withoutKey = ({ by, field }: PeopleOrder): Condition =>
  field ? withoutValue('people', field, 'p.org_id', 'p.id') : by === 'termEnd' ? withoutTermEnd : sql`${sorts[by].key} is null`

const countWhere = (where: Condition) =>
  sql<number>`(select count(*)::int from (select from app.people p where ${where} limit ${sql.lit(countLimit + 1)}) counted)`

const totalOf = (list: PeopleList): RawBuilder<number> => countWhere(peopleWhere(list))

function countCrowd(list: PeopleList): RawBuilder<number> {
  const standing = commonStanding(list.filter)
  if (standing && searchText(list.q) === undefined)
    return countStandings(standing, peopleWhere({ ...list, filter: standing.rest }, undefined, 'walk'), countLimit + 1)
  // Nothing but a crowded chapter is more than is counted anyway.
  if (!standing && chaptersOf(list.filter)) {
    return list.filter?.and.length === 1 ? sql`${sql.lit(countLimit + 1)}` : countWhere(peopleWhere(list, undefined, 'walk'))
  }
  const { rows, rest } = commonOf(list) ?? {}
  if (!rows || searchText(list.q) !== undefined) return countWhere(peopleWhere(list, undefined, 'walk'))
  // Of a value there may be fewer: its index finds them one by one, until enough are counted.
  return sql`(select count(*)::int from (select from (select v.org_id, v.person_id from ${rows} offset 0) v
    cross join lateral (select from app.people p where p.org_id = v.org_id and p.id = v.person_id and ${peopleWhere({ ...list, filter: rest }, undefined, 'walk')} offset 0) p
    limit ${sql.lit(countLimit + 1)}) counted)`
}
