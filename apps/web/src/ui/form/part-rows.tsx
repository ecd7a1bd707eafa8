import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconArrowDown, IconArrowUp, IconDots, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './part-rows.module.css'

type Props<Row extends { key: string }> = {
  rows: readonly Row[]
  onChange: (rows: readonly Row[]) => void
  /** "Ticket 1" */
  name: (row: Row, nth: number) => string
  addLabel: string
  make: () => Row
  /** Whether their order means something. */
  ordered?: boolean
  /** A row is one line, whose fields say what it is. */
  compact?: boolean
  /** So many at most; any number unless stated. */
  most?: number
  children: (row: Row, nth: number, change: (change: Partial<Row>) => void) => ReactNode
}

/** Rows of a form: added, removed, and put in order by a menu. */
export function PartRows<Row extends { key: string }>({
  rows,
  onChange,
  name,
  addLabel,
  make,
  ordered = false,
  compact = false,
  most = Infinity,
  children,
}: Props<Row>) {
  const move = (nth: number, by: 1 | -1) => {
    const [row, other] = [rows[nth], rows[nth + by]]
    if (row && other) onChange(rows.map((one, at) => (at === nth ? other : at === nth + by ? row : one)))
  }
  return (
    <div className={classes['rows']}>
      {rows.map((row, nth) => {
        const called = name(row, nth)
        return (
          <div key={row.key} role="group" aria-label={called} className={classes['row']} data-compact={compact || undefined}>
            <div className={classes['rowHead']}>
              {!compact && <span className={classes['rowName']}>{called}</span>}
              <Menu>
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${called}`}>
                    <IconDots size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {ordered && nth > 0 && (
                    <Menu.Item leftSection={<IconArrowUp size={16} stroke={1.5} aria-hidden />} onClick={() => move(nth, -1)}>
                      <Trans>Move up</Trans>
                    </Menu.Item>
                  )}
                  {ordered && nth < rows.length - 1 && (
                    <Menu.Item leftSection={<IconArrowDown size={16} stroke={1.5} aria-hidden />} onClick={() => move(nth, 1)}>
                      <Trans>Move down</Trans>
                    </Menu.Item>
                  )}
                  <Menu.Item
                    color="red"
                    leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />}
                    onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                  >
                    <Trans>Remove</Trans>
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </div>
            {children(row, nth, (change) => onChange(rows.map((one) => (one.key === row.key ? { ...one, ...change } : one))))}
          </div>
        )
      })}
      {rows.length < most && (
        <Button
          variant="default"
          className={classes['add'] ?? ''}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => onChange([...rows, make()])}
        >
          {addLabel}
        </Button>
      )}
    </div>
  )
}
