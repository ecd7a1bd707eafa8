import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconArrowDown, IconArrowUp, IconColumns3, IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './column-picker.module.css'

export type ColumnPickerProps = {
  columns: readonly { id: string; label: string }[]
  /** Shown ones, in order. The first column is fixed. */
  shown: readonly string[]
  onChange: (shown: string[]) => void
  onReset: () => void
}

/** Choose and order columns, by dragging or with the arrow buttons. */
export function ColumnPicker({ columns, shown, onChange, onReset }: ColumnPickerProps) {
  const [dragged, setDragged] = useState<string | undefined>()
  const first = columns[0]?.id
  const listed = [...shown, ...columns.map(({ id }) => id).filter((id) => !shown.includes(id))]
  const move = (id: string, to: number) => {
    const rest = shown.filter((known) => known !== id)
    rest.splice(Math.min(rest.length, Math.max(1, to)), 0, id)
    onChange(rest)
  }
  return (
    <Popover position="bottom-end" width={300} trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-md" leftSection={<IconColumns3 size={16} stroke={1.5} aria-hidden />}>
          <Trans>Columns</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Columns`}>
        <ul className={classes['list']}>
          {listed.map((id) => {
            const column = columns.find((known) => known.id === id)
            if (!column) return null
            const at = shown.indexOf(id)
            const fixed = id === first
            return (
              <li
                key={id}
                className={classes['item']}
                draggable={at > 0}
                data-dragged={dragged === id || undefined}
                onDragStart={() => setDragged(id)}
                onDragEnd={() => setDragged(undefined)}
                onDragOver={(event) => {
                  event.preventDefault()
                  if (dragged && dragged !== id && at > 0) move(dragged, at)
                }}
              >
                <IconGripVertical size={14} aria-hidden className={classes['grip'] ?? ''} data-hidden={at <= 0 || undefined} />
                <Checkbox
                  label={column.label}
                  checked={at >= 0}
                  disabled={fixed}
                  onChange={(event) => onChange(event.currentTarget.checked ? [...shown, id] : shown.filter((known) => known !== id))}
                />
                {at > 0 && (
                  <span className={classes['moves']}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="sm"
                      disabled={at === 1}
                      aria-label={t`Move ${column.label} up`}
                      onClick={() => move(id, at - 1)}
                    >
                      <IconArrowUp size={14} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="sm"
                      disabled={at === shown.length - 1}
                      aria-label={t`Move ${column.label} down`}
                      onClick={() => move(id, at + 1)}
                    >
                      <IconArrowDown size={14} aria-hidden />
                    </ActionIcon>
                  </span>
                )}
              </li>
            )
          })}
        </ul>
        <Button variant="subtle" size="compact-sm" onClick={onReset}>
          <Trans>Back to the usual columns</Trans>
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
