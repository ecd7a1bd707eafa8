import { useElementSize, useMergedRef } from '@mantine/hooks'
import { t } from '@lingui/core/macro'
import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useId, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import type { LineNode } from '@guildhall/contract/features/relationships.lines'
import { useFormats } from '../../../ui/display/dates.tsx'
import { observeSize, scrollIfElsewhere } from '../../../ui/list/virtual-scroller.ts'
import { everyRow, usePrinting } from '../../../ui/printing.ts'
import { isBranch } from './tree-model.ts'
import type { TreeItem } from './tree-model.ts'
import { useTreeKeys } from './tree-keys.ts'
import classes from './tree-table.module.css'
import type { TreeState } from './use-tree.ts'

export type TreeTableProps = {
  label: string
  state: TreeState
  /** Chapters have members, people a day since when. */
  ofChapters: boolean
  selectedId: string | undefined
  onChoose: (recordId: string) => void
  /** Where a line is cut: shows what is below. */
  onContinue: (recordId: string) => void
}

type Column = { id: string; label: string; width: number; cell: (node: LineNode) => ReactNode }

const rowHeight = 40

/** The tree as a table: only the rows in view are in the document, and all of it can be reached with the keys. */
export function TreeTable({ label, state, ofChapters, selectedId, onChoose, onContinue }: TreeTableProps) {
  const { rows, active, isOpen, walkTo, setOpen } = state
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const printing = usePrinting()
  const { ref: sized, width } = useElementSize<HTMLDivElement>()
  const both = useMergedRef(scroller, sized)
  const columns = useColumns(ofChapters, printing || width === 0 ? everything : width)
  const at = rows.findIndex(({ item }) => item === active)
  const virtual = useVirtualizer({
    count: rows.length,
    ...(printing && { rangeExtractor: everyRow }),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // Stable as long as the rows are: all of them would be measured anew.
    getItemKey: useCallback((index: number) => rows[index]?.item.node.key ?? index, [rows]),
    overscan: 12,
    initialRect: { width: 480, height: 640 },
    observeElementRect: observeSize,
    scrollToFn: scrollIfElsewhere,
    scrollPaddingStart: rowHeight,
  })
  const flown = state.flights
  useEffect(() => {
    if (at > 0) virtual.scrollToIndex(at)
  }, [virtual, at, flown])

  const keys = useTreeKeys(state, onChoose)
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0))
  const turn = (item: TreeItem) => {
    walkTo(item.node.key)
    setOpen([item.node.key], !isOpen(item))
  }
  return (
    <div ref={both} className={classes['scroller']}>
      <table
        role="treegrid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={at >= 0 ? `${prefix}-${at}` : undefined}
        tabIndex={0}
        className={classes['table']}
        data-keeps-focus
        onKeyDown={(event) => event.target === event.currentTarget && keys(event)}
      >
        <colgroup>
          <col />
          {columns.map(({ id, width }) => (
            <col key={id} style={{ inlineSize: width }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            <th role="columnheader" scope="col">{t`Name`}</th>
            {columns.map(({ id, label: name }) => (
              <th key={id} role="columnheader" scope="col" data-align="end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {before > 0 && <tr role="presentation" style={{ blockSize: before }} />}
          {items.map(({ index, key }) => {
            const row = rows[index]
            if (!row) return null
            const { item, level, size } = row
            const { node } = item
            const branch = isBranch(item)
            const open = branch && isOpen(item)
            return (
              <tr
                key={key}
                id={`${prefix}-${index}`}
                role="row"
                aria-level={level}
                aria-posinset={item.position}
                aria-setsize={size}
                aria-rowindex={index + 2}
                aria-expanded={branch ? open : undefined}
                aria-selected={node.record.id === selectedId}
                className={classes['row']}
                data-active={index === at || undefined}
                onClick={() => {
                  walkTo(node.key)
                  onChoose(node.record.id)
                }}
              >
                <th role="rowheader" scope="row" className={classes['first']} style={{ '--level': level - 1 }}>
                  <span
                    className={classes['turn']}
                    data-open={open || undefined}
                    onClick={(event) => {
                      if (!branch) return
                      event.stopPropagation()
                      turn(item)
                    }}
                  >
                    {branch && <IconChevronRight size={16} aria-hidden />}
                  </span>
                  <span className={classes['name']}>{node.record.name}</span>
                  {node.continues && (
                    <button
                      type="button"
                      tabIndex={-1}
                      className={classes['on']}
                      onClick={(event) => {
                        event.stopPropagation()
                        onContinue(node.record.id)
                      }}
                    >
                      {t`Continue from here`}
                    </button>
                  )}
                </th>
                {columns.map(({ id, cell }) => (
                  <td key={id} role="gridcell" data-align="end">
                    {cell(node)}
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 && <tr role="presentation" style={{ blockSize: after }} />}
        </tbody>
      </table>
    </div>
  )
}

const everything = Number.MAX_SAFE_INTEGER
/** What a name needs beside the figures. */
const nameWidth = 200

/** As many as leave the names their room: on a narrow screen, and beside the picture, the last ones are left out. */
function useColumns(ofChapters: boolean, room: number): readonly Column[] {
  const { number, day } = useFormats()
  const all = useMemo(() => {
    const figure = (value: number | null) => value !== null && number(value)
    const common: Column[] = [
      { id: 'descendants', label: t`Descendants`, width: 112, cell: (node) => figure(node.descendants) },
      { id: 'children', label: t`Children`, width: 88, cell: (node) => figure(node.children) },
      { id: 'generation', label: t`Generation`, width: 100, cell: (node) => figure(node.generation) },
    ]
    const own: Column[] = ofChapters
      ? [
          { id: 'members', label: t`Members`, width: 96, cell: (node) => figure(node.members) },
          { id: 'membersBelow', label: t`With those below`, width: 136, cell: (node) => figure(node.membersBelow) },
        ]
      : [{ id: 'since', label: t`Since`, width: 120, cell: ({ since }) => since && <time dateTime={since}>{day(since)}</time> }]
    // Those of chapters are what is looked for.
    return ofChapters ? [...own, ...common] : [...common, ...own]
  }, [ofChapters, number, day])
  return useMemo(() => {
    let left = room - nameWidth
    const fitting = all.filter(({ width }, at) => {
      left -= width
      return at === 0 || left >= 0
    })
    return fitting
  }, [all, room])
}
