import { useDirection } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { ReactFlow, ReactFlowProvider, useStore, ViewportPortal } from '@xyflow/react'
import type { Node, NodeProps } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { createContext, memo, use, useId, useMemo, useState } from 'react'
import { useFormats } from '../../../ui/display/dates.tsx'
import { usePrinting } from '../../../ui/printing.ts'
import { Camera, leastZoom } from './camera.tsx'
import classes from './line-graph.module.css'
import { MiniMap } from './mini-map.tsx'
import { TreeOnPaper } from './tree-on-paper.tsx'
import { above, isBranch } from './tree-model.ts'
import type { TreeItem } from './tree-model.ts'
import { boxHeight, boxWidth, linkPath, pictureOf } from './tree-layout.ts'
import type { Box, Growth, Picture } from './tree-layout.ts'
import { useTreeKeys } from './tree-keys.ts'
import type { TreeState } from './use-tree.ts'

export type LineGraphProps = {
  label: string
  state: TreeState
  growth: Growth
  /** Whose panel is open. */
  selectedId: string | undefined
  onChoose: (recordId: string) => void
}

type Shown = {
  active: TreeItem | undefined
  /** Of the way from the top to the active node. */
  path: ReadonlySet<TreeItem>
  selectedId: string | undefined
  growth: Growth
  isOpen: (item: TreeItem) => boolean
  turn: (item: TreeItem) => void
}
const Look = createContext<Shown | null>(null)

type BoxNode = Node<{ box: Box }, 'box'>

/** The tree as a picture. What can be done in it can be done in the table beside it, which shares its state. */
export const LineGraph = (props: LineGraphProps) => (
  <ReactFlowProvider>
    <Graph {...props} />
  </ReactFlowProvider>
)

function Graph({ label, state, growth, selectedId, onChoose }: LineGraphProps) {
  const { dir } = useDirection()
  const { tree, isOpen, active, walkTo, setOpen } = state
  const printing = usePrinting()
  const picture = useMemo(() => pictureOf(tree, isOpen, growth, dir === 'rtl'), [tree, isOpen, growth, dir])
  const inView = useInView(picture)
  const nodes = useMemo(() => inView.boxes.map(nodeOf), [inView])
  const look: Shown = {
    active,
    path: useMemo(() => new Set(active ? [...above(active), active] : []), [active]),
    selectedId,
    growth,
    isOpen,
    turn: (item) => {
      walkTo(item.node.key)
      setOpen([item.node.key], !isOpen(item))
    },
  }
  const keys = useTreeKeys(state, onChoose)
  const [focused, setFocused] = useState(false)
  const help = useId()
  return (
    <Look value={look}>
      <div className={classes['graph']} data-no-print>
        <span id={help} className={classes['unseen']}>
          {t`Arrow keys walk the tree, open and close it. Enter opens the panel. The table holds the same tree.`}
        </span>
        <ReactFlow<BoxNode>
          aria-label={label}
          aria-describedby={help}
          tabIndex={0}
          nodes={nodes}
          nodeTypes={nodeTypes}
          minZoom={leastZoom}
          maxZoom={1.5}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          zoomOnDoubleClick={false}
          ariaLabelConfig={unsaid}
          onKeyDown={(event) => event.target === event.currentTarget && keys(event)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onNodeClick={(_, { data }) => {
            walkTo(data.box.item.node.key)
            onChoose(data.box.item.node.record.id)
          }}
        >
          <ViewportPortal>
            <svg className={classes['links']} aria-hidden>
              {inView.links.map(({ from, to }) => (
                <path
                  key={to.item.node.key}
                  d={linkPath(from, to, growth)}
                  className={classes['link']}
                  data-path={(look.path.has(to.item) && look.path.has(from.item)) || undefined}
                />
              ))}
            </svg>
          </ViewportPortal>
          <Camera picture={picture} active={active} flights={state.flights} growth={growth} mirrored={dir === 'rtl'} />
          <MiniMap picture={picture} />
        </ReactFlow>
        <p role="status" className={classes['unseen']}>
          {focused && active && <Spoken item={active} open={isOpen(active)} />}
        </p>
      </div>
      {printing && <TreeOnPaper picture={picture} growth={growth} />}
    </Look>
  )
}

/** What stands in and around the window, in steps of half of it, so that moving the picture draws little anew. */
function useInView({ boxes, links }: Picture) {
  const tile = useStore(({ transform: [x, y, zoom], width, height }) => {
    // As large as the window is at the next smaller of a few zooms.
    const [wide, high] = [width, height].map((size) => size / 2 ** (Math.floor(Math.log2(zoom) * 4) / 4))
    return wide && high ? `${Math.floor((-2 * x) / zoom / wide)} ${Math.floor((-2 * y) / zoom / high)} ${wide} ${high}` : ''
  })
  return useMemo(() => {
    if (tile === '') return { boxes: [], links: [] }
    const [column = 0, row = 0, wide = 0, high = 0] = tile.split(' ').map(Number)
    const [left, top, right, bottom] = [(column / 2) * wide, (row / 2) * high, (column / 2 + 1.5) * wide, (row / 2 + 1.5) * high]
    const meets = (x1: number, y1: number, x2: number, y2: number) => x2 >= left && x1 <= right && y2 >= top && y1 <= bottom
    return {
      boxes: boxes.filter(({ x, y }) => meets(x, y, x + boxWidth, y + boxHeight)),
      links: links.filter(({ from, to }) =>
        meets(Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x) + boxWidth, Math.max(from.y, to.y) + boxHeight),
      ),
    }
  }, [boxes, links, tile])
}

/** Its own sentences speak of what is switched off here. */
const unsaid = { 'node.a11yDescription.default': '', 'node.a11yDescription.keyboardDisabled': '', 'edge.a11yDescription.default': '' }

const nodeOf = (box: Box): BoxNode => ({
  id: box.item.node.key,
  type: 'box',
  position: { x: box.x, y: box.y },
  data: { box },
  width: boxWidth,
  height: boxHeight,
  domAttributes: { 'aria-roledescription': undefined },
})

const BoxView = memo(function BoxView({ data: { box } }: NodeProps<BoxNode>) {
  const look = use(Look)
  const { number } = useFormats()
  if (!look) return null
  const { item } = box
  const { children, descendants, continues, record, members } = item.node
  const open = look.isOpen(item)
  const branch = isBranch(item)
  return (
    <div
      className={classes['box']}
      data-active={item === look.active || undefined}
      data-path={look.path.has(item) || undefined}
      data-selected={record.id === look.selectedId || undefined}
      data-growth={look.growth}
    >
      <span className={classes['name']}>{record.name}</span>
      <span className={classes['below']}>
        {members !== null
          ? plural(members, { one: '# member', other: '# members' })
          : descendants > 0
            ? t`${number(children)} directly, ${number(descendants)} in all`
            : record.chapter?.name}
        {continues && ` · ${t`goes on`}`}
      </span>
      {branch && (
        <span
          className={classes['turn']}

          title={open ? t`Close` : t`Open`}
          onClick={(event) => {
            event.stopPropagation()
            look.turn(item)
          }}
        >
          {open ? '−' : '+'}
        </span>
      )}
    </div>
  )
})

const nodeTypes = { box: BoxView }

/** What somebody who does not see the picture hears of the node they are at. */
function Spoken({ item, open }: { item: TreeItem; open: boolean }) {
  const { record, generation, descendants } = item.node
  return [
    record.name,
    t`generation ${generation}`,
    plural(descendants, { one: '# descendant', other: '# descendants' }),
    isBranch(item) && (open ? t`open` : t`closed`),
  ]
    .filter(Boolean)
    .join(', ')
}
