import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { plainTextOf } from '@guildhall/contract/formatted-document'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconPin, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { AnnouncementViewer } from './announcement-viewer.tsx'
import { PlaceOf } from './announcement-words.tsx'
import { useCurrent, useRead } from './announcements-api.ts'
import type { Announcement, ShownIn } from './announcements-api.ts'
import classes from './announcements.module.css'

/** At the top of home: what the reader has not read yet, and what is pinned. Absent where there is nothing. */
export function HomeAnnouncements() {
  const { data } = useCurrent()
  return (
    <Announcements
      items={data?.items ?? []}
      foot={
        <Link to="/communication/{-$tab}" params={{ tab: 'announcements' }}>
          <Trans>All announcements</Trans>
        </Link>
      }
      action={(announcement) => <Done announcement={announcement} />}
    />
  )
}

/** What is read stays only where it is pinned, and can be dismissed from then on. */
function Done({ announcement: { id, title, mine } }: { announcement: Announcement }) {
  const read = useRead()
  const [busy, setBusy] = useState(false)
  const note = async (dismissed: boolean) => {
    setBusy(true)
    try {
      await read(id, dismissed)
    } catch (problem) {
      toast.error(dismissed ? t`${title} could not be dismissed` : t`${title} could not be marked as read`, problem)
    } finally {
      setBusy(false)
    }
  }
  if (mine?.readAt === null)
    return (
      <Button data-below variant="default" size="xs" loading={busy} aria-label={t`Mark as read: ${title}`} onClick={() => void note(false)}>
        <Trans>Mark as read</Trans>
      </Button>
    )
  return (
    <Tooltip label={t`Dismiss`}>
      <ActionIcon variant="subtle" color="gray" loading={busy} aria-label={t`Dismiss ${title}`} onClick={() => void note(true)}>
        <IconX size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** On the page of a chapter or a group: what is announced there right now. Absent where there is nothing. */
export const PlaceAnnouncements = (place: ShownIn) => <Announcements here items={useCurrent(place).data?.items ?? []} />

type Props = {
  items: readonly Announcement[]
  /** On the page of the place itself, which nobody has to be told. */
  here?: boolean
  foot?: ReactNode
  action?: (announcement: Announcement) => ReactNode
}

function Announcements({ items, here = false, foot, action }: Props) {
  // What was opened stays open, also when it is unread no more and leaves the list for that.
  const [opened, setOpened] = useState<{ id: string; title: string } | undefined>()
  return (
    <>
      {items.length > 0 && (
        <Section title={t`Announcements`}>
          <div className={classes['block']}>
            <ul className={classes['list']}>
              {items.map((announcement) => {
                const { id, title, body, pinned, startsAt, mine } = announcement
                const text = plainTextOf(body).replaceAll(/\s+/g, ' ')
                return (
                  <li key={id} className={classes['item']}>
                    <div className={classes['what']}>
                      <span className={classes['head']}>
                        {pinned && <IconPin size={16} aria-label={t`Pinned`} role="img" />}
                        <button type="button" className={classes['title']} onClick={() => setOpened({ id, title })}>
                          {title}
                        </button>
                        {mine?.readAt === null && <StatusBadge tone="accent">{t`New`}</StatusBadge>}
                      </span>
                      {text && <p className={classes['excerpt']}>{text}</p>}
                      <span className={classes['minor']}>
                        {!here && <PlaceOf row={announcement} />}
                        {startsAt && <RelativeTime at={startsAt} />}
                      </span>
                    </div>
                    {action?.(announcement)}
                  </li>
                )
              })}
            </ul>
            {foot && <div className={classes['foot']}>{foot}</div>}
          </div>
        </Section>
      )}
      <AnnouncementViewer id={opened?.id} title={opened?.title ?? ''} onClose={() => setOpened(undefined)} />
    </>
  )
}
