import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconBell } from '@tabler/icons-react'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { SkeletonLines } from '../../ui/page/skeletons.tsx'
import { notificationText } from './notification-text.ts'
import { useMarkRead, useNotifications } from './notifications-api.ts'
import classes from './notifications.module.css'

/** Newest first; opening one marks it as read. */
export function NotificationInbox({ onLeave }: { onLeave: () => void }) {
  const list = useNotifications()
  const mark = useMarkRead()
  const formats = useFormats()
  if (list.isPending) return <SkeletonLines count={4} />
  if (list.isError)
    return <ProblemState problem={list.error} title={t`Notifications could not be loaded`} retry={() => void list.refetch()} />
  const { items } = list.data
  const settings = (
    <AppLink href="/profile?section=notifications" onClick={onLeave}>
      <Trans>Notification settings</Trans>
    </AppLink>
  )
  if (items.length === 0)
    return (
      <EmptyState icon={<IconBell size={32} stroke={1.5} />} title={t`No notifications`} action={settings}>
        <Trans>Requests, answers and reminders for you show here.</Trans>
      </EmptyState>
    )
  return (
    <div className={classes['inbox']}>
      <div className={classes['head']}>
        <h2>
          <Trans>Notifications</Trans>
        </h2>
        <Button variant="subtle" size="compact-sm" disabled={items.every(({ readAt }) => readAt !== null)} onClick={() => mark.mutate({})}>
          <Trans>Mark all as read</Trans>
        </Button>
      </div>
      <ul className={classes['list']}>
        {items.map((item) => {
          const { text, href } = notificationText(item, formats)
          return (
            <li key={item.id} className={classes['item']} data-unread={item.readAt === null || undefined}>
              <AppLink
                href={href}
                onClick={() => {
                  if (item.readAt === null) mark.mutate({ ids: [item.id] })
                  onLeave()
                }}
              >
                {text}
              </AppLink>
              <span className={classes['when']}>
                {item.readAt === null && (
                  <>
                    <Trans>Unread</Trans>
                    {' · '}
                  </>
                )}
                <RelativeTime at={item.createdAt} />
              </span>
            </li>
          )
        })}
      </ul>
      <ShowMore query={list} />
      {settings}
    </div>
  )
}
