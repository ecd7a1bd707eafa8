import { ActionIcon, Tooltip } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
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

/** The sections of a record that have a path of their own; the children are links, the open one carries aria-current. */
export function PathTabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const tabs = nav.current
    if (!tabs) return
    // On a phone the open one may stand out of view; so it may again once the page is shown, turned or has its fonts.
    const observer = new ResizeObserver(() => bringIntoView(tabs))
    for (const part of [tabs, ...tabs.children]) observer.observe(part)
    bringIntoView(tabs)
    return () => observer.disconnect()
  })
  return (
    <nav ref={nav} aria-label={label} className={classes['tabs']}>
      {children}
    </nav>
  )
}

function bringIntoView(tabs: HTMLElement) {
  const current = tabs.querySelector('[aria-current="page"]')
  if (!current) return
  const outer = tabs.getBoundingClientRect()
  const inner = current.getBoundingClientRect()
  if (inner.left < outer.left || inner.right > outer.right) tabs.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2
}
