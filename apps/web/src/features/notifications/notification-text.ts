import type { Notification, NotificationKindName } from '@guildhall/contract/features/notifications'
import { t } from '@lingui/core/macro'
import type { useFormats } from '../../ui/display/dates.tsx'

const discussionOf = (group: Notification['group']) => (group ? `/groups/${group.id}?view=discussion` : '/groups')

type Said = { text: string; href: string }

/** What a notification says and where it leads; names that the reader may not see are left out by the server. */
export function notificationText(
  { kind, person, group, chapter, params }: Notification,
  { day: written }: Pick<ReturnType<typeof useFormats>, 'day'>,
): Said {
  const name = person?.displayName ?? t`Someone`
  const groupName = group?.name ?? t`a group`
  const chapterName = chapter?.name ?? t`a chapter`
  const { title = '', file = '' } = params
  switch (kind) {
    case 'group-request':
      return { text: t`${name} asks to join ${groupName}`, href: group ? `/groups/${group.id}?view=members&status=requested` : '/groups' }
    case 'group-answer':
      return {
        text:
          params.outcome === 'admitted'
            ? t`Your request to join ${groupName} was approved`
            : t`Your request to join ${groupName} was declined`,
        href: group ? `/groups/${group.id}` : '/groups',
      }
    case 'comment-mention':
      return { text: t`${name} mentioned you in the discussion of ${groupName}`, href: discussionOf(group) }
    case 'comment-reply':
      return { text: t`${name} replied to your comment in ${groupName}`, href: discussionOf(group) }
    case 'note-mention':
      return { text: t`You are mentioned in a note about ${name}`, href: person ? `/person/${person.id}` : '/' }
    case 'term-ending': {
      const day = params.on ? written(params.on) : ''
      return {
        text: t`The term of ${name} as ${title} in ${chapterName} ends on ${day}`,
        href: chapter ? `/chapter/${chapter.id}/officers` : '/',
      }
    }
    case 'import-finished':
      return {
        text: params.outcome === 'failed' ? t`Your import of ${file} stopped` : t`Your import of ${file} has finished`,
        href: '/account-management/imports',
      }
  }
}

/** What a kind is called among the preferences. */
export const kindWords = (): Record<NotificationKindName, string> => ({
  'group-request': t`Requests to join groups you lead`,
  'group-answer': t`Answers to your requests to join`,
  'comment-mention': t`Mentions of you in discussions`,
  'comment-reply': t`Replies to your comments`,
  'note-mention': t`Mentions of you in notes`,
  'term-ending': t`Terms of office that end within 30 days`,
  'import-finished': t`Your imports`,
})
