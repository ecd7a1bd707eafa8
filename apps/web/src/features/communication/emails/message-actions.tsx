import { Button, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useMessagesChanged } from './messages-api.ts'
import type { Message } from './messages-api.ts'
import classes from './emails.module.css'

type Move = 'withdraw' | 'takeBack' | 'pause' | 'resume' | 'cancel' | 'restart'

/** Makes a move of a message with its version, and shows what it is then. */
export function useMove(message: Message) {
  const { messages } = useApi().data.communication
  const changed = useMessagesChanged()
  return async (move: Move) => {
    try {
      await changed(await messages[move].call({ messageId: message.id }, { context: { ifMatch: message.version } }))
    } catch (problem) {
      toast.error(t`That did not work`, problem)
      await changed()
    }
  }
}

const Notice = ({ children, actions }: { children: ReactNode; actions?: ReactNode }) => (
  <div className={classes['notice']}>
    <p role="status">{children}</p>
    {actions}
  </div>
)

/** What waits for whom, and what the reader can do about it. */
export function MessageState({ message }: { message: Message }) {
  const move = useMove(message)
  const [cancelling, setCancelling] = useState(false)
  const { status, may, counts } = message
  const cancel = may.cancel && (
    <Button variant="default" onClick={() => setCancelling(true)}>
      <Trans>Cancel sending</Trans>
    </Button>
  )
  return (
    <>
      {status === 'in_review' && <InReview message={message} />}
      {status === 'scheduled' && (
        <Notice
          actions={
            may.takeBack && (
              <Button variant="default" onClick={() => void move('takeBack')}>
                <Trans>Undo</Trans>
              </Button>
            )
          }
        >
          <Leaves at={message.sendAt} />
        </Notice>
      )}
      {status === 'sending' && (
        <Notice
          actions={
            <>
              {may.pause && (
                <Button variant="default" onClick={() => void move('pause')}>
                  <Trans>Pause</Trans>
                </Button>
              )}
              {cancel}
            </>
          }
        >
          <Trans>Mails are leaving.</Trans>
        </Notice>
      )}
      {status === 'paused' && (
        <Notice
          actions={
            <>
              {may.resume && (
                <Button onClick={() => void move('resume')}>
                  <Trans>Go on</Trans>
                </Button>
              )}
              {cancel}
            </>
          }
        >
          <Plural value={counts.queued} one="Paused: # mail waits." other="Paused: # mails wait." />
          {message.failure === 'complaints' && (
            <>
              {' '}
              <Trans>Too many recipients marked mail of the organisation as spam. Find out why before you go on.</Trans>
            </>
          )}
        </Notice>
      )}
      {status === 'failed' && (
        <Notice
          actions={
            may.retry && (
              <Button variant="default" onClick={() => void move('restart')}>
                <Trans>Start again</Trans>
              </Button>
            )
          }
        >
          {failureWords(message.failure)}
        </Notice>
      )}
      <ConfirmDialog
        opened={cancelling}
        onClose={() => setCancelling(false)}
        title={t`Cancel this message?`}
        confirmLabel={<Trans>Cancel what has not left</Trans>}
        danger
        onConfirm={() => move('cancel')}
      >
        <Plural
          value={counts.queued}
          one="# mail has not left and will not be sent. What has left cannot be called back."
          other="# mails have not left and will not be sent. What has left cannot be called back."
        />
      </ConfirmDialog>
    </>
  )
}

function failureWords(failure: string) {
  if (failure === 'nobody') return t`Nothing was sent: nobody was left to write to.`
  if (failure === 'sender') return t`Nothing was sent: who scheduled it may not send any more.`
  if (failure === 'audience') return t`Nothing was sent: the audience could not be found. Check its parts.`
  return t`Nothing was sent.`
}

/** Counts down while it can still be taken back. */
function Leaves({ at }: { at: string | null }) {
  const [now, setNow] = useState(() => Date.now())
  const left = at === null ? 0 : Math.max(0, Math.ceil((Date.parse(at) - now) / 1000))
  const isNear = left <= 90
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isNear ? 1_000 : 30_000)
    return () => clearInterval(timer)
  }, [isNear])
  if (at === null || left === 0) return <Trans>It is about to leave.</Trans>
  return isNear ? (
    <Plural value={left} one="It leaves in # second." other="It leaves in # seconds." />
  ) : (
    <Trans>
      It leaves <RelativeTime at={at} />.
    </Trans>
  )
}

function InReview({ message }: { message: Message }) {
  const { messages } = useApi().data.communication
  const changed = useMessagesChanged()
  const move = useMove(message)
  const [answer, setAnswer] = useState<'approve' | 'decline'>()
  const { may, submittedBy, failure } = message
  const why = failure === 'review' ? ' ' + t`There are more recipients than one person alone may write to.` : ''
  const by = submittedBy ?? t`Somebody`
  return (
    <>
      <Notice
        actions={
          <>
            {may.decline && (
              <Button variant="default" onClick={() => setAnswer('decline')}>
                <Trans>Send back</Trans>
              </Button>
            )}
            {may.approve && (
              <Button onClick={() => setAnswer('approve')}>
                <Trans>Approve</Trans>
              </Button>
            )}
            {may.withdraw && (
              <Button variant="default" onClick={() => void move('withdraw')}>
                <Trans>Undo</Trans>
              </Button>
            )}
          </>
        }
      >
        {may.approve ? t`${by} asks you to approve this message.` : t`${by} asked for approval. Somebody else who may send has to give it.`}
        {why}
      </Notice>
      <FormDialog
        opened={answer !== undefined}
        onClose={() => setAnswer(undefined)}
        title={answer === 'approve' ? t`Approve this message` : t`Send this message back`}
        values={{ note: '' }}
        rules={{ note: (note: string) => (answer === 'decline' && note.trim() === '' ? t`Say what has to change.` : null) }}
        submitLabel={answer === 'approve' ? <Trans>Approve and send</Trans> : <Trans>Send back</Trans>}
        version={message.version}
        onSubmit={async ({ note }, sent) => {
          const input = { messageId: message.id, note: note.trim() }
          await changed(await (answer === 'approve' ? messages.approve.call(input, sent) : messages.decline.call(input, sent)))
        }}
      >
        {(form) => (
          <Textarea
            label={answer === 'approve' ? <Optional>{t`Note`}</Optional> : t`What has to change`}
            autosize
            minRows={3}
            maxLength={1000}
            data-autofocus
            {...form.getInputProps('note')}
          />
        )}
      </FormDialog>
    </>
  )
}
