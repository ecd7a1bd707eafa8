import { textLength } from '@guildhall/contract/formatted-document'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { FormattedText } from '../../../platform/formatted-text/formatted-text.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { useZoneTimes } from '../../../ui/display/zone-times.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { AnnouncementActions } from './announcement-actions.tsx'
import { audienceWords, PlaceOf, StateBadge } from './announcement-words.tsx'
import { useAnnouncement, useRead } from './announcements-api.ts'
import type { Announcement } from './announcements-api.ts'
import classes from './announcements.module.css'

type Props = {
  /** Which one; nothing is open without. */
  id: string | undefined
  title: string
  onClose: () => void
  onEdit?: (announcement: Announcement) => void
}

/** An announcement with its full text, which counts as read from then on. */
export function AnnouncementViewer({ id, title, onClose, onEdit }: Props) {
  const query = useAnnouncement(id)
  return (
    <Dialog opened={id !== undefined} onClose={onClose} title={query.data?.title ?? title} size="lg">
      {query.isPending && (
        <Loading label={t`Loading the announcement`}>
          <SkeletonLines count={5} />
        </Loading>
      )}
      {query.isError && !query.data && (
        <ProblemState problem={query.error} title={t`The announcement could not be loaded`} retry={() => void query.refetch()} />
      )}
      {query.data && <Shown announcement={query.data} onEdit={onEdit} />}
    </Dialog>
  )
}

function Shown({ announcement, onEdit }: { announcement: Announcement; onEdit: Props['onEdit'] }) {
  const { id, mine, body, author, state, scope, audience, startsAt, endsAt, readers, reached } = announcement
  const momentText = useZoneTimes()
  const read = useRead()
  const unread = mine !== null && mine.readAt === null
  const note = useEffectEvent(() => void read(id).catch(() => undefined))
  useEffect(() => {
    if (unread) note()
  }, [id, unread])
  return (
    <div className={classes['shown']}>
      <p className={classes['minor']}>
        {state !== 'shown' && <StateBadge state={state} />}
        <span>
          <PlaceOf row={announcement} /> · {audienceWords(scope)[audience]}
        </span>
        {author && (
          <span>
            <Trans>
              By <PersonLink person={author} />
            </Trans>
          </span>
        )}
        {(startsAt ?? endsAt) && <span>{spanText(startsAt, endsAt, (at) => momentText(new Date(at)))}</span>}
      </p>
      {textLength(body) > 0 ? <FormattedText document={body} /> : <p className={classes['none']}>{t`This announcement has no text.`}</p>}
      {readers !== null && reached !== null && state !== 'draft' && state !== 'scheduled' && (
        <p className={classes['none']}>
          <Plural value={reached} one={`Read by ${readers} of # account`} other={`Read by ${readers} of # accounts`} />
        </p>
      )}
      {readers !== null && reached !== null && (state === 'draft' || state === 'scheduled') && (
        <p className={classes['none']}>
          <Plural value={reached} one="Addressed to # account" other="Addressed to # accounts" />
        </p>
      )}
      {onEdit && <AnnouncementActions announcement={announcement} onEdit={onEdit} />}
    </div>
  )
}

function spanText(startsAt: string | null, endsAt: string | null, text: (at: string) => string): string {
  if (!endsAt) return startsAt ? t`From ${text(startsAt)}` : ''
  return startsAt ? t`From ${text(startsAt)} until ${text(endsAt)}` : t`Until ${text(endsAt)}`
}
