import { Input, Skeleton } from '@mantine/core'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { lazy, Suspense, useId } from 'react'
import type { ReactNode } from 'react'
import classes from './formatted-text.module.css'

const FormattedEditor = lazy(async () => ({ default: (await import('./formatted-editor.tsx')).FormattedEditor }))

export type FormattedTextFieldProps = {
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  value?: FormattedDocument
  onChange?: (document: FormattedDocument) => void
  onBlur?: () => void
  placeholder?: string
  /** Characters that the contract accepts. */
  limit?: number
  /** Few lines, as for a comment. */
  compact?: boolean
  autoFocus?: boolean
  /** People can be mentioned with @, unless it is said otherwise. */
  mentions?: boolean
  /** Further buttons of the toolbar, which put words where the cursor is. */
  tools?: (insert: (words: string) => void) => ReactNode
  /** The label is read but not shown, where the place says what it is. */
  hideLabel?: boolean
}

/** A field of any form that holds a formatted text: `<FormattedTextField label={t`About`} {...form.getInputProps('about')} />`. The editor is fetched with it. */
export function FormattedTextField({ label, description, error, hideLabel = false, compact = false, ...editor }: FormattedTextFieldProps) {
  const id = useId()
  const notes = { label: `${id}-label`, description: `${id}-description`, error: `${id}-error` }
  const height = compact ? '60px' : '120px'
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id: notes.label, ...(hideLabel && { className: classes['unseen'] ?? '' }) }}
      description={description}
      descriptionProps={{ id: notes.description }}
      error={error}
      errorProps={{ id: notes.error }}
    >
      <Suspense fallback={<Skeleton height={compact ? 100 : 170} />}>
        <FormattedEditor
          {...editor}
          className={classes['editor'] ?? ''}
          height={height}
          labelledBy={notes.label}
          describedBy={[...(description ? [notes.description] : []), ...(error ? [notes.error] : [])].join(' ')}
          invalid={Boolean(error)}
        />
      </Suspense>
    </Input.Wrapper>
  )
}
