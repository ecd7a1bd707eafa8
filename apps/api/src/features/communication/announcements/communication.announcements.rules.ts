import type { Announcement, AnnouncementChange } from '@guildhall/contract/features/communication.announcements'
import { fault, problem } from '../../../platform/procedures/problem.ts'

type Before = Pick<Announcement, 'state' | 'startsAt' | 'endsAt' | 'publishedAt' | 'chapter' | 'group'>

/** Refuses a change after which the announcement would contradict itself. */
export function checkChange(before: Before, change: AnnouncementChange): void {
  if (before.state === 'archived')
    throw problem('CONFLICT', { reason: 'announcement_archived', detail: 'An archived announcement is not changed. Restore it first.' })
  const startsAt = change.startsAt === undefined ? before.startsAt : change.startsAt
  const endsAt = change.endsAt === undefined ? before.endsAt : change.endsAt
  const chapter = change.chapterId === undefined ? before.chapter : change.chapterId
  const group = change.groupId === undefined ? before.group : change.groupId
  if (before.publishedAt && startsAt === null)
    throw problem('UNPROCESSABLE_CONTENT', fault('startsAt', 'announcement_starts', 'A published announcement needs a start.'))
  if (startsAt && endsAt && Date.parse(endsAt) <= Date.parse(startsAt)) throw problem('UNPROCESSABLE_CONTENT', endsFault)
  if (chapter && group)
    throw problem('UNPROCESSABLE_CONTENT', fault('groupId', 'announcement_place', 'Choose a chapter or a group, not both.'))
}

/** From when an announcement is shown that is published now: null for this moment. */
export function startOf(before: Before, wanted: string | null | undefined, now: number): string | null {
  if (before.state === 'archived')
    throw problem('CONFLICT', { reason: 'announcement_archived', detail: 'An archived announcement is not published. Restore it first.' })
  if (before.state !== 'draft' && before.state !== 'scheduled')
    throw problem('CONFLICT', { reason: 'announcement_published', detail: 'This announcement is published already.' })
  const asked = wanted === undefined ? before.startsAt : wanted
  const startsAt = asked !== null && Date.parse(asked) > now ? asked : null
  if (before.endsAt && Date.parse(before.endsAt) <= (startsAt ? Date.parse(startsAt) : now))
    throw problem('UNPROCESSABLE_CONTENT', endsFault)
  return startsAt
}

const endsFault = fault('endsAt', 'announcement_ends', 'Choose an end that is after the start and in the future.')
