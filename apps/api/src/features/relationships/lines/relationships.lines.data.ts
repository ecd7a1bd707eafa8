import type { LineProblem } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { countLimit, cursorsFor } from '../../../platform/lists/keyset.ts'
import { problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { chaptersBelow, chaptersFound } from './relationships.lines.chapters.queries.ts'
import { bareId, belowOf, unpackLinks, uuidOf, wayUp } from './relationships.lines.graph.rules.ts'
import { linePairs, lineRoots } from './relationships.lines.pairs.data.ts'
import { shortestWay } from './relationships.lines.path.rules.ts'
import type { Neighbours } from './relationships.lines.path.rules.ts'
import { noLink, problemKinds, problemsPage } from './relationships.lines.problems.queries.ts'
import type { FoundProblem, ProblemPage } from './relationships.lines.problems.queries.ts'
import { countIsolated, reaches, searchPeople, stepsFrom } from './relationships.lines.queries.ts'
import { graphFrom, idOf, mostLinks, openLine, openReport, recordsOf, wholeGraph } from './relationships.lines.reading.queries.ts'
import type { Line } from './relationships.lines.reading.queries.ts'
import { lineTree } from './relationships.lines.tree.data.ts'
import { circlesOf, deadEnds, statisticsOf } from './relationships.lines.whole.rules.ts'

const { lines } = data.relationships
const mostFound = 20
/** Steps of a way, and people that are looked through for it. */
const wayBounds = { steps: 99, people: 100_000 }

export const linesData = lines.router({
  tree: lineTree,
  pairs: linePairs,
  roots: lineRoots,

  search: lines.search.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const line = await openLine(db, input)
      const found = await searched(db, line, input.q)
      const [above, beneath] = [await graphFrom(db, line, found, true, true), await graphFrom(db, line, found, false, true)]
      const below = belowOf(beneath)
      const ways = found.map((id) => {
        const [up, down] = [above.numberOf(bareId(id)), beneath.numberOf(bareId(id))]
        return {
          id,
          path: up === undefined ? [] : wayUp(above, up).map((person) => idOf(above, person)),
          descendants: down === undefined ? 0 : below(down).descendants,
        }
      })
      const records = await recordsOf(db, line, ways.flatMap(({ id, path }) => [id, ...path])) // prettier-ignore
      return {
        items: ways.flatMap(({ id, path, descendants }) => {
          const record = records.get(id)
          return record ? [{ record, path: path.flatMap((each) => records.get(each) ?? []), descendants }] : []
        }),
      }
    }),
  ),

  path: lines.path.handler(({ input: { fromId, toId, ...asked }, context }) =>
    context.inTx(async (db) => {
      const line = await openReport(db, asked)
      for (const id of [fromId, toId]) if (!(await isThere(db, line, id))) throw problem('NOT_FOUND')
      const way = await shortestWay(bareId(fromId), bareId(toId), await neighboursOf(db, line), wayBounds)
      const records = await recordsOf(db, line, (way ?? []).map(({ id }) => uuidOf(id))) // prettier-ignore
      const steps = (way ?? []).flatMap(({ id, step }) => {
        const record = records.get(uuidOf(id))
        return record ? [{ record, step }] : []
      })
      return { steps: steps.length === way?.length ? steps : [] }
    }),
  ),

  statistics: lines.statistics.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const line = await openReport(db, input)
      const graph = await wholeGraph(db, line)
      const { scope, type } = line
      const alone = Array.from({ length: graph.size }, (_, person) => person).filter(
        (person) => graph.down(person).length + graph.up(person).length === 0,
      ).length
      const isolated = type ? await countIsolated(db, type, scope) : alone
      return { ...statisticsOf(graph, scope.asOf), isolated, asOf: scope.asOf }
    }),
  ),

  problems: lines.problems.handler(({ input: { problem: kind, cursor, limit = 50, ...asked }, context }) =>
    context.inTx(async (db) => {
      const line = await openReport(db, asked)
      const cursors = cursorsFor(context.services.config.ACTOR_KEY, [context.actor.orgId, 'line problems', line.scope, kind])
      const after = cursor === undefined ? null : cursors.decode(cursor)
      const found = line.type
        ? await peopleProblems(db, line, { kind, after, limit })
        : chapterProblems(line, await withinOf(db, line), { kind, after, limit })
      const page = found.items.slice(0, limit)
      const last = page.at(-1)
      const records = await recordsOf(db, line, page.flatMap(({ about, others }) => [about, ...others])) // prettier-ignore
      return {
        items: page.flatMap(({ place, about, others, relationshipId, on }): LineProblem[] => {
          const [record, name] = [records.get(about), problemKinds[place]]
          if (!record || !name) return []
          return [{ kind: name, record, others: others.flatMap((id) => records.get(id) ?? []), relationshipId, on }]
        }),
        nextCursor: found.items.length > limit && last ? cursors.encode([last.place, last.about, last.relationshipId ?? noLink]) : null,
        total: after === null ? Math.min(found.total, countLimit) : null,
        totalIsExact: after === null && found.total <= countLimit,
        counts:
          after === null
            ? found.counts.flatMap(({ place, count }) => (problemKinds[place] ? [{ kind: problemKinds[place], count }] : []))
            : [],
      }
    }),
  ),
})

// Searching and ways ------------------------------------------------------------------------------------------------------------------

/** Who runs no reports finds whom their own line holds. */
async function searched(db: ActorDb, line: Line, q: string): Promise<string[]> {
  const { frame, scope, type, chapters } = line
  if (!type) {
    const found = await chaptersFound(db, q)
    return (chapters ?? [])
      .filter(({ id }) => found.has(id))
      .slice(0, mostFound)
      .map(({ id }) => id)
  }
  if (frame.reports) return searchPeople(db, { type, asOf: scope.asOf }, q, null, mostFound)
  if (frame.me === null) return []
  const own = [await graphFrom(db, line, [frame.me], true, true), await graphFrom(db, line, [frame.me], false, true)]
  return searchPeople(db, { type, asOf: scope.asOf }, q, own.flatMap(({ ids }) => ids.map(uuidOf)), mostFound) // prettier-ignore
}

const isThere = async (db: ActorDb, { scope, chapters }: Line, id: string): Promise<boolean> =>
  chapters ? chapters.some((chapter) => chapter.id === id) : reaches(db, scope, id)

async function neighboursOf(db: ActorDb, line: Line): Promise<Neighbours> {
  if (!line.chapters) return async (ids) => [...unpackLinks(await stepsFrom(db, line.scope, ids.map(uuidOf), mostLinks))] // prettier-ignore
  const graph = await wholeGraph(db, line)
  const end = (person: number | undefined) => graph.ids[person ?? 0] ?? ''
  const linksAt = (person: number) => [...graph.down(person), ...graph.up(person)]
  return async (ids) =>
    ids
      .flatMap((id) => linksAt(graph.numberOf(id) ?? -1))
      .map((link) => ({ parent: end(graph.links.parent[link]), child: end(graph.links.child[link]) }))
}

// Problems ----------------------------------------------------------------------------------------------------------------------------

type ProblemsAsked = { kind: LineProblem['kind'] | undefined; after: readonly (string | number | null)[] | null; limit: number }

async function peopleProblems(db: ActorDb, line: Line, { kind, after, limit }: ProblemsAsked): Promise<ProblemPage> {
  // Only these two need whole lines; their counts are told on the first page.
  const needsLines = after === null || kind === undefined || kind === 'cycle' || kind === 'dead_end'
  const graph = needsLines ? await wholeGraph(db, line) : null
  const inLines = {
    circles: graph ? circlesOf(graph).map((circle) => circle.map((person) => idOf(graph, person)).sort()) : [],
    deadEnds: graph ? deadEnds(graph).map((person) => idOf(graph, person)) : [],
  }
  if (!line.type) throw new Error('chapters have problems of their own')
  return problemsPage(db, line.type, line.scope, inLines, { problem: kind, after, limit })
}

const withinOf = async (db: ActorDb, { scope }: Line) => (scope.chapterId === null ? null : chaptersBelow(db, scope.chapterId))

/** A closed chapter above one that is open, and open ones at the end of a branch without members. */
function chapterProblems({ chapters }: Line, within: ReadonlySet<string> | null, { kind, after, limit }: ProblemsAsked): ProblemPage {
  const there = new Map((chapters ?? []).map((chapter) => [chapter.id, chapter]))
  const parents = new Set((chapters ?? []).map(({ parentId }) => parentId))
  const of = (name: LineProblem['kind'], about: string, others: string[], on: string | null): FoundProblem => ({
    ...{ place: problemKinds.indexOf(name), about, others, relationshipId: null, on },
  })
  const asked = [...there.values()].filter(({ id }) => within === null || within.has(id))
  const all = asked.flatMap((chapter): FoundProblem[] => {
    const above = chapter.parentId === null ? undefined : there.get(chapter.parentId)
    return [
      ...(above && !above.isOpen && chapter.isOpen ? [of('ended_parent', chapter.id, [above.id], above.closedOn)] : []),
      ...(!parents.has(chapter.id) && chapter.isOpen && chapter.members === 0 ? [of('dead_end', chapter.id, [], null)] : []),
    ]
  })
  const wanted = all
    .filter(({ place }) => kind === undefined || problemKinds[place] === kind)
    .sort((one, other) => one.place - other.place || (one.about < other.about ? -1 : 1))
  const rest = wanted.filter(
    ({ place, about }) => after === null || place > Number(after[0]) || (place === after[0] && about > String(after[1])),
  )
  const counts = problemKinds.map((_, place) => ({ place, count: all.filter((found) => found.place === place).length }))
  return { items: rest.slice(0, limit + 1), counts: counts.filter(({ count }) => count > 0), total: wanted.length }
}
