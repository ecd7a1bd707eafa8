import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import classes from '../people.module.css'
import type { Person } from '../people-api.ts'
import { affiliationOptions, isAffiliationKind } from '../people-words.tsx'
import type { AffiliationKind } from '../people-words.tsx'

export type MembershipValues = {
  chapterId: string
  kind: AffiliationKind
  startsOn: string
  endsOn: string | null
  isPrimary: boolean
}

type Membership = Person['memberships'][number]
type Props = { edited: Membership | 'new' | undefined; onSave: (values: MembershipValues) => Promise<unknown>; onClose: () => void }

/** A membership of a chapter; the chapter itself stays, since another chapter is another membership. */
export function MembershipDialog({ edited, onSave, onClose }: Props) {
  const membership = edited === 'new' ? undefined : edited
  const today = useToday()
  return (
    <FormDialog
      opened={edited !== undefined}
      onClose={onClose}
      title={membership ? t`Membership in ${membership.chapter.name}` : t`Add to a chapter`}
      values={{
        chapterId: membership?.chapter.id ?? '',
        kind: membership?.kind ?? 'member',
        startsOn: membership?.startsOn ?? today,
        endsOn: membership?.endsOn ?? '',
        isPrimary: membership?.isPrimary ?? false,
      }}
      rules={{
        chapterId: (value) => (value ? null : t`Choose a chapter.`),
        startsOn: (value) => (value ? null : t`Enter the first day.`),
        endsOn: (value, { startsOn }) => (value && value < startsOn ? t`Enter a day that is not before the first one.` : null),
      }}
      submitLabel={membership ? <Trans>Save membership</Trans> : <Trans>Add to chapter</Trans>}
      onSubmit={({ kind, endsOn, ...values }) =>
        onSave({ ...values, kind: isAffiliationKind(kind) ? kind : 'member', endsOn: endsOn || null })
      }
    >
      {(form) => (
        <>
          {!membership && <ChapterPicker autoFocus label={t`Chapter`} {...form.getInputProps('chapterId')} />}
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
        </>
      )}
    </FormDialog>
  )
}
