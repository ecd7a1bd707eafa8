import type { ReactNode } from 'react'
import classes from './more-fields.module.css'

/** What few need, behind its name. */
export const MoreFields = ({ label, opened = false, children }: { label: string; opened?: boolean; children: ReactNode }) => (
  <details className={classes['more']} open={opened || undefined}>
    <summary className={classes['moreName']}>{label}</summary>
    <div className={classes['moreFields']}>{children}</div>
  </details>
)
