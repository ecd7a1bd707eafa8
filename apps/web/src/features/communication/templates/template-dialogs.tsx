import { TextInput } from '@mantine/core'
import type { MessageTemplateRow } from '@guildhall/contract/features/communication.templates'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'

type Values = { name: string; chapterId: string | null; groupId: string | null }
const empty: Values = { name: '', chapterId: noRecord, groupId: noRecord }

type DialogProps = { opened: boolean; onClose: () => void; onMade: (templateId: string) => void }
export function NewTemplateDialog(props: DialogProps) {
  const { templates } = useApi().data.communication
  return (
    <TemplateDialog
      {...props}
      title={t`New template`}
      values={empty}
      submitLabel={<Trans>Create template</Trans>}
      send={(values) => templates.create.call(values)}
    />
  )
}

type CopyProps = Omit<DialogProps, 'opened'> & { template: MessageTemplateRow | null }
export function CopyTemplateDialog({ template, ...props }: CopyProps) {
  const { templates } = useApi().data.communication
  const name = template?.name ?? ''
  const of = { chapterId: template?.chapter?.id ?? null, groupId: template?.group?.id ?? null }
  return (
    <TemplateDialog
      {...props}
      key={template?.id}
      opened={template !== null}
      title={t`Copy of “${name}”`}
      values={{ name: t`${name} (copy)`.slice(0, 100), ...of }}
      submitLabel={<Trans>Copy</Trans>}
      send={async (values) => templates.copy.call({ templateId: template?.id ?? '', ...values })}
    />
  )
}

type Props = DialogProps & {
  title: string
  values: Values
  submitLabel: ReactNode
  send: (values: Values) => Promise<{ id: string }>
}

/** A name and where it belongs: whoever does not keep templates for everybody names a chapter or a group of theirs. */
function TemplateDialog({ opened, onClose, onMade, title, values, submitLabel, send }: Props) {
  const cache = useQueryClient()
  const { templates } = useApi().data.communication
  const forAll = useHoldsEverywhere('messages.manage')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      values={values}
      rules={{
        name: (name: string) => (name.trim() === '' ? t`Enter a name.` : null),
        chapterId: (chapterId: string | null, { groupId }: Values) =>
          !forAll && chapterId === null && groupId === null ? t`Choose a chapter or a group.` : null,
        groupId: (groupId: string | null, { chapterId }: Values) =>
          groupId !== null && chapterId !== null ? t`Choose a chapter or a group, not both.` : null,
      }}
      submitLabel={submitLabel}
      onSubmit={async ({ name, chapterId, groupId }) => {
        const made = await send({ name: name.trim(), chapterId, groupId })
        await cache.invalidateQueries({ queryKey: templates.key() })
        return made
      }}
      onDone={({ id }) => onMade(id)}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <ChapterPicker label={<Optional>{t`Chapter`}</Optional>} clearable {...form.getInputProps('chapterId')} />
          <GroupPicker label={<Optional>{t`Group`}</Optional>} clearable {...form.getInputProps('groupId')} />
        </>
      )}
    </FormDialog>
  )
}
