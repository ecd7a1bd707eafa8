import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import type { Option } from '../../../ui/filter/filter.ts'
import { Optional, RecordForm } from '../../../ui/form/record-form.tsx'
import classes from '../people.module.css'
import { usePeopleOptions } from '../people-options.ts'
import type { Person } from '../people-api.ts'
import { affiliationOptions, isAffiliationKind } from '../people-words.tsx'
import type { AffiliationKind } from '../people-words.tsx'

export type MembershipValues = {
  chapterId: string
  chapterName: string
  kind: AffiliationKind
  startsOn: string
  endsOn: string | null
  isPrimary: boolean
}

type Props = {
  membership: Person['memberships'][number] | undefined
  onSave: (values: MembershipValues) => Promise<unknown>
  onCancel: () => void
}

/** A membership of a chapter; the chapter itself stays, since another chapter is another membership. */
export function MembershipForm({ membership, onSave, onCancel }: Props) {
  const { chapters } = usePeopleOptions()
  const [chapter, setChapter] = useState<Option | null>(
    membership ? { value: membership.chapter.id, label: membership.chapter.name } : null,
  )
  const form = useForm({
    initialValues: {
      chapterId: membership?.chapter.id ?? '',
      kind: membership?.kind ?? 'member',
      startsOn: membership?.startsOn ?? new Date().toISOString().slice(0, 10),
      endsOn: membership?.endsOn ?? '',
      isPrimary: membership?.isPrimary ?? false,
    },
    validateInputOnBlur: true,
    validate: {
      chapterId: (value) => (value ? null : t`Choose a chapter.`),
      startsOn: (value) => (value ? null : t`Enter the first day.`),
      endsOn: (value, { startsOn }) => (value && value < startsOn ? t`Enter a day that is not before the first one.` : null),
    },
  })
  return (
    <RecordForm
      form={form}
      onCancel={onCancel}
      submitLabel={membership ? <Trans>Save membership</Trans> : <Trans>Add to chapter</Trans>}
      onSubmit={({ kind, startsOn, endsOn, isPrimary, chapterId }) =>
        onSave({
          chapterId,
          chapterName: chapter?.label ?? '',
          kind: isAffiliationKind(kind) ? kind : 'member',
          startsOn,
          endsOn: endsOn || null,
          isPrimary,
        })
      }
    >
      {!membership && (
        <ComboboxPicker
          autoFocus
          label={t`Chapter`}
          value={chapter}
          search={chapters}
          error={form.errors['chapterId']}
          onChange={(option) => {
            setChapter(option)
            form.setFieldValue('chapterId', option?.value ?? '')
          }}
        />
      )}
      <NativeSelect
        label={t`As`}
        data={affiliationOptions().map(({ value, label }) => ({ value, label }))}
        {...form.getInputProps('kind')}
      />
      <div className={classes['pair']}>
        <TextInput type="date" label={t`From`} {...form.getInputProps('startsOn')} />
        <TextInput type="date" label={<Optional>{t`Until`}</Optional>} {...form.getInputProps('endsOn')} />
      </div>
      {!membership?.isPrimary && (
        <Checkbox label={t`This is the home chapter`} {...form.getInputProps('isPrimary', { type: 'checkbox' })} />
      )}
    </RecordForm>
  )
}
