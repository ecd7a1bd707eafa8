import type { Graph } from './relationships.lines.graph.rules.ts'

/** A place in a tree. */
export type Place = {
  person: number
  /** Number of the place above; -1 of a root. */
  above: number
  /** The link that leads here; -1 of a root. */
  link: number
  depth: number
  children: number
  continues: boolean
}

/**
 * Everybody below the roots, level by level. Somebody below two others has a place below both, but what is below them stands at the first of these only,
 * so that there are never more places than links; and nobody stands below themselves.
 */
export function treeOf(graph: Graph, roots: readonly number[], depth: number): Place[] {
  const places: Place[] = roots.map((person) => ({ person, above: -1, link: -1, depth: 0, children: 0, continues: false }))
  const opened = new Uint8Array(graph.size)
  const isAbove = (at: number, person: number): boolean => {
    for (let place = places[at]; place; place = places[place.above]) if (place.person === person) return true
    return false
  }
  // The list grows while it is gone through.
  for (let at = 0; at < places.length; at++) {
    const place = places[at]
    if (!place) break
    const seen = new Set<number>()
    for (const link of graph.down(place.person)) {
      const child = graph.links.child[link] ?? 0
      // Everybody above was opened before.
      if (seen.has(child) || (opened[child] === 1 && isAbove(at, child)) || child === place.person) continue
      seen.add(child)
      if (opened[place.person] === 1 || place.depth >= depth) continue
      places.push({ person: child, above: at, link, depth: place.depth + 1, children: 0, continues: false })
    }
    place.children = seen.size
    place.continues = seen.size > 0 && (opened[place.person] === 1 || place.depth >= depth)
    if (place.depth < depth) opened[place.person] = 1
  }
  return places
}

/** Where a page goes on: after the place that ended the one before, wherever it stands by now. */
export function placeAfter(graph: Graph, places: readonly Place[], position: number, key: string): number {
  const keyAt = (at: number) => keyOf(graph, places[at])
  if (position > 0 && keyAt(position - 1) === key) return position
  const found = places.findIndex((place) => keyOf(graph, place) === key)
  return found < 0 ? Math.min(position, places.length) : found + 1
}

/** A link leads to one place only; a root has none. */
export const keyOf = (graph: Graph, place: Place | undefined): string =>
  place === undefined ? '' : place.link < 0 ? (graph.ids[place.person] ?? '') : graph.links.id(place.link)
