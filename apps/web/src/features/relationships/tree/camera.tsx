import { ActionIcon, Tooltip } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { t } from '@lingui/core/macro'
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import classes from './line-graph.module.css'
import type { TreeItem } from './tree-model.ts'
import { boxHeight, boxWidth } from './tree-layout.ts'
import type { Box, Growth, Picture } from './tree-layout.ts'

type CameraProps = { picture: Picture; active: TreeItem | undefined; flights: number; growth: Growth; mirrored: boolean }

/** What is in view: the whole tree where it can be read, else its top; then the node the reader is at. With its buttons. */
export function Camera({ picture, active, flights, growth, mirrored }: CameraProps) {
  const flow = useReactFlow()
  const width = useStore(({ width: of }) => of)
  const height = useStore(({ height: of }) => of)
  const duration = useReducedMotion() ? 0 : 300
  const before = useRef<{ picture: Picture; active: TreeItem | undefined; flights: number; growth: Growth }>(undefined)

  useEffect(() => {
    if (width === 0 || height === 0) return
    const was = before.current
    before.current = { picture, active, flights, growth }
    const box = active && picture.boxes.find(({ item }) => item.node.key === active.node.key)
    if (!was || was.growth !== growth) {
      const all = whole(picture, width, height)
      const first = picture.boxes[0]
      if (all.zoom >= readable || !first) void flow.setViewport(all)
      else void flow.setViewport(startingAt(first, growth, mirrored, width, height))
      if (flights > 0 && box) void centre(flow, box, 0)
      return
    }
    if (was.flights !== flights && box) return void centre(flow, box, duration)
    const { x, y, zoom } = flow.getViewport()
    if (was.picture !== picture && box) {
      // What the reader has just opened or closed stays under the pointer.
      const old = was.picture.boxes.find(({ item }) => item.node.key === box.item.node.key)
      if (old) return void flow.setViewport({ x: x + (old.x - box.x) * zoom, y: y + (old.y - box.y) * zoom, zoom })
    }
    if (was.active?.node.key !== active?.node.key && box) {
      const [left, top] = [box.x * zoom + x, box.y * zoom + y]
      const inView = left >= 0 && top >= 0 && left + boxWidth * zoom <= width && top + boxHeight * zoom <= height
      if (!inView) void centre(flow, box, duration)
    }
  }, [picture, active, flights, growth, mirrored, width, height, duration, flow])

  return (
    <div className={classes['tools']}>
      <Tool label={t`Zoom in`} run={() => void flow.zoomIn({ duration })}>
        <IconPlus size={16} aria-hidden />
      </Tool>
      <Tool label={t`Zoom out`} run={() => void flow.zoomOut({ duration })}>
        <IconMinus size={16} aria-hidden />
      </Tool>
      <Tool label={t`Fit the whole tree`} run={() => void flow.setViewport(whole(picture, width, height), { duration })}>
        <IconArrowsMaximize size={16} aria-hidden />
      </Tool>
    </div>
  )
}

const margin = 24
/** Farther away, boxes are too small to be told apart and too many to be drawn; the map in the corner has them all. */
export const leastZoom = 0.2
/** Names below this zoom cannot be read. */
const readable = 0.6

type Flow = ReturnType<typeof useReactFlow>
/** A flight over a large tree would show all of it on its way: only what is near is flown to. */
function centre(flow: Flow, box: Box, duration: number) {
  const { x, y, zoom } = flow.getViewport()
  const isNear = Math.hypot(box.x + x / zoom, box.y + y / zoom) < nearby / zoom
  const [middleX, middleY] = [box.x + boxWidth / 2, box.y + boxHeight / 2]
  return flow.setCenter(middleX, middleY, { zoom: Math.max(zoom, 0.8), duration: isNear ? duration : 0 })
}
const nearby = 3_000

function whole({ left, top, width, height }: Picture, wide: number, high: number) {
  const zoom = Math.max(leastZoom, Math.min(1, (wide - 2 * margin) / width, (high - 2 * margin) / height))
  return { x: (wide - width * zoom) / 2 - left * zoom, y: (high - height * zoom) / 2 - top * zoom, zoom }
}

function startingAt({ x, y }: Box, growth: Growth, mirrored: boolean, width: number, height: number) {
  const zoom = 0.8
  const [middleX, middleY] = [(width - boxWidth * zoom) / 2, (height - boxHeight * zoom) / 2]
  const edge = mirrored ? width - boxWidth * zoom - margin : margin
  return growth === 'across' ? { x: edge - x * zoom, y: middleY - y * zoom, zoom } : { x: middleX - x * zoom, y: margin - y * zoom, zoom }
}

const Tool = ({ label, run, children }: { label: string; run: () => void; children: ReactNode }) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" aria-label={label} onClick={run}>
      {children}
    </ActionIcon>
  </Tooltip>
)
