// Lines as a graph of numbered people (or chapters): who stands directly above and below whom. Pure, so that it is held against slower counts in tests.

/** One link: who stands above, who below. Ids are uuids without hyphens. */
export type Link = { link: string; parent: string; child: string; since: number | null; parentActive: boolean; childActive: boolean }

export type Graph = {
  /** By number. */
  ids: readonly string[]
  numberOf(id: string): number | undefined
  size: number
  links: { count: number; id(link: number): string; parent: Int32Array; child: Int32Array; since: Int32Array }
  /** Links that lead down from somebody, the earliest first. */
  down(person: number): Int32Array
  /** Links that lead up. */
  up(person: number): Int32Array
  isActive(person: number): boolean
}

/** The first day of a link whose first day is not known. */
export const unknownDay = -2_147_483_648
const linkBytes = 53
const firstDay = Date.UTC(2000, 0, 1)

export const bareId = (uuid: string): string => uuid.replaceAll('-', '')
export const uuidOf = (id: string): string => `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
export const dayOf = (since: number): string | null =>
  since === unknownDay ? null : new Date(firstDay + since * 86_400_000).toISOString().slice(0, 10)
export const daysOf = (day: string): number => Math.round((Date.parse(`${day}T00:00:00Z`) - firstDay) / 86_400_000)

/** How many links a packed answer has. */
export const linksIn = (packed: Buffer): number => packed.length / linkBytes

/** Links as the database packs them (app_private.line_bytes). */
export function* unpackLinks(packed: Buffer): Generator<Link> {
  for (let at = 0; at + linkBytes <= packed.length; at += linkBytes) {
    const since = packed.readInt32BE(at + 48)
    const flags = packed.readUInt8(at + 52)
    yield {
      link: packed.toString('hex', at, at + 16),
      parent: packed.toString('hex', at + 16, at + 32),
      child: packed.toString('hex', at + 32, at + 48),
      since: since === unknownDay ? null : since,
      parentActive: (flags & 1) !== 0,
      childActive: (flags & 2) !== 0,
    }
  }
}

/** `alone` have a place in the graph even where no link leads to or from them. */
export function graphOf(found: Iterable<Link>, alone: readonly string[] = []): Graph {
  const numbers = new Map<string, number>()
  const ids: string[] = []
  const active = new Set<number>()
  const numbered = (id: string): number => {
    let number = numbers.get(id)
    if (number === undefined) {
      number = ids.length
      numbers.set(id, number)
      ids.push(id)
    }
    return number
  }
  for (const id of alone) numbered(id)
  const [linkIds, parents, children, days]: [string[], number[], number[], number[]] = [[], [], [], []]
  for (const { link, parent, child, since, parentActive, childActive } of found) {
    const [above, below] = [numbered(parent), numbered(child)]
    if (parentActive) active.add(above)
    if (childActive) active.add(below)
    linkIds.push(link)
    parents.push(above)
    children.push(below)
    days.push(since ?? unknownDay)
  }
  const [parent, child, since] = [Int32Array.from(parents), Int32Array.from(children), Int32Array.from(days)]
  const byAge = (one: number, other: number) =>
    // A day that is not known comes last.
    (since[one] === unknownDay ? Infinity : (since[one] ?? 0)) - (since[other] === unknownDay ? Infinity : (since[other] ?? 0)) ||
    ((linkIds[one] ?? '') < (linkIds[other] ?? '') ? -1 : 1)
  return {
    ids,
    size: ids.length,
    numberOf: (id) => numbers.get(id),
    links: { count: linkIds.length, id: (link) => linkIds[link] ?? '', parent, child, since },
    down: listsOf(parent, ids.length, byAge),
    up: listsOf(child, ids.length, byAge),
    isActive: (person) => active.has(person),
  }
}

/** Only what hangs together with these people, downwards or upwards: beyond somebody hidden there is nothing. */
export function hangingOn(found: readonly Link[], from: readonly string[], upwards: boolean): Graph {
  const all = graphOf(found, from)
  const reached = new Uint8Array(all.size)
  const open = from.flatMap((id) => all.numberOf(id) ?? [])
  for (const person of open) reached[person] = 1
  for (let person = open.pop(); person !== undefined; person = open.pop()) {
    for (const link of upwards ? all.up(person) : all.down(person)) {
      const next = (upwards ? all.links.parent[link] : all.links.child[link]) ?? 0
      if (reached[next] === 1) continue
      reached[next] = 1
      open.push(next)
    }
  }
  if (!reached.includes(0)) return all
  return graphOf(
    found.filter(({ parent, child }) => reached[all.numberOf(upwards ? child : parent) ?? -1] === 1),
    from,
  )
}

/** Links by one of their ends, each list put into order when it is first asked for. */
function listsOf(ends: Int32Array, size: number, order: (one: number, other: number) => number): (person: number) => Int32Array {
  const starts = new Int32Array(size + 1)
  for (const end of ends) starts[end + 1] = (starts[end + 1] ?? 0) + 1
  for (let at = 0; at < size; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0)
  const filled = starts.slice()
  const lists = new Int32Array(ends.length)
  ends.forEach((end, link) => {
    const at = filled[end] ?? 0
    lists[at] = link
    filled[end] = at + 1
  })
  const sorted = new Uint8Array(size)
  return (person) => {
    const list = lists.subarray(starts[person] ?? 0, starts[person + 1] ?? 0)
    if (sorted[person] === 0) {
      if (list.length > 1) list.sort(order)
      sorted[person] = 1
    }
    return list
  }
}

export const childrenOf = (graph: Graph, person: number): number[] => [
  ...new Set(Array.from(graph.down(person), (link) => graph.links.child[link] ?? 0)),
]
export const parentsOf = (graph: Graph, person: number): number[] => [
  ...new Set(Array.from(graph.up(person), (link) => graph.links.parent[link] ?? 0)),
]

/** Those with somebody below and nobody above. */
export const topsOf = (graph: Graph): number[] =>
  Array.from({ length: graph.size }, (_, person) => person).filter(
    (person) => graph.up(person).length === 0 && graph.down(person).length > 0,
  )

/** Steps from the nearest top, 1 of a top itself; 1 as well where nobody above is one, since they stand in a circle. */
export function generationsOf(graph: Graph): Int32Array {
  const generations = new Int32Array(graph.size)
  let level = topsOf(graph)
  for (const top of level) generations[top] = 1
  for (let generation = 2; level.length > 0; generation++) {
    const next: number[] = []
    for (const person of level) {
      for (const link of graph.down(person)) {
        const child = graph.links.child[link] ?? 0
        if (generations[child] !== 0) continue
        generations[child] = generation
        next.push(child)
      }
    }
    level = next
  }
  return generations.map((generation) => generation || 1)
}

export type Below = { descendants: number; active: number; levels: number }

/**
 * How many different people stand below somebody, how many of them are active, and how many levels there are. Where nobody below has two above, that
 * is added up once for all from the ends of the lines; only above the others each is counted by going through those below.
 */
export function belowOf(graph: Graph): (person: number) => Below {
  const { size, links } = graph
  const [descendants, active, levels] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  // Open until everybody below is counted; whoever stands in a circle, or above one, stays open.
  const open = Int32Array.from({ length: size }, (_, person) => graph.down(person).length)
  const shared = new Uint8Array(size)
  const ready = Array.from({ length: size }, (_, person) => person).filter((person) => open[person] === 0)
  for (let child = ready.pop(); child !== undefined; child = ready.pop()) {
    const above = graph.up(child)
    for (const link of above) {
      const parent = links.parent[link] ?? 0
      descendants[parent] = (descendants[parent] ?? 0) + (descendants[child] ?? 0) + 1
      active[parent] = (active[parent] ?? 0) + (active[child] ?? 0) + (graph.isActive(child) ? 1 : 0)
      levels[parent] = Math.max(levels[parent] ?? 0, (levels[child] ?? 0) + 1)
      if (above.length > 1 || shared[child] === 1) shared[parent] = 1
      open[parent] = (open[parent] ?? 0) - 1
      if (open[parent] === 0) ready.push(parent)
    }
  }
  const known = new Map<number, Below>()
  const seen = new Int32Array(size)
  let round = 0
  const walked = (person: number): Below => {
    const found: Below = { descendants: 0, active: 0, levels: 0 }
    round++
    seen[person] = round
    for (let level = [person]; ; found.levels++) {
      const next: number[] = []
      for (const one of level) {
        for (const link of graph.down(one)) {
          const child = links.child[link] ?? 0
          if (seen[child] === round) continue
          seen[child] = round
          found.descendants++
          if (graph.isActive(child)) found.active++
          next.push(child)
        }
      }
      if (next.length === 0) return found
      level = next
    }
  }
  return (person) => {
    if (shared[person] === 0 && open[person] === 0)
      return { descendants: descendants[person] ?? 0, active: active[person] ?? 0, levels: levels[person] ?? 0 }
    const before = known.get(person) ?? walked(person)
    known.set(person, before)
    return before
  }
}

/** The shortest way up from somebody to a top, from the top down, without the person. */
export function wayUp(graph: Graph, person: number): number[] {
  const from = new Map<number, number>([[person, -1]])
  let level = [person]
  while (level.length > 0) {
    const next: number[] = []
    for (const one of level) {
      const above = parentsOf(graph, one).filter((parent) => parent !== one)
      if (above.length === 0 && one !== person) return wayTo(from, one)
      for (const parent of above) {
        if (from.has(parent)) continue
        from.set(parent, one)
        next.push(parent)
      }
    }
    level = next
  }
  return []
}

function wayTo(from: Map<number, number>, top: number): number[] {
  const way: number[] = []
  for (let at = top; from.get(at) !== -1; at = from.get(at) ?? -1) way.push(at)
  return way
}
