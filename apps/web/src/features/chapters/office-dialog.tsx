import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { useForm } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Optional, RecordForm } from '../../ui/form/record-form.tsx'
import { useChaptersChanged } from './chapters-api.ts'
import type { Chapter, Position } from './chapters-api.ts'

type Props = { chapter: Chapter; office: Position | 'new' | null; onClose: () => void }

export const OfficeDialog = ({ chapter, office, onClose }: Props) => (
  <Dialog opened={office !== null} onClose={onClose} title={office === 'new' ? t`New office` : t`Change office`}>
    {office && <OfficeForm chapter={chapter} office={office === 'new' ? undefined : office} onClose={onClose} />}
  </Dialog>
)

function OfficeForm({ chapter, office, onClose }: { chapter: Chapter; office: Position | undefined; onClose: () => void }) {
  const api = useApi()
  const changed = useChaptersChanged()
  const roles = useQuery(api.data.account.roles.list.queryOptions())
  const form = useForm({
    initialValues: {
      title: office?.title ?? '',
      roleId: office?.role?.id ?? null,
      termMonths: office?.termMonths ?? '',
      maxHolders: office?.maxHolders ?? 1,
      mandatory: office?.mandatory ?? false,
      memberOnly: office?.memberOnly ?? false,
    },
    validate: { title: (value) => (value.trim() ? null : t`Enter a title.`) },
  })
  return (
    <RecordForm
      form={form}
      submitLabel={office ? <Trans>Save office</Trans> : <Trans>Create office</Trans>}
      onCancel={onClose}
      onSubmit={async (values) => {
        const facts = {
          ...values,
          title: values.title.trim(),
          termMonths: values.termMonths === '' ? null : Number(values.termMonths),
          // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-conversion -- an emptied number field holds text
          maxHolders: Number(values.maxHolders),
        }
        if (office)
          await api.data.chapters.positions.update.call(
            { chapterId: chapter.id, positionId: office.id, ...facts },
            { context: { ifMatch: office.version } },
          )
        else await api.data.chapters.positions.create.call({ chapterId: chapter.id, ...facts })
        await changed()
        toast.success(office ? t`${facts.title} saved` : t`${facts.title} created`)
        onClose()
      }}
    >
      <TextInput label={t`Title`} autoFocus data-autofocus maxLength={150} {...form.getInputProps('title')} />
      <Select
        label={<Optional>{t`Rights`}</Optional>}
        description={t`A role whose rights the holder gets in this chapter and below; only one whose rights you hold yourself`}
        clearable
        data={(roles.data?.items ?? []).filter(({ mayGrant }) => mayGrant).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('roleId')}
      />
      <NumberInput
        label={<Optional>{t`Usual term in months`}</Optional>}
        min={1}
        max={120}
        allowDecimal={false}
        {...form.getInputProps('termMonths')}
      />
      <NumberInput label={t`Seats`} min={1} max={1000} allowDecimal={false} {...form.getInputProps('maxHolders')} />
      <Checkbox label={t`Mandatory: a vacant seat is shown as missing`} {...form.getInputProps('mandatory', { type: 'checkbox' })} />
      <Checkbox label={t`Members only`} {...form.getInputProps('memberOnly', { type: 'checkbox' })} />
    </RecordForm>
  )
}
