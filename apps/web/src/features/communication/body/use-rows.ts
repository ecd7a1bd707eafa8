import { useEffect, useRef, useState } from 'react'

export type Row<Block> = { key: number; block: Block }
let keys = 0
const keyed = <Block>(blocks: readonly Block[]): Row<Block>[] => blocks.map((block) => ({ key: (keys += 1), block }))

/** A list of blocks with a key for each, so that a field keeps its cursor while its block changes or moves. */
export function useRows<Block>(blocks: readonly Block[], onChange: (blocks: Block[]) => void) {
  const [rows, setRows] = useState(() => keyed(blocks))
  const [seen, setSeen] = useState(blocks)
  let shown = rows
  // What went out comes back as it was; what comes from elsewhere begins anew.
  if (blocks !== seen) {
    setSeen(blocks)
    if (blocks.length !== rows.length || blocks.some((block, at) => block !== rows[at]?.block)) {
      shown = keyed(blocks)
      setRows(shown)
    }
  }
  // A change that is taken back later meets the list as it is then.
  const latest = useRef(shown)
  useEffect(() => {
    latest.current = shown
  })
  const put = (changed: Row<Block>[]) => {
    latest.current = changed
    setRows(changed)
    onChange(changed.map(({ block }) => block))
  }
  return {
    rows: shown,
    add(at: number, block: Block): number {
      const row = { key: (keys += 1), block }
      put(latest.current.toSpliced(at, 0, row))
      return row.key
    },
    change: (key: number, block: Block) => put(latest.current.map((row) => (row.key === key ? { key, block } : row))),
    move(from: number, to: number) {
      const row = latest.current[from]
      if (row && to >= 0 && to < latest.current.length) put(latest.current.toSpliced(from, 1).toSpliced(to, 0, row))
    },
    remove: (key: number) => put(latest.current.filter((row) => row.key !== key)),
    restore: (at: number, row: Row<Block>) => put(latest.current.toSpliced(Math.min(at, latest.current.length), 0, row)),
  }
}
