import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useChaptersChanged } from '../chapters-api.ts'
import type { Chapter, Position } from '../chapters-api.ts'

type Props = { chapter: Chapter; edited: Position | 'new' | null; onClose: () => void }

export function OfficeDialog({ chapter, edited, onClose }: Props) {
  const { account, chapters } = useApi().data
  const changed = useChaptersChanged()
  const roles = useQuery({ ...account.roles.list.queryOptions(), enabled: edited !== null })
  const office = edited === 'new' ? null : edited
  return (
    <FormDialog
      opened={edited !== null}
      onClose={onClose}
      title={office ? t`Change office` : t`New office`}
      values={{
        title: office?.title ?? '',
        roleId: office?.role?.id ?? null,
        termMonths: office?.termMonths ?? '',
        maxHolders: office?.maxHolders ?? 1,
        mandatory: office?.mandatory ?? false,
        memberOnly: office?.memberOnly ?? false,
      }}
      rules={{ title: (value) => (value.trim() ? null : t`Enter a title.`) }}
      version={office?.version}
      submitLabel={office ? <Trans>Save office</Trans> : <Trans>Create office</Trans>}
      onSubmit={async (values, sent) => {
        const facts = {
          chapterId: chapter.id,
          ...values,
          title: values.title.trim(),
          termMonths: values.termMonths === '' ? null : Number(values.termMonths),
          // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-conversion -- an emptied number field holds text
          maxHolders: Number(values.maxHolders),
        }
        await (office ? chapters.positions.update.call({ positionId: office.id, ...facts }, sent) : chapters.positions.create.call(facts))
        await changed()
        toast.success(office ? t`${facts.title} saved` : t`${facts.title} created`)
      }}
    >
      {(form) => (
        <>
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
        </>
      )}
    </FormDialog>
  )
}
