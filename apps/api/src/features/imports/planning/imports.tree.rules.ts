import type { SourceRow } from './imports.drafts.rules.ts'

/** What a file says about one code: the row that has it first, its parent, and whether going up leads back to itself. */
export type TreeNode = { line: number; parentCode: string; circle: string[] | null; below: number }
export type Tree = Map<string, TreeNode>

/** Puts parents before their children, wherever they stand in the file, and finds circles. Rows of one level keep their order. */
export function orderTree(
  rows: readonly SourceRow[],
  read: (row: SourceRow) => { code: string; parentCode: string },
): { rows: SourceRow[]; tree: Tree } {
  const tree: Tree = new Map()
  const codes = rows.map(read)
  codes.forEach(({ code, parentCode }, index) => {
    const row = rows[index]
    if (row && code && !tree.has(code)) tree.set(code, { line: row.line, parentCode, circle: null, below: -1 })
  })
  for (const code of tree.keys()) place(tree, code)
  const level = (index: number) => tree.get(codes[index]?.code ?? '')?.below ?? 0
  const order = rows.map((_, index) => index).sort((a, b) => level(a) - level(b) || a - b)
  return { rows: order.flatMap((index, step) => (rows[index] ? [{ ...rows[index], step: step + 1 }] : [])), tree }
}

/** How many ancestors a code has within the file; each code is walked once. */
function place(tree: Tree, start: string) {
  const path: string[] = []
  let code = start
  for (;;) {
    const node = tree.get(code)
    if (!node || node.below >= 0) break
    const seen = path.indexOf(code)
    if (seen >= 0) {
      const circle = [...path.slice(seen), code]
      for (const member of path.slice(seen)) {
        const inside = tree.get(member)
        if (inside) Object.assign(inside, { circle, below: 0 })
      }
      path.length = seen
      break
    }
    path.push(code)
    code = node.parentCode
  }
  let below = tree.get(code)?.below ?? -1
  for (const each of path.reverse()) {
    const node = tree.get(each)
    below += 1
    if (node) node.below = below
  }
}
