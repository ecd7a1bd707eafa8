import { Select, TextInput } from '@mantine/core'
import { noText } from '@guildhall/contract/formatted-document'
import { NewGroup } from '@guildhall/contract/features/groups'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { formRules } from '../../platform/api/form-rules.ts'
import { useApi } from '../../platform/api/api.tsx'
import { FormattedTextField } from '../../platform/formatted-text/formatted-text-field.tsx'
import { ChapterPicker } from '../../platform/records/record-pickers.tsx'
import { noRecord } from '../../platform/records/record-sources.ts'
import { useHoldsEverywhere } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { FieldInputs, noFields, useMissingField } from '../fields/fields-public.tsx'
import { useGroupsChanged } from './groups-api.ts'
import { joinOptions, kindOptions, visibilityOptions } from './groups-words.tsx'

export function NewGroupDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { create } = useApi().data.groups
  const changed = useGroupsChanged()
  const navigate = useNavigate()
  const missingIn = useMissingField('groups')
  const everywhere = useHoldsEverywhere('groups.manage')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`New group`}
      draft="new-group"
      rules={formRules(NewGroup)}
      values={{
        name: '',
        kind: 'interest' as const,
        about: noText,
        visibility: 'members' as const,
        joinPolicy: 'request' as const,
        chapterId: noRecord,
        fields: noFields,
      }}
      submitLabel={<Trans>Create group</Trans>}
      onSubmit={async (values) => {
        const missing = missingIn(values.fields)
        if (missing) throw new Error(missing)
        const group = await create.call(values)
        await changed()
        toast.success(t`${group.name} created`)
        return group
      }}
      onDone={({ id }) => navigate({ to: '/groups/$groupId', params: { groupId: id } })}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} autoFocus data-autofocus {...form.getInputProps('name')} />
          <Select label={t`Kind`} data={kindOptions()} allowDeselect={false} {...form.getInputProps('kind')} />
          <ChapterPicker
            label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
            description={everywhere ? t`Leave empty for a group of the whole organisation` : t`One of the chapters that you look after`}
            {...form.getInputProps('chapterId')}
          />
          <Select label={t`Visibility`} data={visibilityOptions()} allowDeselect={false} {...form.getInputProps('visibility')} />
          <Select label={t`Joining`} data={joinOptions()} allowDeselect={false} {...form.getInputProps('joinPolicy')} />
          <FieldInputs
            recordType="groups"
            values={form.values.fields}
            onChange={(fields) => form.setFieldValue('fields', fields)}
            requiredOnly
          />
          <FormattedTextField label={<Optional>{t`About`}</Optional>} {...form.getInputProps('about')} />
        </>
      )}
    </FormDialog>
  )
}
