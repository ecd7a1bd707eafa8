import type { announcements } from '@guildhall/contract/features/communication.announcements'
import { documentOf } from '@guildhall/contract/formatted-document'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const announcementRights = {
  seeAnnouncements: right(
    'See announcements of a chapter',
    `                west below east
     former          x   -    -
     member          x   -    -
     leader          -   -    x
     officer         x   x    -
     safeguarding    x   -    -
     communications  x   x    x
     admin           x   x    x
     owner           x   x    x`,
  ),
  haveAnnouncementsRead: right(
    'Have announcements addressed to them',
    `                west below east
     former          x   -    -
     member          x   -    -
     leader          -   -    x
     officer         x   -    -
     safeguarding    x   -    -`,
  ),
  writeAnnouncements: right(
    'Draft, publish, end and archive announcements, and see how many read them',
    `                west below east org
     officer         x    x     -    -
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { seeAnnouncements, haveAnnouncementsRead, writeAnnouncements } = announcementRights

export const announcementKinds = { announcement: seeAnnouncements, draftAnnouncement: writeAnnouncements }

export const announcementRows: AreaRows = async ({ add, orgId, chapterId, canary }) => {
  const made = (kind: 'announcement' | 'draftAnnouncement', more: Record<string, unknown>) =>
    add('announcements', { org_id: orgId, chapter_id: chapterId, title: canary(kind), body: documentOf(canary(kind)), ...more })
  const shown = { published_at: '2026-01-01T00:00:00Z', starts_at: '2026-01-01T00:00:00Z' }
  return {
    announcementId: await made('announcement', shown),
    draftAnnouncementId: await made('draftAnnouncement', {}),
    scheduledAnnouncementId: await made('draftAnnouncement', { ...shown, starts_at: '2099-01-01T00:00:00Z' }),
    archivedAnnouncementId: await made('draftAnnouncement', { ...shown, archived_at: '2026-02-01T00:00:00Z' }),
  }
}

const draft = { announcementId: 'draftAnnouncementId' }

export const announcementsPolicy: PolicyOf<typeof announcements> = {
  list: may(rights.account, { shows: ['announcement', 'draftAnnouncement'] }),
  current: may(rights.account),
  reach: may(writeAnnouncements, { send: { chapterId: '$chapterId', audience: 'members' } }),
  get: may(seeAnnouncements, { shows: ['announcement'] }),
  create: may(writeAnnouncements, { send: { title: 'New', chapterId: '$chapterId' } }),
  update: may(writeAnnouncements, { send: { pinned: true } }),
  publish: may(writeAnnouncements, { ids: draft, shows: ['draftAnnouncement'] }),
  unpublish: may(writeAnnouncements, { ids: { announcementId: 'scheduledAnnouncementId' } }),
  end: may(writeAnnouncements),
  archive: may(writeAnnouncements),
  restore: may(writeAnnouncements, { ids: { announcementId: 'archivedAnnouncementId' } }),
  read: may(haveAnnouncementsRead),
}
