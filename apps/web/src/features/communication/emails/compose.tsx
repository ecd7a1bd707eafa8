import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { MoreFields } from '../../../ui/form/more-fields.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { AudienceBuilder } from '../audiences/audience-builder.tsx'
import { MessageEditor } from '../body/message-editor.tsx'
import { useTopicNames } from './messages-api.ts'
import type { Message } from './messages-api.ts'
import { SendDialog } from './send-dialog.tsx'
import { useMessageDraft } from './use-message-draft.ts'
import classes from './emails.module.css'

/** A draft: for whom, about what, and what it says. It saves itself. */
export function Compose({ message }: { message: Message }) {
  const { messages } = useApi().data.communication
  const draft = useMessageDraft(message)
  const { values, set, faults } = draft
  const [sending, setSending] = useState(false)
  const [testing, setTesting] = useState(false)
  const [replyTo, setReplyTo] = useState(values.replyTo ?? '')
  const topics = useTopicNames()
  const scope = { chapterId: message.chapter?.id ?? null, groupId: message.group?.id ?? null }
  const test = async () => {
    setTesting(true)
    try {
      await draft.flush()
      await messages.test.call({ messageId: message.id })
      toast.success(t`A test is on its way to you`)
    } catch (problem) {
      toast.error(t`The test could not be sent`, problem)
    } finally {
      setTesting(false)
    }
  }
  return (
    <div className={classes['stack']}>
      <div className={classes['headRow']}>
        <span className={classes['saved']} role="status">
          {draft.failure ?? (draft.saving ? t`Saving…` : draft.pending ? t`Not saved yet` : t`Saved`)}
        </span>
        <span className={classes['spacer']} />
        <Button variant="default" loading={testing} onClick={() => void test()}>
          <Trans>Test to me</Trans>
        </Button>
        <Button leftSection={<IconSend size={16} stroke={1.5} aria-hidden />} onClick={() => setSending(true)}>
          <Trans>Check and send</Trans>
        </Button>
      </div>
      {message.note !== '' && (
        <div className={classes['notice']}>
          <p>{t`It was sent back: “${message.note}”`}</p>
        </div>
      )}
      <Section title={t`To`}>
        <div className={classes['stack']}>
          <NativeSelect
            className={classes['topic']}
            label={t`Topic`}
            description={t`What it is about. People unsubscribe from topics; who did so for this one gets nothing`}
            value={values.topicId ?? ''}
            error={faults['topicId']}
            data={[{ value: '', label: t`Choose a topic` }, ...topics.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={({ currentTarget: { value } }) => set({ topicId: value === '' ? null : value })}
          />
          <AudienceBuilder value={values.audience} onChange={(audience) => set({ audience })} scope={scope} topicId={values.topicId} />
          {faults['audience'] && <p role="alert">{faults['audience']}</p>}
        </div>
      </Section>
      <MoreFields label={t`Name, sender and pace`} opened={['name', 'fromName', 'replyTo', 'pace'].some((field) => faults[field])}>
        <div className={classes['fields']}>
          <TextInput
            label={t`Name`}
            description={t`Only officers see it`}
            value={values.name}
            error={faults['name']}
            maxLength={120}
            onChange={({ currentTarget: { value } }) => set({ name: value })}
          />
          <TextInput
            label={<Optional>{t`From`}</Optional>}
            description={t`The name that recipients see`}
            value={values.fromName}
            error={faults['fromName']}
            maxLength={100}
            onChange={({ currentTarget: { value } }) => set({ fromName: value })}
          />
          <TextInput
            label={<Optional>{t`Answers go to`}</Optional>}
            description={t`An e-mail address`}
            type="email"
            value={replyTo}
            error={faults['replyTo']}
            onChange={({ currentTarget: { value } }) => {
              setReplyTo(value)
              set({ replyTo: value.trim() === '' ? null : value.trim() })
            }}
          />
          <NumberInput
            label={<Optional>{t`Mails a minute, at most`}</Optional>}
            description={t`Leave empty to send as quickly as possible`}
            value={values.pace ?? ''}
            min={1}
            max={100_000}
            allowDecimal={false}
            error={faults['pace']}
            onChange={(pace) => set({ pace: typeof pace === 'number' ? pace : null })}
          />
        </div>
      </MoreFields>
      <MessageEditor
        value={{ subject: values.subject, preheader: values.preheader, body: values.body }}
        onChange={(content) => set(content)}
        place={scope}
        subjectError={faults['subject']}
      />
      <SendDialog message={message} opened={sending} onClose={() => setSending(false)} flush={draft.flush} />
    </div>
  )
}
