import { NativeSelect } from '@mantine/core'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { textLength } from '@guildhall/contract/formatted-document'
import { NoteVisibility, noteLimit } from '@guildhall/contract/features/notes'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { FormattedTextField } from '../../platform/formatted-text/formatted-text-field.tsx'
import { FormInPlace } from '../../ui/dialog/form-dialog.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { visibilityWords } from './notes-words.ts'

type Values = { text: FormattedDocument; visibility: NoteVisibility }
type Props = {
  name: string
  values: Values
  /** The right to sensitive data of this person, without which nobody could read their own note. */
  forOfficers: boolean
  draft?: string
  submitLabel: ReactNode
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
}

/** What is noted, and who sees it: never the person it is about. */
export function NoteForm({ name, values, forOfficers, draft, submitLabel, onSubmit, onClose }: Props) {
  const { number } = useFormats()
  const words = visibilityWords()
  const choices = NoteVisibility.options.filter((visibility) => visibility !== 'officers' || forOfficers)
  return (
    <FormInPlace
      values={values}
      rules={{
        text: (text) =>
          textLength(text) > noteLimit
            ? t`Keep this to ${number(noteLimit)} characters.`
            : textLength(text) === 0
              ? t`Enter something here.`
              : null,
      }}
      draft={draft}
      submitLabel={submitLabel}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <FormattedTextField
            label={t`Note`}
            hideLabel
            limit={noteLimit}
            autoFocus
            placeholder={t`Type @ to mention someone`}
            {...form.getInputProps('text')}
          />
          <NativeSelect
            label={t`Visible to`}
            description={t`${name} never sees notes about themselves.`}
            data={choices.map((value) => ({ value, label: words[value] }))}
            {...form.getInputProps('visibility')}
          />
        </>
      )}
    </FormInPlace>
  )
}
