import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './waiting.module.css'

/** A quiet card on an empty page, while something outside answers. */
export const Waiting = ({ text, children, busy = true }: { text: ReactNode; children?: ReactNode; busy?: boolean }) => (
  <main className={classes['page']}>
    <div className={classes['card']} role="status">
      <img src="/favicon.svg" alt="" width={40} height={40} />
      <p>{text}</p>
      {busy && <Loader size="sm" className={classes['late']} aria-hidden />}
    </div>
    {children}
  </main>
)
