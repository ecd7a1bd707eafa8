import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconArrowLeft, IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { MessagePreview } from '../body/message-preview.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { MessageState } from './message-actions.tsx'
import { MessageReportView } from './message-report.tsx'
import type { Asked } from './message-report.tsx'
import { MessageStatusBadge, placeOfMessage } from './message-rows.tsx'
import { useMessage, useMessagesChanged } from './messages-api.ts'
import type { Message } from './messages-api.ts'
import classes from './emails.module.css'

const Compose = lazy(async () => ({ default: (await import('./compose.tsx')).Compose }))

type Props = {
  messageId: string
  /** Whose recipients are open beside it. */
  asked: Asked | undefined
  onAsk: (asked: Asked | undefined) => void
  onOpen: (messageId: string | undefined) => void
}

/** One message: its editor while it is a draft, afterwards what became of it. */
export function MessageView({ messageId, asked, onAsk, onOpen }: Props) {
  const message = useMessage(messageId)
  usePageTitle(message.data?.name ?? t`E-mail`)
  return (
    <div className={classes['beside']}>
      <div className={classes['stack']}>
        <div>
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />}
            onClick={() => onOpen(undefined)}
          >
            <Trans>All e-mails</Trans>
          </Button>
        </div>
        {message.isPending && (
          <Loading label={t`Loading`}>
            <SkeletonLines count={12} />
          </Loading>
        )}
        {message.isError && (
          <ProblemState problem={message.error} title={t`This e-mail could not be loaded`} retry={() => void message.refetch()} />
        )}
        {message.data && (
          <>
            <Head message={message.data} onOpen={onOpen} />
            {message.data.automation && <OfAutomation automation={message.data.automation} />}
            <MessageState message={message.data} />
            {message.data.may.edit ? (
              <Suspense
                fallback={
                  <Loading label={t`Loading`}>
                    <SkeletonLines count={12} />
                  </Loading>
                }
              >
                <Compose key={messageId} message={message.data} />
              </Suspense>
            ) : (
              <>
                <MessageReportView message={message.data} onList={onAsk} />
                <Section title={t`What it says`}>
                  <MessagePreview content={message.data} />
                </Section>
              </>
            )}
          </>
        )}
      </div>
      {message.data && asked && <DeliveriesPanel messageId={messageId} asked={asked} onAsk={onAsk} onClose={() => onAsk(undefined)} />}
    </div>
  )
}

function OfAutomation({ automation: { id, name } }: { automation: NonNullable<Message['automation']> }) {
  return (
    <p className={classes['dim']}>
      <Trans>
        Sent by the automation{' '}
        <Link to="/communication/{-$tab}" params={{ tab: 'automations' }} search={{ automation: id }}>
          {name}
        </Link>{' '}
        to each person when their step comes.
      </Trans>
    </p>
  )
}

function Head({ message, onOpen }: { message: Message; onOpen: (messageId: string | undefined) => void }) {
  const { messages } = useApi().data.communication
  const changed = useMessagesChanged()
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (problem) {
      toast.error(t`That did not work`, problem)
    }
  }
  const input = { messageId: message.id }
  const sent = { context: { ifMatch: message.version } }
  const duplicate = () =>
    run(async () => {
      const copy = await messages.duplicate.call(input)
      await changed(copy)
      onOpen(copy.id)
      toast.success(t`A copy was made`)
    })
  const archive = () =>
    run(async () => {
      const archived = await messages.archive.call(input, sent)
      await changed(archived)
      toast.undo(t`${message.name} archived`, async () => {
        await changed(await messages.restore.call(input, { context: { ifMatch: archived.version } }))
      })
    })
  const restore = () => run(async () => changed(await messages.restore.call(input, sent)))
  const [removing, setRemoving] = useState(false)
  const remove = async () => {
    await messages.remove.call(input)
    onOpen(undefined)
    await changed()
    toast.success(t`Draft deleted`)
  }
  const mayArchive = !message.automation && !message.archivedAt && ['draft', 'sent', 'cancelled', 'failed'].includes(message.status)
  return (
    <div className={classes['headRow']}>
      <h2>{message.name}</h2>
      <MessageStatusBadge message={message} />
      <span className={classes['dim']}>
        {[placeOfMessage(message), message.topic?.name, message.createdBy].filter(Boolean).join(' · ')}
      </span>
      <span className={classes['spacer']} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="compact-md" leftSection={<IconDots size={16} stroke={1.5} aria-hidden />}>
            <Trans>More</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void duplicate()}>
            <Trans>Make a copy</Trans>
          </Menu.Item>
          {mayArchive && (
            <Menu.Item onClick={() => void archive()}>
              <Trans>Archive</Trans>
            </Menu.Item>
          )}
          {message.archivedAt && (
            <Menu.Item onClick={() => void restore()}>
              <Trans>Restore</Trans>
            </Menu.Item>
          )}
          {message.may.remove && (
            <Menu.Item color="red" onClick={() => setRemoving(true)}>
              <Trans>Delete this draft</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={removing}
        onClose={() => setRemoving(false)}
        title={t`Delete ${message.name}`}
        confirmLabel={<Trans>Delete this draft</Trans>}
        danger
        onConfirm={remove}
      >
        <p>{t`Nobody can bring it back. To keep it out of sight instead, archive it.`}</p>
      </ConfirmDialog>
    </div>
  )
}
