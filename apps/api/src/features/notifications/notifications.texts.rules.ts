import type { Notification } from '@guildhall/contract/features/notifications'
import type { Texts } from '../../platform/texts/texts.ts'

const discussionOf = (group: Notification['group']) => (group ? `/groups/${group.id}?view=discussion` : '/groups')

/** What a mail says of a notification, and where it leads. The web app has its own texts for the same kinds. */
export function noticeOf(i18n: Texts, { kind, person, group, chapter, params }: Notification): { text: string; path: string } {
  const name = person?.displayName ?? i18n._('Someone')
  const groupName = group?.name ?? i18n._('a group')
  switch (kind) {
    case 'group-request':
      return {
        text: i18n._('{name} asks to join {group}.', { name, group: groupName }),
        path: group ? `/groups/${group.id}?view=members&status=requested` : '/',
      }
    case 'group-answer':
      return {
        text:
          params.outcome === 'admitted'
            ? i18n._('Your request to join {group} was approved.', { group: groupName })
            : i18n._('Your request to join {group} was declined.', { group: groupName }),
        path: group ? `/groups/${group.id}` : '/groups',
      }
    case 'comment-mention':
      return {
        text: i18n._('{name} mentioned you in the discussion of {group}.', { name, group: groupName }),
        path: discussionOf(group),
      }
    case 'comment-reply':
      return { text: i18n._('{name} replied to your comment in {group}.', { name, group: groupName }), path: discussionOf(group) }
    case 'note-mention':
      return { text: i18n._('You are mentioned in a note about {name}.', { name }), path: person ? `/person/${person.id}` : '/' }
    case 'term-ending':
      return {
        text: i18n._('The term of {name} as {title} in {chapter} ends on {date}.', {
          name,
          title: params.title ?? '',
          chapter: chapter?.name ?? i18n._('a chapter'),
          date: params.on ? i18n.date(params.on) : '',
        }),
        path: chapter ? `/chapter/${chapter.id}/officers` : '/',
      }
    case 'import-finished':
      return {
        text:
          params.outcome === 'failed'
            ? i18n._('Your import of {file} stopped.', { file: params.file ?? '' })
            : i18n._('Your import of {file} has finished.', { file: params.file ?? '' }),
        path: '/account-management/imports',
      }
  }
}
