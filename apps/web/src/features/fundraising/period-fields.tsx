import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import classes from './giving.module.css'

export type Period = { since: string; until: string }
export const isPeriod = ({ since, until }: Period) => since !== '' && until !== '' && since <= until

type Props = { value: Period; onChange: (period: Period) => void; children?: ReactNode }

/** The first and the last day of a period, and what is done with it. */
export const PeriodFields = ({ value, onChange, children }: Props) => (
  <div className={classes['period']}>
    <TextInput
      type="date"
      label={t`From`}
      value={value.since}
      onChange={(event) => onChange({ ...value, since: event.currentTarget.value })}
    />
    <TextInput
      type="date"
      label={t`To`}
      value={value.until}
      error={isPeriod(value) ? undefined : t`Choose a day that is not before the first one.`}
      onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
    />
    {children}
  </div>
)
