import type { LineNode } from '@guildhall/contract/features/relationships.lines'

/** A node with its place among the others; `children` are those that have been fetched. */
export type TreeItem = { node: LineNode; parent: TreeItem | undefined; children: TreeItem[]; position: number }
export type Tree = { roots: readonly TreeItem[]; byKey: ReadonlyMap<string, TreeItem> }
/** A line of the table. `size` counts the siblings, also those that have not been fetched. */
export type TreeRow = { item: TreeItem; level: number; size: number }

/** What is open at first: as many whole levels as fit on a screen or two, and always the first. */
const openAtFirst = 60

/** Nodes come level by level, each parent before its children. */
export function treeOf(nodes: readonly LineNode[]): Tree {
  const roots: TreeItem[] = []
  const byKey = new Map<string, TreeItem>()
  for (const node of nodes) {
    const parent = node.parentKey === null ? undefined : byKey.get(node.parentKey)
    const siblings = parent?.children ?? roots
    const item: TreeItem = { node, parent, children: [], position: siblings.length + 1 }
    siblings.push(item)
    byKey.set(node.key, item)
  }
  return { roots, byKey }
}

/** Has children that can be shown here: those beyond the depth asked for cannot. */
export const isBranch = ({ node }: TreeItem): boolean => node.children > 0 && !node.continues

/** Nodes above this depth are open until their reader turns them. */
export function firstDepth(nodes: readonly LineNode[]): number {
  const perLevel: number[] = []
  for (const { depth } of nodes) perLevel[depth] = (perLevel[depth] ?? 0) + 1
  let shown = 0
  const tooDeep = perLevel.findIndex((count) => (shown += count) > openAtFirst)
  return Math.max(1, tooDeep === -1 ? perLevel.length : tooDeep - 1)
}

/** The lines that a reader sees: nothing below closed nodes. Without recursion, since a line may be deep. */
export function rowsOf(roots: readonly TreeItem[], isOpen: (item: TreeItem) => boolean): TreeRow[] {
  const rows: TreeRow[] = []
  const waiting = roots.map((item): TreeRow => ({ item, level: 1, size: roots.length })).toReversed()
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row)
    const { item, level } = row
    if (!isBranch(item) || !isOpen(item)) continue
    const size = Math.max(item.node.children, item.children.length)
    for (const child of item.children.toReversed()) waiting.push({ item: child, level: level + 1, size })
  }
  return rows
}

/** From the top down to the item, without it. */
export function above(item: TreeItem): TreeItem[] {
  const path: TreeItem[] = []
  for (let next = item.parent; next; next = next.parent) path.push(next)
  return path.toReversed()
}

/** The first place of a person or chapter: somebody below two others has two. */
export function itemOf({ byKey }: Tree, recordId: string | undefined): TreeItem | undefined {
  if (recordId === undefined) return undefined
  for (const item of byKey.values()) if (item.node.record.id === recordId) return item
  return undefined
}
