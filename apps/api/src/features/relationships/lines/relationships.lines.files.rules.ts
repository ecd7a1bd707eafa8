import type { LineRecord } from '@guildhall/contract/features/relationships.lines'
import { hierarchy, tree } from 'd3-hierarchy'

// A line as a file for other programs, for a picture and for paper. Pure: names were read before.

/** Somebody in a line, by the number that files use. */
export type FileNode = {
  record: LineRecord
  memberNo: string | null
  generation: number
  descendants: number
  /** From the top of the line down to here, with it. */
  path: readonly string[]
}
/** One stands directly above another. */
export type FileLink = { id: string; parent: FileNode; child: FileNode; since: string | null }
export type LineFile = { kind: string; asOf: string; nodes: readonly FileNode[]; links: readonly FileLink[] }

/** Characters that XML cannot hold are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // eslint-disable-next-line no-control-regex -- these are what XML 1.0 excludes
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

// Tables ------------------------------------------------------------------------------------------------------------------------------

export const tableColumns = [
  { header: 'Kind', kind: 'text' },
  { header: 'Parent', kind: 'text' },
  { header: 'Parent member number', kind: 'text' },
  { header: 'Child', kind: 'text' },
  { header: 'Child member number', kind: 'text' },
  { header: 'Since', kind: 'date' },
  { header: 'Generation', kind: 'number' },
  { header: 'Descendants', kind: 'number' },
  { header: 'Parent chapter', kind: 'text' },
  { header: 'Child chapter', kind: 'text' },
  { header: 'Path', kind: 'text' },
] as const

export const tableRows = ({ kind, links }: LineFile) =>
  links.map(({ parent, child, since }) => [
    ...[kind, parent.record.name, parent.memberNo, child.record.name, child.memberNo, since, child.generation, child.descendants],
    ...[parent.record.chapter?.name ?? null, child.record.chapter?.name ?? null, child.path.join(' / ')],
  ])

// Graphs ------------------------------------------------------------------------------------------------------------------------------

/** GraphML as http://graphml.graphdrawing.org has it: nodes with names, links from above to below. */
export function graphMl({ kind, asOf, nodes, links }: LineFile): string {
  const keys = [
    ['name', 'node', 'string'],
    ['memberNumber', 'node', 'string'],
    ['chapter', 'node', 'string'],
    ['generation', 'node', 'int'],
    ['descendants', 'node', 'int'],
    ['kind', 'edge', 'string'],
    ['since', 'edge', 'string'],
  ] as const
  const data = (key: string, value: string | number | null | undefined) =>
    value == null || value === '' ? '' : `<data key="${key}">${escaped(String(value))}</data>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
    ...keys.map(([id, of, type]) => `  <key id="${id}" for="${of}" attr.name="${id}" attr.type="${type}"/>`),
    `  <graph id="${escaped(`${kind} ${asOf}`)}" edgedefault="directed">`,
    ...nodes.map(
      ({ record, memberNo, generation, descendants }) =>
        `    <node id="${record.id}">${data('name', record.name)}${data('memberNumber', memberNo)}${data('chapter', record.chapter?.name)}${data('generation', generation)}${data('descendants', descendants)}</node>`,
    ),
    ...links.map(
      ({ id, parent, child, since }) =>
        `    <edge id="${id}" source="${parent.record.id}" target="${child.record.id}">${data('kind', kind)}${data('since', since)}</edge>`,
    ),
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n')
}

export const graphJson = ({ kind, asOf, nodes, links }: LineFile): string =>
  JSON.stringify(
    {
      kind,
      asOf,
      nodes: nodes.map(({ record, memberNo, generation, descendants }) => ({
        ...{ id: record.id, name: record.name, memberNumber: memberNo, chapter: record.chapter?.name ?? null, generation, descendants },
      })),
      links: links.map(({ id, parent, child, since }) => ({ id, parent: parent.record.id, child: child.record.id, since })),
    },
    null,
    1,
  )

// Pictures ----------------------------------------------------------------------------------------------------------------------------

/** A place in the picture or on paper; `above` is the number of the place that it hangs from. */
export type DrawnPlace = { above: number; depth: number; name: string; detail: string }

type Drawn = { place: DrawnPlace; below: Drawn[] }
const [rowHeight, columnWidth, margin, dot, longestName] = [20, 190, 24, 3.5, 28]

/** A tidy tree from left to right. */
export function pictureOf(title: string, places: readonly DrawnPlace[]): string {
  const drawn = places.map((place): Drawn => ({ place, below: [] }))
  const roots = drawn.filter(({ place }) => place.above < 0)
  for (const one of drawn) if (one.place.above >= 0) drawn[one.place.above]?.below.push(one)
  // Several roots hang from one that is not drawn.
  const nobody: Drawn = { place: { above: -1, depth: -1, name: '', detail: '' }, below: roots }
  const laid = tree<Drawn>().nodeSize([rowHeight, columnWidth])(hierarchy(nobody, ({ below }) => below))
  const nodes = laid.descendants().filter(({ depth }) => depth > 0)
  const [top, bottom] = [Math.min(...nodes.map(({ x }) => x)), Math.max(...nodes.map(({ x }) => x))]
  const [left, deepest] = [columnWidth, Math.max(...nodes.map(({ y }) => y))]
  const at = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(y - left + margin), y: Math.round(x - top + 2 * margin) })
  const [width, height] = [deepest - left + columnWidth + 2 * margin, bottom - top + 3 * margin]
  const lines = nodes
    .filter(({ depth }) => depth > 1)
    .map((node) => {
      const [from, to] = [at(node.parent ?? node), at(node)]
      const middle = Math.round((from.x + to.x) / 2)
      return `<path d="M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}"/>`
    })
  const labels = nodes.map((node) => {
    const { x, y } = at(node)
    const { name, detail } = node.data.place
    const signs = Array.from(name)
    const short = signs.length > longestName ? `${signs.slice(0, longestName - 1).join('')}…` : name
    return `<g transform="translate(${x} ${y})"><title>${escaped([name, detail].filter(Boolean).join(' · '))}</title><circle r="${dot}"/><text x="8" y="4">${escaped(short)}</text></g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/><text x="${margin}" y="${margin}" font-weight="700">${escaped(title)}</text>`,
    `<g fill="none" stroke="#9aa3ad">${lines.join('')}</g>`,
    `<g fill="#1a1d21">${labels.join('')}</g>`,
    '</svg>',
    '',
  ].join('\n')
}

/** Each place before what is below it, and that before the next beside it. */
export function inDepth(places: readonly DrawnPlace[]): DrawnPlace[] {
  const below = new Map<number, number[]>()
  for (const [at, { above }] of places.entries()) {
    const list = below.get(above)
    if (list) list.push(at)
    else below.set(above, [at])
  }
  const found: DrawnPlace[] = []
  const open = [...(below.get(-1) ?? [])].reverse()
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const place = places[at]
    if (place) found.push(place)
    open.push(...[...(below.get(at) ?? [])].reverse())
  }
  return found
}
