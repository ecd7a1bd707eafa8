import type { RelationshipGraph, RelationshipType } from '@guildhall/contract/features/relationships'

export const graphWidth = 720
/** With more around the centre, names stand only beside the one that is pointed at or in focus. */
const mostNamed = 14
/** People further away are drawn while they have room. */
const mostDrawn = 30

export type GraphNode = {
  id: string
  name: string
  /** What they are to the person in the middle; empty further away. */
  role: string
  step: 0 | 1 | 2
  x: number
  y: number
}
export type GraphEdge = { id: string; from: GraphNode; to: GraphNode; typeId: string; isActive: boolean }
export type GraphPicture = {
  nodes: GraphNode[]
  edges: GraphEdge[]
  typeIds: string[]
  isDense: boolean
  isCut: boolean
  /** What of the height is used. */
  top: number
  bottom: number
}

type Label = Pick<RelationshipType, 'id' | 'forwardLabel' | 'inverseLabel' | 'acyclic'>
type Around = { id: string; name: string; role: string; typeId: string; above: boolean }

const middle = { x: graphWidth / 2, y: 200 }
/** Rows above the middle; below it the same. */
const rows = { 1: 84, 2: 164 } as const
/** More than these stand on two lines by turns, so that their names have room. */
const mostInLine = 6
const betweenLines = 36

/** The person in the middle, above them those who stand first, below them the others, type by type; further away those around these. */
export function pictureOf(graph: RelationshipGraph, labels: readonly Label[]): GraphPicture {
  const labelsOf = new Map(labels.map((label) => [label.id, label]))
  const centre = graph.people.find(({ isCentre }) => isCentre)?.person
  if (!centre) return { nodes: [], edges: [], typeIds: [], isDense: false, isCut: false, top: 0, bottom: 0 }
  const names = new Map(graph.people.map(({ person }) => [person.id, person.displayName]))
  const around = new Map<string, Around>()
  for (const { fromPersonId, toPersonId, typeId, label } of graph.links) {
    const above = toPersonId === centre.id
    if (!above && fromPersonId !== centre.id) continue
    const id = above ? fromPersonId : toPersonId
    const role = above ? label : (labelsOf.get(typeId)?.inverseLabel ?? '')
    const known = around.get(id)
    if (!known) around.set(id, { id, name: names.get(id) ?? '', role, typeId, above })
    else if (role && !known.role.includes(role)) known.role = [known.role, role].filter(Boolean).join(', ')
  }
  const inOrder = [...around.values()].sort((a, b) => compare(a.typeId, b.typeId) || a.name.localeCompare(b.name))
  const upper = inOrder.filter(({ above }) => above)
  const lower = inOrder.filter(({ above }) => !above)
  const nodes = new Map<string, GraphNode>([[centre.id, { id: centre.id, name: centre.displayName, role: '', step: 0, ...middle }]])
  const place = (people: readonly { id: string; name: string; role: string }[], step: 1 | 2, above: boolean) => {
    for (const [nth, { id, name, role }] of people.entries())
      nodes.set(id, { id, name, role, step, ...pointIn(step, above, nth, people.length) })
  }
  place(upper, 1, true)
  place(lower, 1, false)

  const further = graph.people.filter(({ person }) => !nodes.has(person.id)).map(({ person }) => person)
  const drawsFurther = nodes.size + further.length <= mostDrawn
  if (drawsFurther) {
    const beside = new Map<string, string>()
    for (const { fromPersonId, toPersonId } of graph.links) {
      if (around.has(fromPersonId)) beside.set(toPersonId, fromPersonId)
      if (around.has(toPersonId)) beside.set(fromPersonId, toPersonId)
    }
    // In the order of those whom they stand beside, so that few lines cross.
    const placed = further
      .flatMap(({ id, displayName }) => {
        const next = nodes.get(beside.get(id) ?? '')
        return next ? [{ id, name: displayName, role: '', next }] : []
      })
      .sort((a, b) => a.next.x - b.next.x || a.name.localeCompare(b.name))
    const isAbove = ({ next }: { next: GraphNode }) => next.y < middle.y
    place(placed.filter(isAbove), 2, true)
    place(
      placed.filter((one) => !isAbove(one)),
      2,
      false,
    )
  }
  const edges = graph.links.flatMap(({ relationshipId, fromPersonId, toPersonId, typeId, isActive }) => {
    const [from, to] = [nodes.get(fromPersonId), nodes.get(toPersonId)]
    return from && to ? [{ id: relationshipId, from, to, typeId, isActive }] : []
  })
  const heights = [...nodes.values()].map(({ y }) => y)
  return {
    nodes: [...nodes.values()],
    edges,
    typeIds: [...new Set(edges.map(({ typeId }) => typeId))].sort(compare),
    isDense: nodes.size - 1 > mostNamed,
    isCut: graph.isCut || !drawsFurther,
    top: Math.min(...heights) - 26,
    bottom: Math.max(...heights) + 50,
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Evenly spread over the width; many of them on two lines by turns. */
function pointIn(step: 1 | 2, above: boolean, nth: number, count: number): { x: number; y: number } {
  const away = rows[step] + (count > mostInLine && nth % 2 === 1 ? betweenLines : 0)
  return { x: Math.round((graphWidth * (nth + 0.5)) / count), y: middle.y + (above ? -away : away) }
}
