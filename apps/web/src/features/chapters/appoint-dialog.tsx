import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Optional, RecordForm } from '../../ui/form/record-form.tsx'
import { useChaptersChanged, usePositions } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import { usePickers } from './chapters-pickers.ts'

type Props = { chapter: Chapter; opened: boolean; positionId?: string | undefined; onClose: () => void }

/** Puts a person into an office for a term; the office's usual length is offered by the server when no end is given. */
export const AppointDialog = ({ opened, onClose, ...rest }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={t`Appoint officer`}>
    {opened && <AppointForm {...rest} onClose={onClose} />}
  </Dialog>
)

function AppointForm({ chapter, positionId, onClose }: Omit<Props, 'opened'>) {
  const { positions } = useApi().data.chapters
  const changed = useChaptersChanged()
  const pickers = usePickers()
  const offices = usePositions(chapter.id, true)
  const [person, setPerson] = useState<Option | null>(null)
  const form = useForm({
    initialValues: { positionId: positionId ?? '', personId: '', startsOn: '', endsOn: '', note: '' },
    validate: {
      positionId: (value) => (value ? null : t`Choose an office.`),
      personId: (value) => (value ? null : t`Choose a person.`),
      endsOn: (value, { startsOn }) => (value && startsOn && value < startsOn ? t`Enter a day after the first one.` : null),
    },
  })
  const data = (offices.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))
  return (
    <RecordForm
      form={form}
      submitLabel={<Trans>Appoint</Trans>}
      onCancel={onClose}
      onSubmit={async ({ startsOn, endsOn, note, ...values }) => {
        const officer = await positions.appoint.call({
          chapterId: chapter.id,
          positionId: values.positionId,
          personId: values.personId,
          ...(startsOn && { startsOn }),
          ...(endsOn && { endsOn }),
          ...(note && { note }),
        })
        await changed()
        toast.success(t`${officer.person.displayName} is appointed ${officer.position.title}`)
        onClose()
      }}
    >
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
      <ComboboxPicker
        label={t`Person`}
        value={person}
        search={pickers.people}
        error={form.errors['personId']}
        onChange={(option) => {
          setPerson(option)
          form.setFieldValue('personId', option?.value ?? '')
        }}
      />
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
    </RecordForm>
  )
}
