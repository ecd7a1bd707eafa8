import { SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { AnswerQueue } from '../../platform/activity/answer-queue.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useMessages } from './account-api.ts'
import type { ContactMessage } from './account-api.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './account.module.css'
import { mailLink } from '../../ui/display/contact-links.ts'

const replyTo = ({ email, topic, reference }: ContactMessage) => mailLink(email, `Re: ${topic} (${reference})`)

/** What came in through the public contact page. */
export function RequestsTab() {
  const [handled, setHandled] = useState(false)
  const messages = useMessages(handled)
  const api = useApi()
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: api.data.site.key() })
  const items = messages.data?.items ?? []
  return (
    <div className={classes['stack']}>
      <div>
        <SegmentedControl
          aria-label={t`Show`}
          value={handled ? 'handled' : 'open'}
          onChange={(value) => setHandled(value === 'handled')}
          data={[
            { value: 'open', label: t`Open` },
            { value: 'handled', label: t`Handled` },
          ]}
        />
      </div>
      {messages.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {messages.isError && (
        <ProblemState problem={messages.error} title={t`The messages could not be loaded`} retry={() => void messages.refetch()} />
      )}
      {messages.isSuccess && items.length === 0 && (
        <EmptyState icon={<IconMail size={32} stroke={1.5} />} title={handled ? t`Nothing was handled yet` : t`No message waits`}>
          <Trans>Messages from the contact page land here and are announced by mail.</Trans>
        </EmptyState>
      )}
      <AnswerQueue
        key={String(handled)}
        label={t`Messages`}
        className={classes['list']}
        rows={items}
        rowId={({ id }) => id}
        onOpen={(message) => location.assign(replyTo(message))}
        answers={({ id, reference }) => [
          {
            label: handled ? t`Open again` : t`Mark as handled`,
            name: handled ? t`Open ${reference} again` : t`Mark ${reference} as handled`,
            outcome: handled ? t`${reference} is open again` : t`${reference} is handled`,
            run: (context) => api.data.site.messages.update.call({ messageId: id, handled: !handled }, { context }).then(refresh),
            failed: t`The message could not be marked.`,
          },
        ]}
      >
        {(message, tools) => (
          <div className={classes['item']}>
            <div className={classes['words']}>
              <strong>{message.topic}</strong>{' '}
              <span className={classes['minor']}>
                {message.reference} · {message.name} · <a href={replyTo(message)}>{message.email}</a> ·{' '}
                <RelativeTime at={message.createdAt} />
              </span>
              <p className={classes['message']}>{message.message}</p>
            </div>
            {tools}
          </div>
        )}
      </AnswerQueue>
      <ShowMore query={messages} />
    </div>
  )
}
