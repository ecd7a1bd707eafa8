import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

export type EmptyStateProps = {
  icon?: ReactNode
  title: ReactNode
  /** One sentence: what would be here, or why nothing is. */
  children?: ReactNode
  /** One action: create the first one, clear the filters, ask for the right. */
  action?: ReactNode
  level?: 2 | 3
}

export function EmptyState({ icon, title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className={classes['empty']}>
      {icon && (
        <div className={classes['icon']} aria-hidden>
          {icon}
        </div>
      )}
      <Heading className={classes['title']}>{title}</Heading>
      {children && <p className={classes['text']}>{children}</p>}
      {action && <div className={classes['action']}>{action}</div>}
    </div>
  )
}
