import { TextInput } from '@mantine/core'
import type { TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../display/copy-button.tsx'
import classes from './copy-field.module.css'

export type CopyFieldProps = Pick<TextInputProps, 'label' | 'aria-label'> & { value: string; copyLabel: ReactNode }

/** A text that is there to be copied: whole as soon as it has the focus, or by its button. */
export const CopyField = ({ value, copyLabel, ...name }: CopyFieldProps) => (
  <div className={classes['line']}>
    <TextInput className={classes['field'] ?? ''} readOnly value={value} onFocus={(event) => event.currentTarget.select()} {...name} />
    <CopyButton value={value}>{copyLabel}</CopyButton>
  </div>
)
