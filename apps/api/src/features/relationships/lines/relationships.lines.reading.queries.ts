import { chaptersLine } from '@guildhall/contract/features/relationships.lines'
import type { LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { chaptersBelow, chaptersOn } from './relationships.lines.chapters.queries.ts'
import type { LineChapter } from './relationships.lines.chapters.queries.ts'
import { bareId, daysOf, graphOf, hangingOn, linksIn, unpackLinks, uuidOf, wayUp } from './relationships.lines.graph.rules.ts'
import type { Graph, Link } from './relationships.lines.graph.rules.ts'
import { allLinks, findFrame, findPeople, linksFrom, reaches } from './relationships.lines.queries.ts'
import type { Frame, LineType, Scope } from './relationships.lines.queries.ts'

// Lines of people and the tree of chapters, read as the same graphs.

/** So many links are read at a time. */
export const mostLinks = 300_000

type Asked = { kind: string; asOf?: string | undefined; chapterId?: string | undefined }
export type Line = {
  frame: Frame
  scope: Scope
  /** Null of chapters. */
  type: LineType | null
  /** Null of people. */
  chapters: readonly LineChapter[] | null
}

export async function openLine(db: ActorDb, { kind, asOf, chapterId }: Asked): Promise<Line> {
  const frame = await findFrame(db, kind)
  const isOfChapters = kind === chaptersLine
  if (!isOfChapters && !frame.type) {
    const kinds = [chaptersLine, ...frame.kinds]
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('kind', 'line_kind_unknown', `There is no such kind. Choose one of ${kinds.join(', ')}.`, { params: { kinds } }),
    )
  }
  const day = asOf ?? frame.today
  if (day > frame.today) throw problem('UNPROCESSABLE_CONTENT', fault('asOf', 'report_as_of_future', 'Choose today or an earlier day.'))
  const scope = { kind, asOf: day, chapterId: chapterId ?? null }
  return { frame, scope, type: isOfChapters ? null : frame.type, chapters: isOfChapters ? await chaptersOn(db, day) : null }
}

/** For what only those read who run reports. */
export async function openReport(db: ActorDb, asked: Asked): Promise<Line> {
  const line = await openLine(db, asked)
  if (!line.frame.reports) throw problem('FORBIDDEN')
  return line
}

// Graphs ------------------------------------------------------------------------------------------------------------------------------

/** All links of the kind. */
export async function wholeGraph(db: ActorDb, { scope, chapters }: Line): Promise<Graph> {
  if (chapters) return chapterGraph(chapters, scope.chapterId === null ? null : await chaptersBelow(db, scope.chapterId))
  return graphOf(unpackLinks(bounded(await allLinks(db, scope, mostLinks + 1))))
}

/** Everybody below some people, or above them; with `own`, one's own line as well. */
export async function graphFrom(db: ActorDb, line: Line, from: readonly string[], upwards: boolean, own: boolean): Promise<Graph> {
  if (line.chapters) return wholeGraph(db, upwards ? { ...line, scope: { ...line.scope, chapterId: null } } : line)
  // Whom somebody descends from does not depend on where the people below belong.
  const scope = upwards ? { ...line.scope, chapterId: null } : line.scope
  const found = bounded(await linksFrom(db, scope, { from, upwards, own, most: mostLinks + 1 }))
  return hangingOn([...unpackLinks(found)], from.map(bareId), upwards)
}

function bounded(found: Buffer): Buffer {
  if (linksIn(found) > mostLinks)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('chapterId', 'line_too_large', `These are more than ${mostLinks} links. Choose a chapter.`, { params: { max: mostLinks } }),
    )
  return found
}

function chapterGraph(chapters: readonly LineChapter[], within: ReadonlySet<string> | null): Graph {
  const there = new Map(chapters.map((chapter) => [chapter.id, chapter]))
  const links = chapters.flatMap(({ id, parentId, charteredOn, isOpen }): Link[] => {
    const parent = parentId === null ? undefined : there.get(parentId)
    if (!parent || (within && !within.has(id))) return []
    const since = charteredOn === null ? null : daysOf(charteredOn)
    return [{ link: bareId(id), parent: bareId(parent.id), child: bareId(id), since, parentActive: parent.isOpen, childActive: isOpen }]
  })
  return graphOf(
    links,
    chapters.filter(({ id }) => !within || within.has(id)).map(({ id }) => bareId(id)),
  )
}

// Roots -------------------------------------------------------------------------------------------------------------------------------

/** Whose line is asked for: of people the reader unless somebody is named, of chapters all at the top. Who is not within reach is not there. */
export async function rootsOf(db: ActorDb, { frame, scope, chapters }: Line, rootId: string | undefined): Promise<string[]> {
  if (!chapters) {
    const root = rootId ?? frame.me
    if (root === null || !(await reaches(db, scope, root))) throw problem('NOT_FOUND')
    return [root]
  }
  const there = new Set(chapters.map(({ id }) => id))
  const root = rootId ?? scope.chapterId
  if (root !== null) {
    if (!there.has(root)) throw problem('NOT_FOUND')
    return [root]
  }
  return chapters.filter(({ parentId }) => parentId === null || !there.has(parentId)).map(({ id }) => id)
}

export const numbersOf = (graph: Graph, ids: readonly string[]): number[] => ids.flatMap((id) => graph.numberOf(bareId(id)) ?? [])

/** From the top of the line down to a root, without it. Of several roots there is nothing above. */
export async function wayAbove(db: ActorDb, line: Line, roots: readonly string[]): Promise<string[]> {
  const [root, another] = roots
  if (root === undefined || another !== undefined) return []
  const graph = await graphFrom(db, line, [root], true, true)
  return numbersOf(graph, [root]).flatMap((person) => wayUp(graph, person).map((each) => idOf(graph, each)))
}

// Records -----------------------------------------------------------------------------------------------------------------------------

/** Those of these people, or chapters, that the reader sees. */
export async function recordsOf(db: ActorDb, { chapters }: Line, ids: Iterable<string>): Promise<Map<string, LineRecord>> {
  const wanted = new Set(ids)
  const records = chapters
    ? chapters.filter(({ id }) => wanted.has(id)).map(({ id, name }) => ({ id, name, pictureId: null, chapter: null }))
    : await findPeople(db, [...wanted])
  return new Map(records.map((record) => [record.id, record]))
}

export const idOf = (graph: Graph, person: number): string => uuidOf(graph.ids[person] ?? '')
