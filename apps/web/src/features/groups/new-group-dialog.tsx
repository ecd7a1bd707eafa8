import { Select, Textarea, TextInput } from '@mantine/core'
import { NewGroup } from '@guildhall/contract/features/groups'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useMe } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Optional, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { useGroupPickers, useGroupsChanged } from './groups-api.ts'
import { joinOptions, kindOptions, visibilityOptions } from './groups-words.tsx'

export const NewGroupDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title={t`New group`}>
    {opened && <NewGroupForm onClose={onClose} />}
  </Dialog>
)

function NewGroupForm({ onClose }: { onClose: () => void }) {
  const { create } = useApi().data.groups
  const changed = useGroupsChanged()
  const navigate = useNavigate()
  const pickers = useGroupPickers()
  const { data: me } = useMe()
  const everywhere = me?.permissions.find(({ permission }) => permission === 'groups.manage')?.everywhere ?? false
  const [chapter, setChapter] = useState<Option | null>(null)
  const form = useRecordForm(NewGroup, {
    name: '',
    kind: 'interest' as const,
    description: '',
    visibility: 'members' as const,
    joinPolicy: 'request' as const,
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the form takes its types from here, and a chapter is chosen later
    chapterId: null as string | null,
  })
  return (
    <RecordForm
      form={form}
      draft="new-group"
      submitLabel={<Trans>Create group</Trans>}
      onCancel={onClose}
      onSubmit={async (values) => {
        const group = await create.call(values)
        await changed()
        toast.success(t`${group.name} created`)
        onClose()
        await navigate({ to: '/groups/$groupId', params: { groupId: group.id } })
      }}
    >
      <TextInput label={t`Name`} autoFocus data-autofocus {...form.getInputProps('name')} />
      <Select label={t`Kind`} data={kindOptions()} allowDeselect={false} {...form.getInputProps('kind')} />
      <ComboboxPicker
        label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
        description={everywhere ? t`Leave empty for a group of the whole organisation` : t`One of the chapters that you look after`}
        value={chapter}
        error={form.errors['chapterId']}
        search={pickers.chapters}
        onChange={(option) => {
          setChapter(option)
          form.setFieldValue('chapterId', option?.value ?? null)
        }}
      />
      <Select label={t`Visibility`} data={visibilityOptions()} allowDeselect={false} {...form.getInputProps('visibility')} />
      <Select label={t`Joining`} data={joinOptions()} allowDeselect={false} {...form.getInputProps('joinPolicy')} />
      <Textarea label={<Optional>{t`About`}</Optional>} {...form.getInputProps('description')} />
    </RecordForm>
  )
}
