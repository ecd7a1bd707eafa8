export type TreeNode = { id: string; label: string; children?: readonly TreeNode[] }
export type TreeRow = { node: TreeNode; level: number; position: number; size: number; parent: string | undefined }

/** The rows a reader sees: the children of closed nodes are left out. */
export function flatten(nodes: readonly TreeNode[], open: ReadonlySet<string>, level = 1, parent?: string): TreeRow[] {
  return nodes.flatMap((node, index) => [
    { node, level, position: index + 1, size: nodes.length, parent },
    ...(node.children?.length && open.has(node.id) ? flatten(node.children, open, level + 1, node.id) : []),
  ])
}

/** Builds the tree from rows that name their parent; a row whose parent is unknown, or not visible to this reader, is a root. */
export function treeOf<Row extends { id: string; parentId: string | null }>(rows: readonly Row[], label: (row: Row) => string): TreeNode[] {
  const known = new Set(rows.map(({ id }) => id))
  const below = Map.groupBy(rows, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null))
  const build = (parent: string | null): TreeNode[] =>
    (below.get(parent) ?? []).map((row) => {
      const children = build(row.id)
      return { id: row.id, label: label(row), ...(children.length > 0 && { children }) }
    })
  return build(null)
}
