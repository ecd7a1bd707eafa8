import { Button, SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../platform/api.tsx'
import { ProblemState } from '../../platform/problem-state.tsx'
import { toast } from '../../platform/toast.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Loading, SkeletonLines } from '../../ui/skeletons.tsx'
import { useMessages } from './account-api.ts'
import type { ContactMessage } from './account-api.ts'
import classes from './account.module.css'

/** What came in through the public contact page. */
export function RequestsTab() {
  const [handled, setHandled] = useState(false)
  const messages = useMessages(handled)
  const api = useApi()
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: api.data.site.key() })
  const mark = async ({ id, reference }: ContactMessage) => {
    try {
      await api.data.site.messages.update.call({ messageId: id, handled: !handled })
      await refresh()
      toast.undo(handled ? t`${reference} is open again` : t`${reference} is handled`, async () => {
        await api.data.site.messages.update.call({ messageId: id, handled })
        await refresh()
      })
    } catch (failure) {
      toast.error(t`The message could not be marked.`, failure)
    }
  }
  const items = messages.data?.pages.flatMap((page) => page.items) ?? []
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
      <ul className={classes['list']}>
        {items.map((message) => (
          <li key={message.id} className={classes['item']}>
            <div className={classes['words']}>
              <strong>{message.topic}</strong>{' '}
              <span className={classes['minor']}>
                {message.reference} · {message.name} ·{' '}
                <a href={`mailto:${message.email}?subject=${encodeURIComponent(`Re: ${message.topic} (${message.reference})`)}`}>
                  {message.email}
                </a>{' '}
                · <RelativeTime at={message.createdAt} />
              </span>
              <p className={classes['message']}>{message.message}</p>
            </div>
            <Button size="compact-sm" variant="default" onClick={() => void mark(message)}>
              {handled ? <Trans>Open again</Trans> : <Trans>Mark as handled</Trans>}
            </Button>
          </li>
        ))}
      </ul>
      {messages.hasNextPage && (
        <Button variant="subtle" loading={messages.isFetchingNextPage} onClick={() => void messages.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  )
}
