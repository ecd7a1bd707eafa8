import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { isBranch } from './tree-model.ts'
import type { TreeState } from './use-tree.ts'

/** Letters typed within this time belong to one word. */
const wordPause = 700

/**
 * Keys of the table and of the picture: arrows walk, open and close, Home and End, `*` opens all siblings, letters jump to names,
 * Enter and Space choose.
 */
export function useTreeKeys(state: TreeState, onChoose: (recordId: string) => void) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { rows, active, isOpen, setOpen, walkTo } = state
    if (!active) return
    const at = rows.findIndex(({ item }) => item === active)
    const walk = (index: number) => {
      const row = rows[Math.min(rows.length - 1, Math.max(0, index))]
      if (row) walkTo(row.item.node.key)
    }
    const rtl = document.documentElement.dir === 'rtl'
    const inward = rtl ? 'ArrowLeft' : 'ArrowRight'
    const outward = rtl ? 'ArrowRight' : 'ArrowLeft'
    const { key, record } = active.node
    const begun = event.timeStamp - typed.current.at < wordPause && typed.current.text !== ''
    if (event.key === 'ArrowDown') walk(at + 1)
    else if (event.key === 'ArrowUp') walk(at - 1)
    else if (event.key === 'Home') walk(0)
    else if (event.key === 'End') walk(rows.length - 1)
    else if (event.key === 'PageDown') walk(at + page)
    else if (event.key === 'PageUp') walk(at - page)
    else if (event.key === inward) {
      if (isBranch(active) && !isOpen(active)) setOpen([key], true)
      else if (active.children[0] && isOpen(active)) walkTo(active.children[0].node.key)
    } else if (event.key === outward) {
      if (isBranch(active) && isOpen(active)) setOpen([key], false)
      else if (active.parent) walkTo(active.parent.node.key)
    } else if (event.key === '*') {
      const siblings = active.parent?.children ?? state.tree.roots
      setOpen(
        siblings.filter(isBranch).map(({ node }) => node.key),
        true,
      )
    } else if (event.key === 'Enter' || (event.key === ' ' && !begun)) onChoose(record.id)
    else if (event.key.length === 1) {
      const text = (begun ? typed.current.text : '') + event.key.toLocaleLowerCase()
      typed.current = { text, at: event.timeStamp }
      // A word that goes on may still mean the node where it began.
      const from = text.length > 1 ? at : at + 1
      const found = [...rows.slice(from), ...rows.slice(0, from)].find(({ item }) =>
        item.node.record.name.toLocaleLowerCase().startsWith(text),
      )
      if (found) walkTo(found.item.node.key)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
}

const page = 10
