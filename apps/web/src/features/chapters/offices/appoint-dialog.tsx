import { Select, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useChaptersChanged, usePositions } from '../chapters-api.ts'
import type { Chapter } from '../chapters-api.ts'

type Props = { chapter: Chapter; opened: boolean; positionId?: string | undefined; onClose: () => void }

/** Puts a person into an office for a term; the office's usual length is offered by the server when no end is given. */
export function AppointDialog({ chapter, opened, positionId = '', onClose }: Props) {
  const { positions } = useApi().data.chapters
  const changed = useChaptersChanged()
  const offices = usePositions(chapter.id, opened)
  const data = (offices.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Appoint officer`}
      values={{ positionId, personId: '', startsOn: '', endsOn: '', note: '' }}
      rules={{
        positionId: (value) => (value ? null : t`Choose an office.`),
        personId: (value) => (value ? null : t`Choose a person.`),
        endsOn: (value, { startsOn }) => (value && startsOn && value < startsOn ? t`Enter a day after the first one.` : null),
      }}
      submitLabel={<Trans>Appoint</Trans>}
      onSubmit={async ({ startsOn, endsOn, note, ...who }) => {
        const officer = await positions.appoint.call({
          chapterId: chapter.id,
          ...who,
          ...(startsOn && { startsOn }),
          ...(endsOn && { endsOn }),
          ...(note && { note }),
        })
        await changed()
        toast.success(t`${officer.person.displayName} is appointed ${officer.position.title}`)
      }}
    >
      {(form) => (
        <>
          <Select
            label={t`Office`}
            data={data}
            searchable
            allowDeselect={false}
            nothingFoundMessage={
              offices.isSuccess && data.length === 0 ? t`This chapter has no offices yet; define one under Offices.` : t`No such office`
            }
            {...form.getInputProps('positionId')}
          />
          <PersonPicker label={t`Person`} {...form.getInputProps('personId')} />
          <TextInput
            type="date"
            label={<Optional>{t`First day`}</Optional>}
            description={t`Today when left empty`}
            {...form.getInputProps('startsOn')}
          />
          <TextInput
            type="date"
            label={<Optional>{t`Last day`}</Optional>}
            description={t`The office’s usual term when left empty`}
            {...form.getInputProps('endsOn')}
          />
          <Textarea label={<Optional>{t`Note`}</Optional>} maxLength={500} {...form.getInputProps('note')} />
        </>
      )}
    </FormDialog>
  )
}
