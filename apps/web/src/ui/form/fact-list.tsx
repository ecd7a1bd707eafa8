import type { ReactNode } from 'react'
import classes from './fact-list.module.css'
import { FactEditor } from './fact-editor.tsx'
import type { FactEdit } from './fact-editor.tsx'

/** Names and values of a record; `Fact`s inside. */
export const FactList = ({ children }: { children: ReactNode }) => <dl className={classes['list']}>{children}</dl>

export type FactProps = {
  label: string
  /** What is shown. Nothing is shown as a dash. */
  children?: ReactNode
  /** How it is changed in place; without it the fact is only read. */
  edit?: FactEdit | undefined
  /** Who may change it, when this reader may not but could expect to. */
  hint?: ReactNode
}

export function Fact({ label, children, edit, hint }: FactProps) {
  const shown = children === undefined || children === null || children === '' ? <span className={classes['none']}>–</span> : children
  return (
    <div className={classes['fact']}>
      <dt className={classes['label']}>{label}</dt>
      <dd className={classes['value']}>
        {edit ? (
          <FactEditor label={label} edit={edit}>
            {shown}
          </FactEditor>
        ) : (
          shown
        )}
        {hint && <div className={classes['hint']}>{hint}</div>}
      </dd>
    </div>
  )
}
