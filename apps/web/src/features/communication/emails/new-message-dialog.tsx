import { NativeSelect, TextInput } from '@mantine/core'
import { NewMessage } from '@guildhall/contract/features/communication.messages'
import type { MessageTemplate } from '@guildhall/contract/features/communication.templates'
import { MessageBody } from '@guildhall/contract/message-body'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formRules } from '../../../platform/api/form-rules.ts'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useMessagesChanged, useTemplates } from './messages-api.ts'
import type { Message } from './messages-api.ts'
import { useUsualPlace } from '../place-field.tsx'

const contentOf = ({ subject, preheader, body }: MessageTemplate) => ({ subject, preheader, body: MessageBody.parse(body) })

type Begins = Partial<Pick<NewMessage, 'name' | 'audience' | 'chapterId' | 'groupId'>>
type Props = {
  opened: boolean
  onClose: () => void
  onCreated: (message: Message) => void
  begins?: Begins
  /** Above the fields. */
  notice?: ReactNode
}

/** What a message is called and for whom it is written; everything else is entered on its page. */
export function NewMessageDialog({ opened, onClose, onCreated, begins = {}, notice }: Props) {
  const { messages, templates } = useApi().data.communication
  const changed = useMessagesChanged()
  const choices = useTemplates().data?.items ?? []
  const everywhere = useHoldsEverywhere('messages.write')
  const place = { ...useUsualPlace(), ...begins }
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`New e-mail`}
      draft={begins.audience ? undefined : 'new-message'}
      rules={formRules(NewMessage)}
      values={{ name: begins.name ?? '', chapterId: place.chapterId ?? noRecord, groupId: place.groupId ?? noRecord, templateId: '' }}
      submitLabel={<Trans>Start writing</Trans>}
      onSubmit={async ({ templateId, ...values }) => {
        const content = templateId === '' ? {} : contentOf(await templates.get.call({ templateId }))
        const message = await messages.create.call({ ...values, ...content, ...(begins.audience && { audience: begins.audience }) })
        await changed(message)
        return message
      }}
      onDone={onCreated}
    >
      {(form) => (
        <>
          {notice}
          <TextInput
            label={t`Name`}
            description={t`Only officers see it; the subject comes later`}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {choices.length > 0 && (
            <NativeSelect
              label={t`Begin with`}
              data={[{ value: '', label: t`An empty message` }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
              {...form.getInputProps('templateId')}
            />
          )}
          <ChapterPicker
            label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
            description={
              everywhere ? t`Leave empty to write for the whole organisation` : t`It reaches people of this chapter and those below`
            }
            {...form.getInputProps('chapterId')}
          />
          <GroupPicker
            label={<Optional>{t`Group`}</Optional>}
            description={t`Instead of a chapter: it reaches the members of this group`}
            {...form.getInputProps('groupId')}
          />
        </>
      )}
    </FormDialog>
  )
}
