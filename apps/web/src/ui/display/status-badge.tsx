import type { ReactNode } from 'react'
import classes from './status-badge.module.css'

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info' | 'accent'

const colors: Record<Tone, string> = { neutral: 'gray', good: 'green', warning: 'amber', bad: 'red', info: 'blue', accent: 'brand' }

/** Always a word, never colour alone. */
export const StatusBadge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <Label color={colors[tone]} round>
    {children}
  </Label>
)

/** A word on a tint of a colour of the theme; plain, since a list has several in each row. */
export const Label = ({ color, round = false, children }: { color: string; round?: boolean; children: ReactNode }) => (
  <span
    className={classes['label']}
    data-round={round || undefined}
    style={{ background: `var(--mantine-color-${color}-light)`, color: `var(--mantine-color-${color}-light-color)` }}
  >
    {children}
  </span>
)
