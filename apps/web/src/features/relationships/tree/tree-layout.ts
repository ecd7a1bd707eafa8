import { hierarchy, tree as layOut } from 'd3-hierarchy'
import { isBranch } from './tree-model.ts'
import type { TreeItem, Tree } from './tree-model.ts'

export type Growth = 'across' | 'down'
/** Top left corner of a box. */
export type Box = { item: TreeItem; x: number; y: number }
export type Picture = {
  boxes: readonly Box[]
  links: readonly { from: Box; to: Box }[]
  width: number
  height: number
  left: number
  top: number
}

export const boxWidth = 200
export const boxHeight = 48
const gap = { across: { levels: 72, siblings: 16 }, down: { levels: 56, siblings: 24 } }

/** Where each open node stands. Mirrored where the page is read from right to left and the tree grows across. */
export function pictureOf(tree: Tree, isOpen: (item: TreeItem) => boolean, growth: Growth, mirrored: boolean): Picture {
  const shown = (item: TreeItem) => (isBranch(item) && isOpen(item) ? item.children : noItems)
  // One point above several tops, which is laid out and not drawn.
  const whole = hierarchy<TreeItem | null>(null, (item) => (item ? shown(item) : tree.roots))
  const { levels, siblings } = gap[growth]
  const across = growth === 'across'
  const step = across ? boxWidth + levels : boxHeight + levels
  layOut<TreeItem | null>()
    .nodeSize([(across ? boxHeight : boxWidth) + siblings, step])
    .separation((one, other) => (one.parent === other.parent ? 1 : 1.25))(whole)
  const boxes: Box[] = []
  const byItem = new Map<TreeItem, Box>()
  const links: Picture['links'][number][] = []
  whole.each(({ data, x = 0, y = 0 }) => {
    if (!data) return
    const depth = y - step
    const box: Box = across ? { item: data, x: mirrored ? -depth : depth, y: x } : { item: data, x, y: depth }
    boxes.push(box)
    byItem.set(data, box)
    const parent = data.parent && byItem.get(data.parent)
    if (parent) links.push({ from: parent, to: box })
  })
  return { boxes, links, ...bounds(boxes) }
}

/** Step by step, since spreading ten thousand into one call may be too many. */
function bounds(boxes: readonly Box[]) {
  let [left, top, right, bottom] = [0, 0, boxWidth, boxHeight]
  for (const { x, y } of boxes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + boxWidth)
    bottom = Math.max(bottom, y + boxHeight)
  }
  return { left, top, width: right - left, height: bottom - top }
}

/** From the end of a parent's box to the beginning of a child's. */
export function linkPath(from: Box, to: Box, growth: Growth): string {
  if (growth === 'down') {
    const [x1, y1, x2, y2] = [from.x + boxWidth / 2, from.y + boxHeight, to.x + boxWidth / 2, to.y]
    const middle = (y1 + y2) / 2
    return `M${x1},${y1}C${x1},${middle} ${x2},${middle} ${x2},${y2}`
  }
  const mirrored = to.x < from.x
  const [x1, x2] = mirrored ? [from.x, to.x + boxWidth] : [from.x + boxWidth, to.x]
  const [y1, y2] = [from.y + boxHeight / 2, to.y + boxHeight / 2]
  const middle = (x1 + x2) / 2
  return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`
}

const noItems: TreeItem[] = []
