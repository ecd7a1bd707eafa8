import { NativeSelect, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MailChoices, PersonTopic } from '@guildhall/contract/features/communication.topics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useConsentsChanged } from './consent-api.ts'
import classes from './consent.module.css'

type Values = { subscribed: 'yes' | 'no'; note: string }
type RecordConsentDialogProps = { personId: string; topic: PersonTopic | null; onClose: () => void }

/** An officer writes down what somebody said about a topic, and where. */
export function RecordConsentDialog({ personId, topic, onClose }: RecordConsentDialogProps) {
  const { consents } = useApi().data.communication
  const changed = useConsentsChanged()
  return (
    <FormDialog<Values, MailChoices>
      opened={topic !== null}
      onClose={onClose}
      title={t`Record consent`}
      rules={{ note: (note) => (note.trim() === '' ? t`Say where and when the person said so.` : null) }}
      values={{ subscribed: topic?.state === 'subscribed' ? 'no' : 'yes', note: '' }}
      submitLabel={<Trans>Record consent</Trans>}
      onSubmit={async ({ subscribed, note }) => {
        const topicId = topic?.id ?? ''
        const saved = await consents.record.call({ personId, topicId, subscribed: subscribed === 'yes', note })
        await changed()
        const isAsked = saved.topics.find(({ id }) => id === topicId)?.state === 'pending'
        toast.success(isAsked ? t`The person gets a mail that asks them to confirm.` : t`Consent recorded`)
        return saved
      }}
    >
      {(form) => (
        <div className={classes['stack']}>
          <p>{topic?.name}</p>
          <NativeSelect
            label={t`The person`}
            data={[
              { value: 'yes', label: t`wants these mails` },
              { value: 'no', label: t`does not want these mails` },
            ]}
            {...form.getInputProps('subscribed')}
          />
          {topic?.at && topic.state !== 'subscribed' && form.values.subscribed === 'yes' && (
            <p className={classes['dim']}>
              <Trans>The person unsubscribed before, so they are asked by mail and get nothing until they confirm.</Trans>
            </p>
          )}
          <Textarea
            label={t`Proof`}
            description={t`Where and when the person said so, for example “Form at the summer party, 6 June”.`}
            maxLength={500}
            autosize
            minRows={2}
            {...form.getInputProps('note')}
          />
        </div>
      )}
    </FormDialog>
  )
}
