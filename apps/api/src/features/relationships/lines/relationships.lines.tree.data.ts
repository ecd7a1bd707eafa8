import type { LineNode, LineRecord, LineTree } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { LRUCache } from 'lru-cache'
import { cursorsFor } from '../../../platform/lists/keyset.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { written } from '../../../platform/procedures/written-json.ts'
import { belowOf, dayOf, uuidOf } from './relationships.lines.graph.rules.ts'
import type { Below, Graph } from './relationships.lines.graph.rules.ts'
import { graphFrom, idOf, numbersOf, openLine, recordsOf, rootsOf, wayAbove } from './relationships.lines.reading.queries.ts'
import type { Line } from './relationships.lines.reading.queries.ts'
import { keyOf, placeAfter, treeOf } from './relationships.lines.tree.rules.ts'
import type { Place } from './relationships.lines.tree.rules.ts'

const { lines } = data.relationships
const longestPath = 50

/** A tree without names. */
type Shape = { graph: Graph; places: Place[]; above: string[]; below: (person: number) => Below; at: string }

/**
 * Shapes of trees whose pages are being read, each for its reader alone. A page that follows neither reads nor counts everything again and fits those
 * before it; whether the reader may see the root, and each name, is asked of the database all the same.
 */
const shapes = new LRUCache<string, Shape>({
  maxSize: 300_000,
  sizeCalculation: ({ graph, places }) => graph.size + places.length,
  ttl: 60_000,
})

export const lineTree = lines.tree.handler(({ input, context }) =>
  context.inTx(async (db) => {
    const line = await openLine(db, input)
    const roots = await rootsOf(db, line, input.rootId)
    const what = ['line tree', line.scope, roots, input.depth]
    const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, ...what])
    const [position, key] = input.cursor === undefined ? [0, ''] : cursors.decode(input.cursor)

    const kept = JSON.stringify([...what, readerOf(context, line)])
    const known = input.cursor === undefined ? undefined : shapes.get(kept)
    const shape = known ?? (await shapeOf(db, line, roots, input.depth))
    const { graph, places, above } = shape
    const from = placeAfter(graph, places, Number(position), String(key))
    const page = places.slice(from, from + input.limit)
    const end = from + page.length
    // Once: it would be kept as long as somebody goes on reading, also after they lost their rights.
    if (!known && end < places.length) shapes.set(kept, shape)

    const path = above.slice(-longestPath)
    const records = await recordsOf(db, line, [...page.map(({ person }) => idOf(graph, person)), ...path])
    const nodes = nodesOf(line, shape, page, records)
    return written<LineTree>('nodes', JSON.stringify(nodes), line.chapters ? 0 : nodes.length, {
      path: path.flatMap((id) => records.get(id) ?? []),
      total: places.length,
      nextCursor: end < places.length ? cursors.encode([end, keyOf(graph, places[end - 1])]) : null,
      asOf: line.scope.asOf,
      at: shape.at,
    })
  }),
)

/** The account with the roles that came with its token, and whom it acts for. */
const readerOf = ({ actor: { orgId, accountId, idpRoles } }: CallerContext, { frame }: Line) => [orgId, accountId, idpRoles, frame.me]

async function shapeOf(db: ActorDb, line: Line, roots: readonly string[], depth: number): Promise<Shape> {
  const graph = await graphFrom(db, line, roots, false, true)
  const above = await wayAbove(db, line, roots)
  return { graph, above, places: treeOf(graph, numbersOf(graph, roots), depth), below: belowOf(graph), at: line.frame.at }
}

function nodesOf(line: Line, { graph, places, above, below }: Shape, page: readonly Place[], records: Map<string, LineRecord>): LineNode[] {
  const members = line.chapters && membersOf(line.chapters, graph)
  return page.flatMap((place): LineNode[] => {
    const record = records.get(idOf(graph, place.person))
    if (!record) return []
    const link = place.link < 0 ? null : uuidOf(graph.links.id(place.link))
    return [
      {
        key: uuidOf(keyOf(graph, place)),
        parentKey: place.above < 0 ? null : uuidOf(keyOf(graph, places[place.above])),
        record,
        relationshipId: line.chapters ? null : link,
        depth: place.depth,
        generation: above.length + 1 + place.depth,
        children: place.children,
        descendants: below(place.person).descendants,
        members: members?.own(place.person) ?? null,
        membersBelow: members?.below(place.person) ?? null,
        since: link === null ? null : dayOf(graph.links.since[place.link] ?? 0),
        continues: place.continues,
      },
    ]
  })
}

/** Members of chapters, and with those of the chapters below: each added to all above it. */
function membersOf(chapters: NonNullable<Line['chapters']>, graph: Graph) {
  const own = new Map(chapters.map(({ id, members }) => [id, members]))
  const parents = new Map(chapters.map(({ id, parentId }) => [id, parentId]))
  const sums = new Map<string, number>()
  for (const { id, members } of chapters)
    for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) sums.set(at, (sums.get(at) ?? 0) + members)
  return {
    own: (person: number) => own.get(idOf(graph, person)) ?? 0,
    below: (person: number) => sums.get(idOf(graph, person)) ?? 0,
  }
}
