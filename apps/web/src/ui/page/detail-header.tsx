import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Children, isValidElement, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Avatar } from '../display/avatar.tsx'
import classes from './detail-header.module.css'

export type DetailHeaderProps = {
  name: string
  /** Square for chapters and groups, round for people. */
  square?: boolean
  avatarSrc?: string | undefined
  /** Opens what changes the picture; absent where the reader may not. */
  onAvatar?: (() => void) | undefined
  /** Badges beside the name. */
  status?: ReactNode
  /** Up to three short facts below it. */
  facts?: readonly ReactNode[]
  actions?: ReactNode
  /** A path of parents above the name. */
  above?: ReactNode
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  /** PathTabs, so that they stay in view with the name. */
  children?: ReactNode
}

export function DetailHeader({
  name,
  square = false,
  avatarSrc,
  onAvatar,
  status,
  facts = [],
  actions,
  above,
  onPrevious,
  onNext,
  children,
}: DetailHeaderProps) {
  return (
    <div className={classes['header']}>
      {above && <div className={classes['above']}>{above}</div>}
      <div className={classes['row']}>
        {onAvatar ? (
          <button
            type="button"
            className={classes['avatar']}
            onClick={onAvatar}
            aria-label={avatarSrc ? t`Change the picture` : t`Add a picture`}
          >
            <Avatar name={name} src={avatarSrc} size={40} square={square} />
          </button>
        ) : (
          <Avatar name={name} src={avatarSrc} size={40} square={square} />
        )}
        <div className={classes['text']}>
          <div className={classes['titleRow']}>
            <h1 tabIndex={-1} className={classes['title']}>
              {name}
            </h1>
            {status}
          </div>
          {facts.length > 0 && (
            <ul className={classes['facts']}>
              {facts.map((fact, index) => (
                <li key={index}>{fact}</li>
              ))}
            </ul>
          )}
        </div>
        <div className={classes['actions']}>
          {actions}
          {(onPrevious || onNext) && (
            <>
              <Step label={t`Previous`} onClick={onPrevious} icon={<IconChevronLeft size={18} aria-hidden />} />
              <Step label={t`Next`} onClick={onNext} icon={<IconChevronRight size={18} aria-hidden />} />
            </>
          )}
        </div>
      </div>
      {children}
    </div>
  )
}

const Step = ({ label, onClick, icon }: { label: string; onClick: (() => void) | undefined; icon: ReactNode }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={!onClick} onClick={onClick} className={classes['step'] ?? ''}>
      {icon}
    </ActionIcon>
  </Tooltip>
)

/**
 * The sections of a record that have a path of their own; the children are links, the open one carries aria-current. They take one
 * line: a phone scrolls it, elsewhere those that find no room are in a list behind a button, which is called as the open one where
 * that is among them.
 */
export function PathTabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  const tabs = Children.toArray(children)
  const [shown, setShown] = useState(tabs.length)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    const row = nav.current
    if (!row) return
    // On a phone the open one may stand out of view; so it may again once the page is shown, turned or has its fonts.
    const look = () => {
      setShown(fold(row))
      bringIntoView(row)
    }
    const observer = new ResizeObserver(look)
    for (const part of [row, ...row.children]) observer.observe(part)
    look()
    return () => observer.disconnect()
  })
  const rest = tabs.slice(shown)
  const current = rest.find((tab) => isValidElement<TabProps>(tab) && tab.props['aria-current'] === 'page')
  return (
    <div className={classes['tabRow']}>
      <nav ref={nav} aria-label={label} className={classes['tabs']}>
        {tabs}
      </nav>
      {rest.length > 0 && (
        <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus hideDetached={false}>
          <Popover.Target>
            <button
              type="button"
              className={classes['more']}
              aria-expanded={opened}
              aria-current={current ? 'true' : undefined}
              onClick={() => setOpened(!opened)}
            >
              {isValidElement<TabProps>(current) ? current.props.children : t`More`}
              <IconChevronDown size={16} stroke={1.5} aria-hidden />
            </button>
          </Popover.Target>
          <Popover.Dropdown p={4}>
            {/* A link closes the list it stands in. */}
            <nav aria-label={t`More: ${label}`} className={classes['folded']} onClick={() => setOpened(false)}>
              {rest}
            </nav>
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  )
}

type TabProps = { 'aria-current'?: string; children?: ReactNode }

/** Hides the tabs that wrapped below the first line, from the keyboard too, and says how many are left. */
function fold(row: HTMLElement): number {
  const tabs = [...row.children].filter((child) => child instanceof HTMLElement)
  const first = tabs[0]?.offsetTop ?? 0
  const at = tabs.findIndex(({ offsetTop }) => offsetTop > first)
  const shown = at === -1 ? tabs.length : at
  tabs.forEach((tab, nth) => (tab.inert = nth >= shown))
  return shown
}

function bringIntoView(tabs: HTMLElement) {
  const current = tabs.querySelector('[aria-current="page"]')
  if (!current) return
  const outer = tabs.getBoundingClientRect()
  const inner = current.getBoundingClientRect()
  if (inner.left < outer.left || inner.right > outer.right) tabs.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2
}
