import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { allOf } from './conditions.ts'
import { countLimit, cursorsFor } from './keyset.ts'
import type { Position } from './keyset.ts'
import type { CallerContext } from '../procedures/context.ts'
import { statement } from '../records/statement.ts'

/** A list that is read by keyset: pieces of one SELECT, of which a page is made. */
export type List<Item> = {
  /** Names the list and everything that decides its rows and order: a cursor fits no other. */
  key: readonly unknown[]
  /** One row as JSON. */
  item: RawBuilder<Item>
  from: RawBuilder<unknown>
  where: readonly RawBuilder<SqlBool>[]
  /** Never null; the last one unique. */
  order: readonly RawBuilder<unknown>[]
  descending?: boolean
  /** What a row is known by, where telling which rows belong is so much work that it is done once, for the page and the total. */
  once?: RawBuilder<string>
  /** Known to be more than counting goes up to, so that nobody need count. */
  uncountable?: boolean
}

type Wanted = {
  cursor?: string | undefined
  limit?: number | undefined
  /** False where nobody asks how many there are. */
  counted?: boolean
}
type Row<Item> = { item: Item; position: Position; total: number | null }

/** Reads one page in one trip; the total comes with the first page only and stops at the count limit. */
export async function listPage<Item>(context: CallerContext, list: List<Item>, { cursor, limit = 50, counted = true }: Wanted) {
  const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, list.key, list.descending ?? false])
  const after = cursor === undefined ? null : cursors.decode(cursor)
  const rows = await context.read(statement(pageOf(list, after, limit, counted && !after && !list.uncountable)))
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const total = after || !counted ? null : list.uncountable ? countLimit + 1 : (rows[0]?.total ?? 0)
  return {
    items: items.map((row) => row.item),
    nextCursor: rows.length > limit && last ? cursors.encode(last.position) : null,
    total: total === null ? null : Math.min(total, countLimit),
    totalIsExact: total !== null && total <= countLimit,
  }
}

/** Page sizes stand in the text: of a bound parameter the planner knows no size, so it would plan the statement anew for every request. */
function pageOf<Item>(list: List<Item>, after: Position | null, limit: number, counted: boolean): RawBuilder<Row<Item>> {
  const all = allOf(list.where)
  const direction = list.descending ? sql`desc` : sql`asc`
  const following = (order: readonly RawBuilder<unknown>[]) =>
    after ? sql`(${sql.join(order)}) ${list.descending ? sql`<` : sql`>`} (${sql.join(after.map((value) => sql`${value}`))})` : sql`true`
  const ordered = (order: readonly RawBuilder<unknown>[]) => sql`order by ${sql.join(order.map((column) => sql`${column} ${direction}`))}`
  const page = (where: RawBuilder<unknown>, total: RawBuilder<unknown>) => sql<Row<Item>>`
    select ${list.item} as item, json_build_array(${sql.join(list.order)}) as position, ${total} as total
    ${list.from} where ${where} ${ordered(list.order)} limit ${sql.lit(limit + 1)}`
  const uncounted = sql`null::int`
  if (!list.once) {
    const total = sql`(select count(*)::int from (select ${list.from} where ${all} limit ${sql.lit(countLimit + 1)}) counted)`
    return page(sql`${all} and ${following(list.order)}`, counted ? total : uncounted)
  }
  const keys = list.order.map((_, nth) => sql.ref(`key${nth}`))
  const named = list.order.map((column, nth) => sql`${column} as ${sql.ref(`key${nth}`)}`)
  const chosen = sql`array(select h.id from hits h where ${following(keys)} ${ordered(keys)} limit ${sql.lit(limit + 1)})`
  return sql<Row<Item>>`
    with hits as materialized (select ${list.once} as id, ${sql.join(named)} ${list.from} where ${all})
    ${page(sql`${list.once} = any (${chosen})`, counted ? sql`(select count(*)::int from hits)` : uncounted)}`
}
