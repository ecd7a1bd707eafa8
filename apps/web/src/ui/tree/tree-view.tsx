import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import classes from './tree-view.module.css'
import { flatten } from './tree-rows.ts'
import type { TreeNode } from './tree-rows.ts'

export type TreeViewProps = {
  label: string
  /** Keep the reference stable. */
  nodes: readonly TreeNode[]
  selectedId?: string | undefined
  /** Where the keys begin, without being selected. */
  startId?: string | undefined
  onSelect: (id: string) => void
  /** At the end of a row: a count, a badge. */
  renderHint?: (node: TreeNode) => ReactNode
  /** Open from the start; the way to the selected one always is. */
  initiallyOpen?: readonly string[]
  maxHeight?: number | string
}

const rowHeight = 36

/** Thousands of nodes; only the visible ones are drawn. Arrows walk and open, Enter chooses, letters jump. */
export function TreeView({ label, nodes, selectedId, startId, onSelect, renderHint, initiallyOpen, maxHeight = '60dvh' }: TreeViewProps) {
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set([...(initiallyOpen ?? nodes.map(({ id }) => id)), ...pathTo(nodes, selectedId)]),
  )
  const [active, setActive] = useState(selectedId ?? startId)
  const rows = useMemo(() => flatten(nodes, open), [nodes, open])
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === active),
  )
  const current = rows[at]
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 400, height: 600 },
  })

  const toggle = (id: string, wanted: boolean) =>
    setOpen((before) => {
      const next = new Set(before)
      if (wanted) next.add(id)
      else next.delete(id)
      return next
    })
  const walk = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]
    if (!row) return
    setActive(row.node.id)
    virtual.scrollToIndex(rows.indexOf(row))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return
    const rtl = document.documentElement.dir === 'rtl'
    const inward = rtl ? 'ArrowLeft' : 'ArrowRight'
    const outward = rtl ? 'ArrowRight' : 'ArrowLeft'
    const { node, parent } = current
    const isOpen = open.has(node.id)
    if (event.key === 'ArrowDown') walk(at + 1)
    else if (event.key === 'ArrowUp') walk(at - 1)
    else if (event.key === 'Home') walk(0)
    else if (event.key === 'End') walk(rows.length - 1)
    else if (event.key === inward && node.children?.length) {
      if (isOpen) walk(at + 1)
      else toggle(node.id, true)
    } else if (event.key === outward) {
      if (isOpen && node.children?.length) toggle(node.id, false)
      else if (parent) walk(rows.findIndex((row) => row.node.id === parent))
    } else if (event.key === 'Enter' || event.key === ' ') onSelect(node.id)
    else if (event.key.length === 1) {
      const letter = event.key.toLocaleLowerCase()
      const found = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find((row) => row.node.label.toLocaleLowerCase().startsWith(letter))
      if (found) walk(rows.indexOf(found))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const idOf = (index: number) => `${prefix}-${index}`
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={current && idOf(at)}
      className={classes['tree']}
      style={{ maxBlockSize: maxHeight }}
      onKeyDown={onKeyDown}
    >
      <div style={{ position: 'relative', blockSize: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          const { node, level, position, size } = row
          const branch = Boolean(node.children?.length)
          return (
            <div
              key={node.id}
              id={idOf(index)}
              role="treeitem"
              aria-level={level}
              aria-posinset={position}
              aria-setsize={size}
              aria-expanded={branch ? open.has(node.id) : undefined}
              aria-selected={node.id === selectedId}
              className={classes['node']}
              data-active={index === at || undefined}
              style={{ transform: `translateY(${start}px)`, '--level': level - 1 }}
              onClick={() => {
                setActive(node.id)
                onSelect(node.id)
              }}
            >
              <span
                className={classes['toggle']}
                data-open={open.has(node.id) || undefined}
                onClick={(event) => {
                  if (!branch) return
                  event.stopPropagation()
                  setActive(node.id)
                  toggle(node.id, !open.has(node.id))
                }}
              >
                {branch && <IconChevronRight size={16} aria-hidden />}
              </span>
              <span className={classes['label']}>{node.label}</span>
              {renderHint && <span className={classes['hint']}>{renderHint(node)}</span>}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function pathTo(nodes: readonly TreeNode[], id: string | undefined): string[] {
  for (const node of nodes) {
    if (node.id === id) return [node.id]
    const below = node.children ? pathTo(node.children, id) : []
    if (below.length > 0) return [node.id, ...below]
  }
  return []
}
