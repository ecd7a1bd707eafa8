import { ActionIcon, Indicator, Popover } from '@mantine/core'
import '@mantine/core/styles/Indicator.css'
import { plural, t } from '@lingui/core/macro'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useUnread } from './notifications-api.ts'

const Inbox = lazy(async () => ({ default: (await import('./notification-inbox.tsx')).NotificationInbox }))

/** In the header of every page; the number follows the server by itself. */
export function NotificationBell() {
  const unread = useUnread()
  const [opened, setOpened] = useState(false)
  return (
    <Popover position="bottom-end" width={380} opened={opened} onChange={setOpened} trapFocus returnFocus>
      <Indicator disabled={unread === 0} color="brand" size={18} offset={6} label={unread > 99 ? '99+' : unread}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={
              unread === 0 ? t`Notifications` : plural(unread, { one: 'Notifications, # unread', other: 'Notifications, # unread' })
            }
            onClick={() => setOpened(!opened)}
          >
            <IconBell size={20} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>
        <Suspense fallback={<SkeletonLines count={4} />}>
          <Inbox onLeave={() => setOpened(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
