import { CloseButton, Tooltip } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import classes from './side-panel.module.css'
import { useEscape } from './use-escape.ts'

export type SidePanelProps = {
  title: ReactNode
  onClose: () => void
  /** Buttons beside the close button: open the page, previous, next. */
  actions?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** Changes when another record is shown, so that the focus moves to it again. */
  recordKey: string
}

/**
 * A record beside its list. Not a dialog: the list stays usable. 420 px wide over the page, docked from 1440 px, the whole
 * screen on a phone. Esc closes it and the focus returns to where it came from.
 */
export function SidePanel({ title, onClose, actions, children, footer, recordKey }: SidePanelProps) {
  const heading = useId()
  const panel = useRef<HTMLElement>(null)
  const cameFrom = useRef<Element | null>(null)

  useEffect(() => {
    cameFrom.current = document.activeElement
    const before = cameFrom.current
    return () => {
      // Only when the focus was in what is gone: whoever types in a search that closed the panel goes on typing there.
      const isLost = !document.activeElement || document.activeElement === document.body
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  useEscape(onClose)
  useEffect(() => {
    // Someone walking a list with J and K keeps the list; everybody else is taken to what just opened.
    if (!document.activeElement?.closest('[data-keeps-focus]')) panel.current?.querySelector('h2')?.focus({ preventScroll: true })
  }, [recordKey])

  return (
    <aside
      ref={panel}
      className={classes['panel']}
      aria-labelledby={heading}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={classes['head']}>
        <h2 id={heading} tabIndex={-1} className={classes['title']}>
          {title}
        </h2>
        <div className={classes['tools']}>
          {actions}
          <Tooltip label={t`Close panel`}>
            <CloseButton aria-label={t`Close panel`} onClick={onClose} />
          </Tooltip>
        </div>
      </div>
      <div className={classes['body']}>{children}</div>
      {footer && <div className={classes['foot']}>{footer}</div>}
    </aside>
  )
}
