import type { LinePair, LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { cursorsFor } from '../../../platform/lists/keyset.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { chaptersFound } from './relationships.lines.chapters.queries.ts'
import { bareId, belowOf, generationsOf, uuidOf } from './relationships.lines.graph.rules.ts'
import type { Graph } from './relationships.lines.graph.rules.ts'
import { pairsList, peopleFound } from './relationships.lines.queries.ts'
import { graphFrom, idOf, openReport, recordsOf, wholeGraph } from './relationships.lines.reading.queries.ts'
import type { Line } from './relationships.lines.reading.queries.ts'
import { rankedTops } from './relationships.lines.whole.rules.ts'

const { lines } = data.relationships
type Asked = { q?: string | undefined; generation?: number | undefined; cursor?: string | undefined; limit?: number | undefined }

export const linePairs = lines.pairs.handler(async ({ input, context }) => {
  const { line, ids } = await context.inTx(async (db) => {
    const line = await openReport(db, input)
    const ids = line.type && input.generation !== undefined ? linksOf(await wholeGraph(db, line), input.generation) : null
    return { line, ids }
  })
  if (!line.type) return context.inTx((db) => chapterPairs(db, context, line, input))
  const page = await listPage(context, pairsList(line.type, line.scope, input.q, ids), input)
  const counts = await context.inTx((db) => countsOf(db, line, page.items.map(({ child }) => child.id))) // prettier-ignore
  return { ...page, items: page.items.map((pair): LinePair => ({ ...pair, ...counts(pair.child.id) })) }
})

/** Links to people of one generation. */
function linksOf(graph: Graph, generation: number): string[] {
  const generations = generationsOf(graph)
  return Array.from({ length: graph.links.count }, (_, link) => link)
    .filter((link) => generations[graph.links.child[link] ?? 0] === generation)
    .map((link) => uuidOf(graph.links.id(link)))
}

/** Generation and descendants of some people, from their own part of the lines. */
async function countsOf(db: ActorDb, line: Line, people: readonly string[]) {
  const [above, beneath] = [await graphFrom(db, line, people, true, false), await graphFrom(db, line, people, false, false)]
  const [generations, below] = [generationsOf(above), belowOf(beneath)]
  return (id: string) => ({
    generation: generations[above.numberOf(bareId(id)) ?? -1] ?? 1,
    descendants: below(beneath.numberOf(bareId(id)) ?? -1).descendants,
  })
}

async function chapterPairs(db: ActorDb, context: CallerContext, line: Line, { q, generation, cursor, limit = 50 }: Asked) {
  const chapters = new Map((line.chapters ?? []).map((chapter) => [chapter.id, chapter]))
  const found = q === undefined ? null : await chaptersFound(db, q)
  const graph = await wholeGraph(db, line)
  const [generations, below] = [generationsOf(graph), belowOf(graph)]
  const fits = (parent: number, child: number) =>
    (found === null || found.has(idOf(graph, child)) || found.has(idOf(graph, parent))) &&
    (generation === undefined || generations[child] === generation)
  const pairs = Array.from(
    { length: graph.links.count },
    (_, link) => [graph.links.parent[link] ?? 0, graph.links.child[link] ?? 0] as const,
  )
    .filter(([parent, child]) => fits(parent, child))
    .flatMap(([parent, child]) => {
      const [above, chapter] = [chapters.get(idOf(graph, parent)), chapters.get(idOf(graph, child))]
      return above && chapter ? [{ above, chapter, child }] : []
    })
    .sort((one, other) => compare(one.chapter.search, other.chapter.search) || compare(one.chapter.id, other.chapter.id))
  const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, 'chapter pairs', line.scope, q, generation])
  const after = cursor === undefined ? null : cursors.decode(cursor)
  const rest =
    after === null
      ? pairs
      : pairs.filter(({ chapter }) => (compare(chapter.search, String(after[0])) || compare(chapter.id, String(after[1]))) > 0)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const record = ({ id, name }: { id: string; name: string }): LineRecord => ({ id, name, pictureId: null, chapter: null })
  return {
    items: page.map(({ above, chapter, child }): LinePair => ({
      relationshipId: null,
      parent: record(above),
      child: record(chapter),
      kind: line.scope.kind,
      since: chapter.charteredOn,
      until: chapter.closedOn,
      state: chapter.isOpen ? 'active' : 'ended',
      generation: generations[child] ?? 1,
      descendants: below(child).descendants,
      verifiedBy: null,
    })),
    nextCursor: rest.length > limit && last ? cursors.encode([last.chapter.search, last.chapter.id]) : null,
    total: after === null ? pairs.length : null,
    totalIsExact: after === null,
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Tops of lines, from all links of the kind; a page goes on after the figure and the id that ended the one before. */
export const lineRoots = lines.roots.handler(({ input: { q, cursor, limit = 50, ...asked }, context }) =>
  context.inTx(async (db) => {
    const line = await openReport(db, asked)
    const graph = await wholeGraph(db, line)
    const found = q === undefined ? null : line.chapters ? await chaptersFound(db, q) : new Set(await peopleFound(db, q))
    const tops = rankedTops(graph)
      .map((top) => ({ ...top, id: idOf(graph, top.person) }))
      .filter(({ id }) => found === null || found.has(id))
    const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, 'line roots', line.scope, q])
    const after = cursor === undefined ? null : cursors.decode(cursor)
    const isAfter = ({ descendants, id }: { descendants: number; id: string }) =>
      after === null || descendants < Number(after[0]) || (descendants === after[0] && id > String(after[1]))
    const rest = tops.filter(isAfter)
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    const records = await recordsOf(db, line, page.map(({ id }) => id)) // prettier-ignore
    return {
      items: page.flatMap(({ id, children, descendants, generations, living }) => {
        const record = records.get(id)
        return record ? [{ record, children, descendants, generations, living }] : []
      }),
      nextCursor: rest.length > limit && last ? cursors.encode([last.descendants, last.id]) : null,
      total: after === null ? tops.length : null,
      totalIsExact: after === null,
    }
  }),
)
