import { plural } from '@lingui/core/macro'
import classes from './waiting-badge.module.css'

/** How much waits in an area. Absent when nothing does. */
export const WaitingBadge = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <span className={classes['badge']}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className={classes['words']}>{plural(count, { one: '# waits for you', other: '# wait for you' })}</span>
    </span>
  )
