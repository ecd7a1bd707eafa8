import { Select, TextInput } from '@mantine/core'
import { NewChapter } from '@guildhall/contract/features/chapters'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Optional, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { useChaptersChanged } from './chapters-api.ts'
import { levelOptions } from './chapters-words.tsx'

type Parent = { id: string; name: string }
type Props = { opened: boolean; parent: Parent | null; onClose: () => void }

export const NewChapterDialog = ({ opened, parent, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={parent ? t`New chapter below ${parent.name}` : t`New chapter`}>
    {opened && <NewChapterForm parent={parent} onClose={onClose} />}
  </Dialog>
)

/** Also stands alone, where there is no chapter yet to stand below. */
export function NewChapterForm({
  parent,
  onClose,
  onCreated = onClose,
}: {
  parent: Parent | null
  onClose: () => void
  onCreated?: () => void
}) {
  const { create } = useApi().data.chapters
  const changed = useChaptersChanged()
  const navigate = useNavigate()
  const form = useRecordForm(NewChapter, { name: '', code: '', level: 'chapter' as const, city: '', parentId: parent?.id ?? null })
  return (
    <RecordForm
      form={form}
      draft="new-chapter"
      submitLabel={<Trans>Create chapter</Trans>}
      onCancel={onClose}
      onSubmit={async (values) => {
        const { id, name } = await create.call(values)
        await changed()
        toast.success(t`${name} created`)
        onCreated()
        await navigate({ to: '/chapter/$chapterId/{-$tab}/{-$subtab}', params: { chapterId: id, tab: undefined, subtab: undefined } })
      }}
    >
      <TextInput label={t`Name`} autoFocus data-autofocus {...form.getInputProps('name')} />
      <TextInput label={t`Code`} description={t`Short and unique, such as FR-LYO; imports refer to it`} {...form.getInputProps('code')} />
      <Select label={t`Level`} data={levelOptions()} allowDeselect={false} {...form.getInputProps('level')} />
      <TextInput label={<Optional>{t`City`}</Optional>} {...form.getInputProps('city')} />
    </RecordForm>
  )
}
