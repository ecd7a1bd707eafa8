import { Button } from '@mantine/core'
import type { EventMessage } from '@guildhall/contract/features/events'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import type { Event } from '../events-api.ts'
import { AutomaticMails } from './automatic-mails.tsx'
import { MessageDialog } from './message-dialog.tsx'
import { audienceWords, kindWords, outcomeTexts, stateWords } from './messages-words.ts'
import classes from './messages.module.css'

/** What was sent to those who registered, what is to be sent, and the automatic mails; for those who run the event. */
export function MessagesSection({ event }: { event: Event }) {
  const { messages } = useApi().data.events
  const [writing, setWriting] = useState(false)
  const list = useInfiniteQuery(pagedOptions(messages.list, { eventId: event.id, limit: 50 }))
  const items = list.data?.items ?? []
  const canWrite = event.status !== 'archived'
  return (
    <div className={classes['stack']}>
      <Section
        title={t`Messages`}
        actions={
          canWrite && (
            <Button size="compact-md" onClick={() => setWriting(true)}>
              <Trans>New message</Trans>
            </Button>
          )
        }
      >
        {list.isPending && (
          <Loading label={t`Loading messages`}>
            <SkeletonLines />
          </Loading>
        )}
        {list.isError && (
          <ProblemState problem={list.error} title={t`The messages could not be loaded`} retry={() => void list.refetch()} />
        )}
        {list.isSuccess && items.length === 0 && (
          <EmptyState title={t`No messages yet`} level={3}>
            {canWrite ? t`Write to everybody who registered, or to some of them.` : t`Nothing was sent.`}
          </EmptyState>
        )}
        {items.length > 0 && (
          <ul className={classes['rows']}>
            {items.map((message) => (
              <MessageRow key={message.id} message={message} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button variant="default" size="compact-md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </Section>
      <AutomaticMails event={event} />
      <MessageDialog event={event} opened={writing} onClose={() => setWriting(false)} />
    </div>
  )
}

function MessageRow({ message }: { message: EventMessage }) {
  const { messages } = useApi().data.events
  const cache = useQueryClient()
  const { label, tone } = stateWords()[message.state]
  const isWritten = message.kind === 'message'
  const withdraw = async () => {
    try {
      await messages.withdraw.call({ messageId: message.id })
      toast.success(t`Message withdrawn`)
    } catch (problem) {
      toast.error(t`This message could not be withdrawn`, problem)
    }
    await cache.invalidateQueries({ queryKey: messages.list.key() })
  }
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <span className={classes['name']}>{message.kind === 'message' ? message.subject : kindWords()[message.kind]}</span>
        <span className={classes['dim']}>
          {[audienceWords()[message.audience], message.ticketType?.name, message.by].filter(Boolean).join(' · ')} ·{' '}
          <RelativeTime at={message.sentAt ?? message.sendAt} />
        </span>
        {message.recipients > 0 && (
          <span className={classes['dim']}>
            <Plural value={message.recipients} one="# recipient" other="# recipients" />
            {outcomeTexts(message.outcomes).map((text) => (
              <span key={text}> · {text}</span>
            ))}
          </span>
        )}
      </div>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {isWritten && message.state === 'waiting' && (
        <Button variant="default" size="compact-md" onClick={() => void withdraw()}>
          <Trans>Withdraw</Trans>
        </Button>
      )}
    </li>
  )
}
