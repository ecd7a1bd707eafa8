import type { PeopleListInput, PersonRow } from '@guildhall/contract/features/people'
import { readFilter } from '../../../platform/lists/filters.ts'
import { countLimit, cursorsFor } from '../../../platform/lists/keyset.ts'
import { fieldsAsked } from '../../fields/fields.public.ts'
import { reachOf } from './people.search.queries.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { written } from '../../../platform/procedures/written-json.ts'
import { bestMatchesQuery, needsReach, peoplePageQuery, searchText } from './people.list.queries.ts'
import { readColumns, readOrder } from '../people.rules.ts'

type PeoplePage = { items: PersonRow[]; nextCursor: string | null; total: number | null; totalIsExact: boolean }

/** A page of people in one statement and one trip. */
export async function readPeoplePage(context: CallerContext, input: PeopleListInput) {
  const { cursor, limit = 50 } = input
  const fields = await fieldsAsked(context, 'people', [input.sort, input.filter])
  const columns = readColumns(input.columns)
  const order = readOrder(input.sort, fields)
  const sorted = [order.field?.id ?? order.by, order.descending]
  const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, 'people', sorted, input.q ?? '', input.filter ?? ''])
  const after = cursor === undefined ? null : cursors.decode(cursor)
  const list = { q: input.q, filter: readFilter(input.filter), order, fields }
  const text = searchText(input.q)
  const [page] = await context.read(
    order.by === 'match' && !order.field && text && !list.filter && !after
      ? bestMatchesQuery(text, columns, limit)
      : peoplePageQuery({ ...list, reach: await reachOf(context, needsReach(list) ? text : undefined) }, columns, after, limit),
  )
  const { items = '[]', rows = 0, key: lastKey = null, lastId = null, total = 0 } = page ?? {}
  return written<PeoplePage>('items', items, rows, {
    nextCursor: lastId === null ? null : cursors.encode([lastKey, lastId]),
    total: total === null ? null : Math.min(total, countLimit),
    totalIsExact: total !== null && total <= countLimit,
  })
}
