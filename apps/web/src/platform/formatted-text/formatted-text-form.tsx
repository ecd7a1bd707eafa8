import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { textLength } from '@guildhall/contract/formatted-document'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useFormats } from '../../ui/display/dates.tsx'
import { FormInPlace } from '../../ui/dialog/form-dialog.tsx'
import { FormattedTextField } from './formatted-text-field.tsx'

type Props = {
  label: string
  value: FormattedDocument
  limit?: number | undefined
  /** A text is needed: a comment without one says nothing. */
  required?: boolean
  placeholder?: string
  draft?: string
  autoFocus?: boolean
  submitLabel: ReactNode
  onSubmit: (document: FormattedDocument) => Promise<unknown>
  onClose: () => void
}

/** One text with its buttons, where it stands. */
export function FormattedTextForm({
  label,
  value,
  limit = 50_000,
  required = false,
  placeholder,
  draft,
  autoFocus = true,
  submitLabel,
  onSubmit,
  onClose,
}: Props) {
  const { number } = useFormats()
  return (
    <FormInPlace
      values={{ text: value }}
      rules={{
        text: (text) =>
          textLength(text) > limit
            ? t`Keep this to ${number(limit)} characters.`
            : required && textLength(text) === 0
              ? t`Enter something here.`
              : null,
      }}
      draft={draft}
      submitLabel={submitLabel}
      onSubmit={({ text }) => onSubmit(text)}
      onClose={onClose}
    >
      {(form) => (
        <FormattedTextField
          label={label}
          hideLabel
          limit={limit}
          autoFocus={autoFocus}
          {...(placeholder !== undefined && { placeholder })}
          {...form.getInputProps('text')}
        />
      )}
    </FormInPlace>
  )
}
