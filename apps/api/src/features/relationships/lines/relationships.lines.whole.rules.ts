import { belowOf, childrenOf, dayOf, daysOf, generationsOf, topsOf, unknownDay } from './relationships.lines.graph.rules.ts'
import type { Graph } from './relationships.lines.graph.rules.ts'

export type Top = { person: number; children: number; descendants: number; generations: number; living: number }

/** Tops of the lines, those with the most people below first. */
export function rankedTops(graph: Graph): Top[] {
  const below = belowOf(graph)
  return topsOf(graph)
    .map((person) => {
      const { descendants, active, levels } = below(person)
      return { person, children: childrenOf(graph, person).length, descendants, generations: levels + 1, living: active }
    })
    .sort((one, other) => other.descendants - one.descendants || ((graph.ids[one.person] ?? '') < (graph.ids[other.person] ?? '') ? -1 : 1))
}

/** Lines that nobody active carries on, by their tops. */
export const deadEnds = (graph: Graph): number[] =>
  rankedTops(graph).flatMap(({ person, living }) => (living === 0 && !graph.isActive(person) ? [person] : []))

/** Groups of people who stand below themselves, each group once. */
export function circlesOf(graph: Graph): number[][] {
  const { size, links } = graph
  const [order, low] = [new Int32Array(size), new Int32Array(size)]
  const isWaiting = new Uint8Array(size)
  const waiting: number[] = []
  const circles: number[][] = []
  let count = 0
  const enter = (person: number) => {
    count++
    order[person] = low[person] = count
    waiting.push(person)
    isWaiting[person] = 1
    return { person, next: 0 }
  }
  // Tarjan's algorithm with a stack of its own: a line may be deeper than calls can be.
  for (let start = 0; start < size; start++) {
    if (order[start] !== 0 || graph.down(start).length === 0) continue
    const steps = [enter(start)]
    for (let step = steps.at(-1); step; step = steps.at(-1)) {
      const { person } = step
      const link = graph.down(person)[step.next++]
      if (link !== undefined) {
        const child = links.child[link] ?? 0
        if (order[child] === 0) steps.push(enter(child))
        else if (isWaiting[child] === 1) low[person] = Math.min(low[person] ?? 0, order[child] ?? 0)
        continue
      }
      steps.pop()
      const above = steps.at(-1)?.person
      if (above !== undefined) low[above] = Math.min(low[above] ?? 0, low[person] ?? 0)
      if (low[person] !== order[person]) continue
      const circle: number[] = []
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        isWaiting[one] = 0
        circle.push(one)
        if (one === person) break
      }
      if (circle.length > 1) circles.push(circle.reverse())
    }
  }
  return circles
}

const mostYears = 60
const mostGenerations = 50
const recentYears = 3

/** `asOf` is a day such as 2026-11-24. */
export function statisticsOf(graph: Graph, asOf: string) {
  const generations = generationsOf(graph)
  const parents = Array.from({ length: graph.size }, (_, person) => graph.down(person).length).filter((children) => children > 0)
  const tops = rankedTops(graph)
  const perGeneration = new Map<number, number>()
  for (const generation of generations) perGeneration.set(generation, (perGeneration.get(generation) ?? 0) + 1)
  return {
    people: graph.size,
    links: graph.links.count,
    roots: tops.length,
    longest: tops.reduce((most, top) => Math.max(most, top.generations), 0),
    averageChildren: parents.length > 0 ? Math.round((graph.links.count / parents.length) * 100) / 100 : 0,
    survival: survivalOf(graph, tops, asOf),
    generations: [...perGeneration]
      .sort(([one], [other]) => one - other)
      .slice(0, mostGenerations)
      .map(([generation, people]) => ({ generation, people })),
  }
}

/** Of the lines that began in a year, how many took in somebody within the last years. A line without any day is left out. */
function survivalOf(graph: Graph, tops: readonly Top[], asOf: string) {
  const recent = daysOf(`${Number(asOf.slice(0, 4)) - recentYears}${asOf.slice(4) === '-02-29' ? '-03-01' : asOf.slice(4)}`)
  const years = new Map<number, { lines: number; alive: number }>()
  const seen = new Int32Array(graph.size)
  for (const [nth, { person }] of tops.entries()) {
    let [first, last] = [Infinity, -Infinity]
    const open = [person]
    seen[person] = nth + 1
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const link of graph.down(one)) {
        const since = graph.links.since[link] ?? 0
        if (since !== unknownDay) [first, last] = [Math.min(first, since), Math.max(last, since)]
        const child = graph.links.child[link] ?? 0
        if (seen[child] === nth + 1) continue
        seen[child] = nth + 1
        open.push(child)
      }
    }
    if (first === Infinity) continue
    const year = Number(dayOf(first)?.slice(0, 4))
    const lines = years.get(year) ?? { lines: 0, alive: 0 }
    years.set(year, { lines: lines.lines + 1, alive: lines.alive + (last > recent ? 1 : 0) })
  }
  return [...years]
    .sort(([one], [other]) => one - other)
    .slice(-mostYears)
    .map(([year, counts]) => ({ year, ...counts }))
}
