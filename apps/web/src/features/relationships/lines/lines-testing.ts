import type { LineNode, LineRecord, LineTree } from '@guildhall/contract/features/relationships.lines'
import type { Relationship, RelationshipType } from '@guildhall/contract/features/relationships'
import { fake, uuid } from '../../../testing/fake-api.ts'

const bern = { id: uuid(900), name: 'Bern', code: 'BE' }
const type = (number: number, key: string, name: string, forwardLabel: string, inverseLabel: string): RelationshipType => ({
  id: uuid(number),
  key,
  name,
  forwardLabel,
  inverseLabel,
  acyclic: true,
  maxParents: 1,
  grants: 'none',
  approval: 'none',
  isMinorsOnly: key === 'guardian',
  active: 40,
  archivedAt: null,
  version: 1,
})
export const lineage = type(71, 'lineage', 'Big and little', 'Big', 'Little')
export const guardian = type(72, 'guardian', 'Guardian and child', 'Guardian', 'Child')
export const types = fake.data.relationships.types.handler(() => ({ items: [guardian, lineage] }))

export const person = (number: number, name: string): LineRecord => ({ id: uuid(number), name, pictureId: null, chapter: bern })

/** A name with those below it. */
export type Family = { name: string; below?: Family[]; cut?: boolean }

/** Level by level, as the server answers; people are numbered from 11 in that order. */
export function nodesOf(top: Family): LineNode[] {
  const nodes: LineNode[] = []
  let level: { family: Family; parent: LineNode | undefined }[] = [{ family: top, parent: undefined }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { family, parent } of level) {
      const number = 11 + nodes.length
      const below = family.below ?? []
      const depth = parent ? parent.depth + 1 : 0
      const node: LineNode = {
        key: `n${number}`,
        parentKey: parent?.key ?? null,
        record: person(number, family.name),
        relationshipId: parent ? uuid(number + 1000) : null,
        depth,
        generation: depth + 1,
        children: family.cut ? 3 : below.length,
        descendants: family.cut ? 3 : size(family) - 1,
        members: null,
        membersBelow: null,
        since: parent ? '2024-10-01' : null,
        continues: family.cut ?? false,
      }
      nodes.push(node)
      for (const child of below) next.push({ family: child, parent: node })
    }
    level = next
  }
  return nodes
}
const size = ({ below = [] }: Family): number => 1 + below.reduce((sum, family) => sum + size(family), 0)

export const treeOfNodes = (nodes: LineNode[], more: Partial<LineTree> = {}): LineTree => ({
  path: [],
  nodes,
  total: nodes.length,
  nextCursor: null,
  asOf: '2026-11-28',
  at: '2026-11-28T10:00:00Z',
  ...more,
})

/** Ada above Ben and Cleo; Ben above Dan and Eve; Cleo above Fay. */
export const ada: Family = {
  name: 'Ada Byron',
  below: [
    { name: 'Ben Ito', below: [{ name: 'Dan Low' }, { name: 'Eve Nash' }] },
    { name: 'Cleo Park', below: [{ name: 'Fay Orr' }] },
  ],
}
export const adasLine = nodesOf(ada)

export const relationship = (number: number, from: LineRecord, to: LineRecord, more: Partial<Relationship> = {}): Relationship => ({
  id: uuid(number),
  type: lineage,
  from: { id: from.id, displayName: from.name, chapter: bern },
  to: { id: to.id, displayName: to.name, chapter: bern },
  state: 'active',
  startsOn: '2024-10-01',
  endsOn: null,
  note: 'Met at the camp',
  proposedBy: null,
  verifiedBy: 'Olive Owner',
  verifiedAt: '2024-10-05T10:00:00Z',
  lapsesOn: null,
  createdAt: '2024-10-01T10:00:00Z',
  version: 1,
  may: { answer: false, verify: true, edit: true, end: true, reopen: false },
  ...more,
})

export const pageOf = <Item>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })
