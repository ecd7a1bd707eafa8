import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import classes from './giving.module.css'

type Props = {
  /** "Actions for €50.00 from Ada Byron" */
  label: string
  /** Before it opens: what the actions will need can be fetched. */
  onOpen?: (() => void) | undefined
  /** Items of a menu. */
  children: ReactNode
}

/** The menu of a row of a long list: a plain button until somebody opens it. */
export function RowMenu({ label, onOpen, children }: Props) {
  const [opened, setOpened] = useState<boolean>()
  const toggle = () => {
    if (!opened) onOpen?.()
    setOpened(!opened)
  }
  const button = (
    <button type="button" className={classes['dots']} aria-label={label} aria-haspopup="menu" onClick={toggle}>
      <IconDots size={16} aria-hidden />
    </button>
  )
  if (opened === undefined) return button
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
