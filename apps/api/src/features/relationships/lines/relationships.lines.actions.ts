import type { LineFileFormat, LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { setImmediate } from 'node:timers/promises'
import { csvTable } from '../../../platform/files/table-writer.ts'
import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { graphJson, graphMl, inDepth, pictureOf, tableColumns, tableRows } from './relationships.lines.files.rules.ts'
import type { DrawnPlace, FileNode, LineFile } from './relationships.lines.files.rules.ts'
import { belowOf, dayOf, generationsOf, topsOf, uuidOf } from './relationships.lines.graph.rules.ts'
import type { Graph } from './relationships.lines.graph.rules.ts'
import { memberNumbers, noteExport } from './relationships.lines.queries.ts'
import { chaptersBelow } from './relationships.lines.chapters.queries.ts'
import { graphFrom, idOf, numbersOf, openReport, recordsOf, rootsOf, wayAbove, wholeGraph } from './relationships.lines.reading.queries.ts'
import type { Line } from './relationships.lines.reading.queries.ts'
import { treeOf } from './relationships.lines.tree.rules.ts'
import type { Place } from './relationships.lines.tree.rules.ts'

const { lines } = actions.relationships
type Format = LineFileFormat
type Asked = {
  kind: string
  asOf?: string | undefined
  chapterId?: string | undefined
  rootId?: string | undefined
  depth: number
  format: Format
}

/** Links that a file holds at most, or places of a drawing. Paper is laid out slowly. */
const most: Record<Format, number> = { csv: 20_000, graphml: 20_000, json: 20_000, svg: 2_000, pdf: 1_000 }
const contentTypes: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  graphml: 'application/graphml+xml',
  json: 'application/json',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
}

export const linesActions = lines.router({
  file: lines.file.handler(async ({ input, context }) => {
    const found = await context.inTx((db) => placesOf(db, input))
    const people = found.line.type ? new Set(found.places.map(({ person }) => person)).size : 0
    await context.services.reading.take(context.actor, people)
    const read = await context.inTx(async (db) => ({
      ...(await namesOf(db, found)),
      ...(await letterheadOf(db, context.actor.orgId)),
      noted: await noteExport(db, input.rootId ?? null, {
        list: input.kind,
        format: input.format,
        rows: sizeOf(found, input.format),
        asOf: found.line.scope.asOf,
      }),
    }))
    const content = await contentOf(input.format, found, read)
    const name = `${input.kind}-${found.line.scope.asOf}.${input.format}`
    return new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type: contentTypes[input.format] })
  }),
})

// What a file holds -------------------------------------------------------------------------------------------------------------------

/** `links` are those that the file has, `places` what is drawn, `above` the way from the top of the line. */
type Found = { line: Line; graph: Graph; places: Place[]; links: number[]; above: string[]; generation(person: number): number }
type Names = { records: Map<string, LineRecord>; numbers: Map<string, string> }

const isDrawn = (format: Format) => format === 'svg' || format === 'pdf'
const sizeOf = ({ places, links }: Found, format: Format): number => (isDrawn(format) ? places.length : links.length)

async function placesOf(db: ActorDb, asked: Asked): Promise<Found> {
  const { rootId, format, chapterId } = asked
  const line = await openReport(db, asked)
  if (chapterId !== undefined && (await chaptersBelow(db, chapterId)).size === 0) throw problem('NOT_FOUND')
  // Chapters hang together; they are drawn from the top unless somebody asks for a part.
  if (isDrawn(format) && rootId === undefined && line.type)
    throw problem('UNPROCESSABLE_CONTENT', fault('rootId', 'line_root_needed', 'Choose whose line.'))
  const found = rootId === undefined && !isDrawn(format) ? await everything(db, line, format) : await oneLine(db, line, asked)
  mustFit(sizeOf(found, format), format)
  return found
}

function mustFit(size: number, format: Format): void {
  if (size > most[format])
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('format', 'line_file_too_large', `A file of this format holds ${most[format]} at most.`, { params: { max: most[format] } }),
    )
}

async function everything(db: ActorDb, line: Line, format: Format): Promise<Found> {
  const graph = await wholeGraph(db, line)
  mustFit(graph.links.count, format)
  const generations = generationsOf(graph)
  return {
    ...{ line, graph, above: [] },
    places: treeOf(graph, topsOf(graph), graph.size),
    links: Array.from({ length: graph.links.count }, (_, link) => link),
    generation: (person) => generations[person] ?? 1,
  }
}

async function oneLine(db: ActorDb, line: Line, { rootId, depth }: Asked): Promise<Found> {
  const roots = await rootsOf(db, line, rootId)
  const graph = await graphFrom(db, line, roots, false, true)
  const above = await wayAbove(db, line, roots)
  const places = treeOf(graph, numbersOf(graph, roots), depth)
  const depths = new Map<number, number>()
  for (const place of places) if (!depths.has(place.person)) depths.set(place.person, place.depth)
  return {
    ...{ line, graph, above, places },
    links: Array.from({ length: graph.links.count }, (_, link) => link).filter(
      (link) => (depths.get(graph.links.parent[link] ?? -1) ?? depth) < depth,
    ),
    generation: (person) => above.length + 1 + (depths.get(person) ?? 0),
  }
}

async function namesOf(db: ActorDb, { line, graph, above, links, places }: Found): Promise<Names> {
  const people = new Set([
    ...places.map(({ person }) => person),
    ...links.flatMap((link) => [graph.links.parent[link] ?? 0, graph.links.child[link] ?? 0]),
  ])
  const records = await recordsOf(db, line, [...above, ...Array.from(people, (person) => idOf(graph, person))])
  return { records, numbers: line.type ? await memberNumbers(db, [...records.keys()]) : new Map<string, string>() }
}

// Content -----------------------------------------------------------------------------------------------------------------------------

type Letterhead = Awaited<ReturnType<typeof letterheadOf>>

async function contentOf(format: Format, found: Found, read: Names & Letterhead): Promise<string | Buffer> {
  switch (format) {
    case 'csv':
      return textOf(csvTable(tableColumns, inPages(tableRows(fileOf(found, read)))))
    case 'graphml':
      return graphMl(fileOf(found, read))
    case 'json':
      return graphJson(fileOf(found, read))
    case 'svg':
      return pictureOf(titleOf(found, read), drawnPlaces(found, read, read.i18n))
    case 'pdf':
      return renderPdf(outlineOf(found, read))
  }
}

const pageRows = 1_000
/** Between two pages, the server answers others. */
async function* inPages<Row>(rows: readonly Row[]) {
  for (let from = 0; from < rows.length; from += pageRows) {
    yield rows.slice(from, from + pageRows)
    await setImmediate()
  }
}
async function textOf(parts: AsyncIterable<string | Buffer>): Promise<string> {
  let text = ''
  for await (const part of parts) text += String(part)
  return text
}

/** Names of a way in a file at most: of a longer one the last, after a sign that some are missing, or the whole would be as large as its square. */
const longestWay = 100
const wayOf = (path: readonly string[]) => (path.length < longestWay ? path : ['…', ...path.slice(2 - longestWay)])

/** Nodes and links with names; a link of somebody whom the reader no longer sees is left out. */
function fileOf({ line, graph, places, links, above, generation }: Found, { records, numbers }: Names): LineFile {
  const below = belowOf(graph)
  const nodes = new Map<number, FileNode>()
  const nodeOf = (person: number, path: readonly string[]): FileNode | undefined => {
    const known = nodes.get(person)
    const id = idOf(graph, person)
    const record = records.get(id)
    if (known || !record) return known
    const node = {
      record,
      memberNo: numbers.get(id) ?? null,
      generation: generation(person),
      descendants: below(person).descendants,
      path: [...wayOf(path), record.name],
    }
    nodes.set(person, node)
    return node
  }
  const before = above.map((id) => records.get(id)?.name ?? '')
  // Each place comes after the one above it.
  for (const place of places) nodeOf(place.person, nodes.get(places[place.above]?.person ?? -1)?.path ?? before)
  // In the order of places, and whoever has none after these.
  const order = new Map([...nodes.keys()].map((person, nth) => [person, nth]))
  const orderOf = (link: number) => order.get(graph.links.child[link] ?? 0) ?? graph.size
  const sorted = links.toSorted((one, other) => orderOf(one) - orderOf(other) || one - other)
  const named = sorted.flatMap((link) => {
    const [parent, child] = [nodeOf(graph.links.parent[link] ?? 0, []), nodeOf(graph.links.child[link] ?? 0, [])]
    return parent && child ? [{ id: uuidOf(graph.links.id(link)), parent, child, since: dayOf(graph.links.since[link] ?? 0) }] : []
  })
  return { kind: line.scope.kind, asOf: line.scope.asOf, nodes: [...nodes.values()], links: named }
}

const kindName = (i18n: Texts, { type }: Line): string => type?.name ?? i18n._('Chapters')

function titleOf({ line, graph, places }: Found, { records, i18n }: Names & { i18n: Texts }): string {
  const [root, another] = places
  const name = root && another?.depth !== 0 ? records.get(idOf(graph, root.person))?.name : undefined
  return name === undefined ? kindName(i18n, line) : `${kindName(i18n, line)}: ${name}`
}

function drawnPlaces({ graph, places }: Found, { records }: Names, i18n: Texts): DrawnPlace[] {
  return places.map((place) => {
    const record = records.get(idOf(graph, place.person))
    const since = place.link < 0 ? null : dayOf(graph.links.since[place.link] ?? 0)
    const detail = [record?.chapter?.name, since === null ? undefined : i18n.date(since)].filter(Boolean).join(' · ')
    return { above: place.above, depth: place.depth, name: record?.name ?? '…', detail }
  })
}

function outlineOf(found: Found, read: Names & Letterhead) {
  const { i18n, brand } = read
  const { above, line, places } = found
  const way = above.map((id) => read.records.get(id)?.name ?? '…')
  return {
    kind: 'outline' as const,
    language: i18n.language,
    title: titleOf(found, read),
    facts: [
      brand.name,
      i18n.date(line.scope.asOf),
      i18n._('{count, plural, one {# entry} other {# entries}}', { count: places.length }),
      ...(way.length > 0 ? [way.join(' / ').slice(0, 2_000)] : []),
    ],
    footer: i18n._('Page {page} of {pages}', { page: '{page}', pages: '{pages}' }),
    entries: inDepth(drawnPlaces(found, read, i18n)).map(({ depth, name, detail }) => ({ depth, text: name, detail })),
  }
}
