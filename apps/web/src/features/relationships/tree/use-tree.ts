import { useCallback, useMemo, useState } from 'react'
import type { LineNode } from '@guildhall/contract/features/relationships.lines'
import { above, firstDepth, itemOf, rowsOf, treeOf } from './tree-model.ts'
import type { Tree, TreeItem, TreeRow } from './tree-model.ts'

/** Which nodes are open: those above a depth, except the ones that were turned. */
type OpenState = { depth: number; turned: ReadonlySet<string> }

export type TreeState = {
  tree: Tree
  rows: readonly TreeRow[]
  isOpen: (item: TreeItem) => boolean
  /** The node that keys begin at and that the picture brings into view. */
  active: TreeItem | undefined
  /** Counts how often a node was asked to be brought into view, so that the same one can be again. */
  flights: number
  walkTo: (key: string) => void
  setOpen: (keys: readonly string[], open: boolean) => void
  openAll: () => void
  closeAll: () => void
  /** Opens the way to a record and brings it into view; false where it is not among the nodes. */
  flyTo: (recordId: string) => boolean
}

const everything = Number.MAX_SAFE_INTEGER

/** What the picture and the table share. `first` are the nodes that decide how much is open at first; keep both references stable. */
export function useTree(nodes: readonly LineNode[], first: readonly LineNode[], initially?: string): TreeState {
  const tree = useMemo(() => treeOf(nodes), [nodes])
  const usual = useMemo(() => firstDepth(first), [first])
  const [chosen, setChosen] = useState<OpenState>()
  const [activeKey, setActiveKey] = useState<string>()
  const [flights, setFlights] = useState(0)
  const [wanted, setWanted] = useState(initially)
  const state = chosen ?? { depth: usual, turned: none }

  const isOpen = useCallback(({ node }: TreeItem) => node.depth < state.depth !== state.turned.has(node.key), [state.depth, state.turned])
  const rows = useMemo(() => rowsOf(tree.roots, isOpen), [tree, isOpen])
  const setOpen = (keys: readonly string[], open: boolean) =>
    setChosen((before = { depth: usual, turned: none }) => {
      const turned = new Set(before.turned)
      for (const key of keys) {
        const depth = tree.byKey.get(key)?.node.depth ?? 0
        if (depth < before.depth === open) turned.delete(key)
        else turned.add(key)
      }
      return { ...before, turned }
    })
  const flyTo = (recordId: string) => {
    const item = itemOf(tree, recordId)
    if (!item) {
      setWanted(recordId)
      return false
    }
    setWanted(undefined)
    setOpen(
      above(item).map(({ node }) => node.key),
      true,
    )
    setActiveKey(item.node.key)
    setFlights((before) => before + 1)
    return true
  }
  // Whoever was asked for may be on a page of nodes that has only just arrived.
  if (wanted !== undefined && itemOf(tree, wanted)) flyTo(wanted)

  return {
    tree,
    rows,
    isOpen,
    active: (activeKey === undefined ? undefined : tree.byKey.get(activeKey)) ?? tree.roots[0],
    flights,
    walkTo: setActiveKey,
    setOpen,
    openAll: () => setChosen({ depth: everything, turned: none }),
    closeAll: () => setChosen({ depth: 0, turned: none }),
    flyTo,
  }
}

const none: ReadonlySet<string> = new Set()
