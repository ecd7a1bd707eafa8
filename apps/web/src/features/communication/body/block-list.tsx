import { ActionIcon, Menu } from '@mantine/core'
import { noText } from '@guildhall/contract/formatted-document'
import { blockLimit } from '@guildhall/contract/message-blocks'
import type { MessageBlock } from '@guildhall/contract/message-blocks'
import { t } from '@lingui/core/macro'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { BlockFields } from './block-fields.tsx'
import type { EditorPlace } from './block-fields.tsx'
import { blockWords } from './message-words.ts'
import { useRows } from './use-rows.ts'
import classes from './message-editor.module.css'

const fresh: Record<MessageBlock['type'], () => MessageBlock> = {
  text: () => ({ type: 'text', text: noText }),
  button: () => ({ type: 'button', label: '', href: '' }),
  picture: () => ({ type: 'picture', fileId: '', alt: '', decorative: false, href: null, width: 'full' }),
  event: () => ({ type: 'event', eventId: '' }),
  columns: () => ({ type: 'columns', left: [], right: [] }),
  divider: () => ({ type: 'divider' }),
}
const kinds = ['text', 'button', 'picture', 'event', 'columns', 'divider'] as const

type Props = {
  label: string
  blocks: readonly MessageBlock[]
  onChange: (blocks: MessageBlock[]) => void
  place: EditorPlace
  /** Columns hold no columns. */
  isColumn?: boolean
  showFaults: boolean
}

/** Blocks in their order. With the focus on the name of one: / adds one after it, Alt with an arrow moves it, Delete removes it. */
export function BlockList({ label, blocks, onChange, place, isColumn = false, showFaults }: Props) {
  const list = useRows(blocks, onChange)
  const { rows } = list
  const [adding, setAdding] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const element = useRef<HTMLDivElement>(null)
  const [added, setAdded] = useState<number>()
  const [wanted, setWanted] = useState<{ key: number; part: 'name' | 'field' } | null>(null)
  const words = blockWords()
  const count = rows.length

  // A new block is ready to be filled; one that moved keeps the focus.
  useEffect(() => {
    if (!wanted) return
    const block = element.current?.querySelector<HTMLElement>(`[data-block="${wanted.key}"]`)
    const name = block?.querySelector<HTMLElement>('[data-name]')
    if (wanted.part === 'name') name?.focus()
    // The editor of a text comes later, and takes the focus by itself.
    else if (!block?.querySelector('[data-text]'))
      (block?.querySelector<HTMLElement>('[data-fields] :is(input, textarea, button, [contenteditable])') ?? name)?.focus()
    setWanted(null)
  }, [wanted])

  const add = (at: number, kind: MessageBlock['type']) => {
    setAdding(null)
    const key = list.add(at, fresh[kind]())
    setAdded(key)
    setWanted({ key, part: 'field' })
    setSaid(t`${words[kind]} added`)
  }
  const move = (from: number, by: number) => {
    const row = rows[from]
    const to = from + by
    if (!row || to < 0 || to >= count) return
    list.move(from, to)
    setWanted({ key: row.key, part: 'name' })
    const position = to + 1
    setSaid(t`${words[row.block.type]} moved to place ${position} of ${count}`)
  }
  const remove = (at: number) => {
    const row = rows[at]
    if (!row) return
    list.remove(row.key)
    const next = rows[at + 1] ?? rows[at - 1]
    if (next) setWanted({ key: next.key, part: 'name' })
    toast.undo(t`${words[row.block.type]} removed`, async () => list.restore(at, row))
  }
  const onKey = (event: KeyboardEvent, at: number) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) move(at, event.key === 'ArrowUp' ? -1 : 1)
    else if (event.key === '/') setAdding(at + 1)
    else if (event.key === 'Delete') remove(at)
    else return
    event.preventDefault()
    // The block around is not meant.
    event.stopPropagation()
  }
  const adder = (at: number) => (
    <Menu position="bottom-start" opened={adding === at} onChange={(opened) => setAdding(opened ? at : null)} returnFocus withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={count === 0 ? classes['addFirst'] : classes['add']}
          disabled={count >= blockLimit}
          aria-label={at === 0 ? t`Add a block at the beginning of ${label}` : t`Add a block after ${at} of ${label}`}
        >
          <IconPlus size={16} aria-hidden />
          {count === 0 && <span>{t`Add a block`}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds
          .filter((kind) => !isColumn || kind !== 'columns')
          .map((kind) => (
            <Menu.Item key={kind} onClick={() => add(at, kind)}>
              {words[kind]}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
  return (
    <div ref={element}>
      {adder(0)}
      <ol className={classes['blocks']} aria-label={label}>
        {rows.map(({ key, block }, at) => {
          const position = at + 1
          const name = words[block.type]
          return (
            <li key={key} data-block={key}>
              <div className={classes['block']} role="group" aria-label={t`${name}, ${position} of ${count}`}>
                <div className={classes['blockHead']}>
                  <button
                    type="button"
                    data-name
                    className={classes['blockName']}
                    aria-label={t`${name}, block ${position} of ${count}`}
                    aria-keyshortcuts="/ Alt+ArrowUp Alt+ArrowDown Delete"
                    title={t`/ adds a block, Alt with an arrow moves this one, Delete removes it`}
                    onKeyDown={(event) => onKey(event, at)}
                  >
                    {name}
                  </button>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={at === 0}
                    aria-label={t`Move ${name} ${position} up`}
                    onClick={() => move(at, -1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={at === count - 1}
                    aria-label={t`Move ${name} ${position} down`}
                    onClick={() => move(at, 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${name} ${position}`} onClick={() => remove(at)}>
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </div>
                <div data-fields data-text={block.type === 'text' || undefined}>
                  {block.type === 'columns' ? (
                    <div className={classes['columns']}>
                      <BlockList
                        label={t`left column`}
                        blocks={block.left}
                        onChange={(left) => list.change(key, { ...block, left: left.filter((one) => one.type !== 'columns') })}
                        place={place}
                        isColumn
                        showFaults={showFaults}
                      />
                      <BlockList
                        label={t`right column`}
                        blocks={block.right}
                        onChange={(right) => list.change(key, { ...block, right: right.filter((one) => one.type !== 'columns') })}
                        place={place}
                        isColumn
                        showFaults={showFaults}
                      />
                    </div>
                  ) : (
                    <BlockFields
                      block={block}
                      onChange={(changed) => list.change(key, changed)}
                      place={place}
                      showFaults={showFaults}
                      isNew={key === added}
                    />
                  )}
                </div>
              </div>
              {adder(position)}
            </li>
          )
        })}
      </ol>
      <div className={classes['unseen']} role="status">
        {said}
      </div>
    </div>
  )
}
