import { useComputedColorScheme } from '@mantine/core'
import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import type { PointerEvent } from 'react'
import classes from './line-graph.module.css'
import { boxHeight, boxWidth } from './tree-layout.ts'
import type { Picture } from './tree-layout.ts'

const size = { width: 176, height: 120 }
/** A tree of a glance needs no map. */
const fewest = 15

/** The whole tree at a glance, drawn on a canvas: thousands of nodes make no elements. Pressing it goes there. */
export function MiniMap({ picture }: { picture: Picture }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const flow = useReactFlow()
  const view = useStore(({ transform, width, height }) => `${transform.join(' ')} ${width} ${height}`)
  const scheme = useComputedColorScheme()
  const scale = Math.min(size.width / picture.width, size.height / picture.height)
  const [shiftX, shiftY] = [(size.width - picture.width * scale) / 2, (size.height - picture.height * scale) / 2]

  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!canvas.current || !pen) return
    const style = getComputedStyle(canvas.current)
    const color = (name: string) => style.getPropertyValue(name)
    const density = window.devicePixelRatio || 1
    canvas.current.width = size.width * density
    canvas.current.height = size.height * density
    pen.scale(density, density)
    const at = (x: number, y: number) => [shiftX + (x - picture.left) * scale, shiftY + (y - picture.top) * scale] as const
    pen.fillStyle = color('--gh-outline')
    for (const { x, y } of picture.boxes) pen.fillRect(...at(x, y), Math.max(1.5, boxWidth * scale), Math.max(1, boxHeight * scale))
    const [x = 0, y = 0, zoom = 1, width = 0, height = 0] = view.split(' ').map(Number)
    const [left, top] = at(-x / zoom, -y / zoom)
    pen.strokeStyle = color('--gh-accent')
    pen.lineWidth = 2
    pen.strokeRect(left, top, (width / zoom) * scale, (height / zoom) * scale)
  }, [picture, view, scale, shiftX, shiftY, scheme])

  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const x = (event.clientX - left - shiftX) / scale + picture.left
    const y = (event.clientY - top - shiftY) / scale + picture.top
    void flow.setCenter(x, y, { zoom: flow.getZoom() })
  }
  if (picture.boxes.length < fewest) return null
  return (
    <canvas
      ref={canvas}
      className={classes['map']}
      style={{ inlineSize: size.width, blockSize: size.height }}
      aria-hidden
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={go}
    />
  )
}
