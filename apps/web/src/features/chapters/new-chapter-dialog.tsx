import { Select, TextInput } from '@mantine/core'
import { NewChapter } from '@guildhall/contract/features/chapters'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../platform/api/api.tsx'
import { formRules } from '../../platform/api/form-rules.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import type { FormParts } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { FieldInputs, noFields, useMissingField } from '../fields/fields-public.tsx'
import { useChaptersChanged } from './chapters-api.ts'
import { levelOptions } from './chapters-words.tsx'

type Parent = { id: string; name: string }
type Props = { opened: boolean; parent: Parent; onClose: () => void }

export const NewChapterDialog = ({ opened, parent, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title={t`New chapter below ${parent.name}`} {...useNewChapter(parent)} />
)

const blank = (parentId: string | null) => ({ name: '', code: '', level: 'chapter' as const, city: '', parentId, fields: noFields })

/** The form alone, for the chapters' own dialog too, where there may be no chapter yet to stand below. */
export function useNewChapter(parent: Parent | null, onCreated?: () => void): FormParts<ReturnType<typeof blank>, { id: string }> {
  const { create } = useApi().data.chapters
  const changed = useChaptersChanged()
  const navigate = useNavigate()
  const missingIn = useMissingField('chapters')
  return {
    draft: 'new-chapter',
    rules: formRules(NewChapter),
    values: blank(parent?.id ?? null),
    submitLabel: <Trans>Create chapter</Trans>,
    onSubmit: async (values) => {
      const missing = missingIn(values.fields)
      if (missing) throw new Error(missing)
      const chapter = await create.call(values)
      await changed()
      toast.success(t`${chapter.name} created`)
      return chapter
    },
    onDone: ({ id }) => {
      onCreated?.()
      void navigate({ to: '/chapter/$chapterId/{-$tab}/{-$subtab}', params: { chapterId: id, tab: undefined, subtab: undefined } })
    },
    children: (form) => (
      <>
        <TextInput label={t`Name`} autoFocus data-autofocus {...form.getInputProps('name')} />
        <TextInput label={t`Code`} description={t`Short and unique, such as FR-LYO; imports refer to it`} {...form.getInputProps('code')} />
        <Select label={t`Level`} data={levelOptions()} allowDeselect={false} {...form.getInputProps('level')} />
        <TextInput label={<Optional>{t`City`}</Optional>} {...form.getInputProps('city')} />
        <FieldInputs
          recordType="chapters"
          values={form.values.fields}
          onChange={(fields) => form.setFieldValue('fields', fields)}
          requiredOnly
        />
      </>
    ),
  }
}
