/** One step of a way: up to somebody above, or down to somebody below. */
export type Step = { id: string; step: 'start' | 'up' | 'down' }
/** Who is one step away from these people, as far as they are asked for. */
export type Neighbours = (ids: readonly string[]) => Promise<{ parent: string; child: string }[]>

type Side = { from: Map<string, { before: string | null; step: 'up' | 'down' }>; level: string[]; depth: number }

/**
 * The shortest way between two people over links up and down, looked for from both ends at once, always from the end with fewer people to go on
 * from. Null where there is none within so many steps and people.
 */
export async function shortestWay(
  start: string,
  end: string,
  neighbours: Neighbours,
  { steps, people }: { steps: number; people: number },
): Promise<Step[] | null> {
  if (start === end) return [{ id: start, step: 'start' }]
  const sideOf = (id: string): Side => ({ from: new Map([[id, { before: null, step: 'up' }]]), level: [id], depth: 0 })
  const [first, second] = [sideOf(start), sideOf(end)]
  while (first.level.length > 0 && second.level.length > 0) {
    if (first.depth + second.depth >= steps || first.from.size + second.from.size > people) return null
    const [side, other] = first.level.length <= second.level.length ? [first, second] : [second, first]
    const here = new Set(side.level)
    const next: string[] = []
    for (const { parent, child } of await neighbours(side.level)) {
      for (const [at, to, step] of [
        [child, parent, 'up'],
        [parent, child, 'down'],
      ] as const) {
        if (!here.has(at) || side.from.has(to)) continue
        side.from.set(to, { before: at, step })
        next.push(to)
      }
    }
    side.level = next
    side.depth++
    const meeting = next.find((id) => other.from.has(id))
    if (meeting !== undefined) return joined(meeting, first, second)
  }
  return null
}

function joined(meeting: string, first: Side, second: Side): Step[] {
  const way: Step[] = []
  let at = meeting
  for (let come = first.from.get(at); come?.before != null; come = first.from.get(at)) {
    way.push({ id: at, step: come.step })
    at = come.before
  }
  way.push({ id: at, step: 'start' })
  way.reverse()
  // Steps from the other end lead the opposite way.
  at = meeting
  for (let come = second.from.get(at); come?.before != null; come = second.from.get(at)) {
    at = come.before
    way.push({ id: at, step: come.step === 'up' ? 'down' : 'up' })
  }
  return way
}
