import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useAnnouncementsChanged } from './announcements-api.ts'
import type { Announcement } from './announcements-api.ts'
import classes from './announcements.module.css'

type Props = { announcement: Announcement; onEdit: (announcement: Announcement) => void }

/** What those who look after an announcement do with it as it is. */
export function AnnouncementActions({ announcement, onEdit }: Props) {
  const { id: announcementId, title, state, may, startsAt, version } = announcement
  const api = useApi().data.communication.announcements
  const changed = useAnnouncementsChanged()
  const [busy, setBusy] = useState(false)
  const sent = { context: { ifMatch: version } }
  const run = async (work: () => Promise<Announcement>, done: (now: Announcement) => void) => {
    setBusy(true)
    try {
      done(await work())
    } catch (problem) {
      toast.error(t`${title} could not be changed`, problem)
    } finally {
      await changed()
      setBusy(false)
    }
  }
  const later = startsAt !== null && Date.parse(startsAt) > Date.now()
  const archive = () =>
    run(
      () => api.archive.call({ announcementId }, sent),
      ({ version: archived }) =>
        toast.undo(t`${title} archived`, async () => {
          await api.restore.call({ announcementId }, { context: { ifMatch: archived } })
          await changed()
        }),
    )
  if (!may.edit && !may.publish) return null
  return (
    <div className={classes['actions']}>
      {may.publish && state === 'draft' && later && (
        <Button
          loading={busy}
          onClick={() =>
            void run(
              () => api.publish.call({ announcementId }, sent),
              () => toast.success(t`${title} scheduled`),
            )
          }
        >
          <Trans>Schedule</Trans>
        </Button>
      )}
      {may.publish && (state === 'draft' || state === 'scheduled') && (
        <Button
          loading={busy}
          variant={later ? 'default' : 'filled'}
          onClick={() =>
            void run(
              () => api.publish.call({ announcementId, startsAt: null }, sent),
              () => toast.success(t`${title} published`),
            )
          }
        >
          <Trans>Publish now</Trans>
        </Button>
      )}
      {may.publish && state === 'scheduled' && (
        <Button
          loading={busy}
          variant="default"
          onClick={() =>
            void run(
              () => api.unpublish.call({ announcementId }, sent),
              () => toast.success(t`${title} is a draft again`),
            )
          }
        >
          <Trans>Back to draft</Trans>
        </Button>
      )}
      {may.publish && state === 'shown' && (
        <Button
          loading={busy}
          variant="default"
          onClick={() =>
            void run(
              () => api.end.call({ announcementId }, sent),
              () => toast.success(t`${title} ended`),
            )
          }
        >
          <Trans>End now</Trans>
        </Button>
      )}
      {may.edit && state !== 'archived' && (
        <Button variant="default" onClick={() => onEdit(announcement)}>
          <Trans>Edit</Trans>
        </Button>
      )}
      {may.edit && state !== 'archived' && (
        <Button loading={busy} variant="subtle" onClick={() => void archive()}>
          <Trans>Archive</Trans>
        </Button>
      )}
      {may.edit && state === 'archived' && (
        <Button
          loading={busy}
          variant="default"
          onClick={() =>
            void run(
              () => api.restore.call({ announcementId }, sent),
              () => toast.success(t`${title} restored`),
            )
          }
        >
          <Trans>Restore</Trans>
        </Button>
      )}
    </div>
  )
}
