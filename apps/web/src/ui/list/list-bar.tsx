import type { ReactNode } from 'react'
import classes from './list-bar.module.css'

/** Search and filters at the start, sort, columns, layout and export at the end. Wraps on narrow screens. */
export const ListBar = ({ children, end }: { children: ReactNode; end?: ReactNode }) => (
  <div className={classes['bar']}>
    <div className={classes['start']}>{children}</div>
    {end && <div className={classes['end']}>{end}</div>}
  </div>
)
