import type { Notification } from '@guildhall/contract/features/notifications'
import type { Texts } from '../../platform/texts/texts.ts'
import { metricNotice, troubleNotice } from './notifications.connections.rules.ts'

const discussionOf = (group: Notification['group']) => (group ? `/groups/${group.id}?view=discussion` : '/groups')

const relationshipsOf = (person: Notification['person']) => (person ? `/person/${person.id}/relationships` : '/')

/** What a mail says of a notification, and where it leads. The web app has its own texts for the same kinds. */
export function noticeOf(i18n: Texts, notification: Notification): { text: string; path: string } {
  const { kind, person, group, chapter, recordId, params } = notification
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
    case 'membership-request':
      return {
        text: i18n._('{name} applies for membership in {chapter}.', { name, chapter: chapter?.name ?? i18n._('the organisation') }),
        path: chapter ? `/chapter/${chapter.id}/members/requests` : '/',
      }
    case 'transfer-request':
      return {
        text: i18n._('{name} asks for a transfer to {chapter}.', { name, chapter: chapter?.name ?? i18n._('a chapter') }),
        path: chapter ? `/chapter/${chapter.id}/members/transfers` : '/',
      }
    case 'transfer-answer':
      return {
        text: transferText(i18n, name, chapter?.name ?? i18n._('a chapter'), params),
        path: person ? `/person/${person.id}/memberships` : '/',
      }
    case 'relationship-request':
      return {
        text: i18n._('{name}: a relationship waits for your answer ({title}).', { name, title: params.title ?? '' }),
        path: relationshipsOf(person),
      }
    case 'relationship-answer':
      return {
        text:
          params.outcome === 'approved'
            ? i18n._('The relationship with {name} that you proposed was approved ({title}).', { name, title: params.title ?? '' })
            : i18n._('The relationship with {name} that you proposed was rejected ({title}).', { name, title: params.title ?? '' }),
        path: relationshipsOf(person),
      }
    case 'relationship-majority':
      return {
        text: i18n._('The relationship with {name} ({title}) ends on {date}, at the age of majority.', {
          name,
          title: params.title ?? '',
          date: params.on ? i18n.date(params.on) : '',
        }),
        path: relationshipsOf(person),
      }
    case 'membership-ended':
      return {
        text: i18n._('The membership of {name} ends on {date}. Its unpaid renewal is void.', {
          name,
          date: params.on ? i18n.date(params.on) : '',
        }),
        path: person ? `/person/${person.id}/memberships` : '/',
      }
    case 'follow-up':
      return {
        text: i18n._('Follow-up about {name}: {title}', { name, title: params.title ?? '' }),
        path: person ? `/person/${person.id}` : '/',
      }
    case 'message-review':
      return {
        text: i18n._('The message “{title}” waits for your approval.', { title: params.title ?? '' }),
        path: '/communication/emails',
      }
    case 'message-answer':
      return {
        text:
          params.outcome === 'approved'
            ? i18n._('{name} approved your message “{title}”.', { name, title: params.title ?? '' })
            : i18n._('{name} declined your message “{title}”.', { name, title: params.title ?? '' }),
        path: '/communication/emails',
      }
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
    case 'bank-account-changed':
      return {
        text: i18n._('{name} changed the bank account that invoices are paid to. Check that the new one is right.', { name }),
        path: '/account-management/payments',
      }
    case 'event-registration':
    case 'event-message':
      return { text: eventText(i18n, params), path: recordId === null ? '/events' : `/event/${recordId}` }
    case 'mail-complaints': {
      const { level, complaints = 0, mails = 0 } = params
      const values = { complaints, mails }
      return {
        text:
          level === 'pause'
            ? i18n._('Messages were paused: {complaints} of {mails} recipients of the last 7 days reported your mail as spam.', values)
            : i18n._('{complaints} of {mails} recipients of the last 7 days reported your mail as spam.', values),
        path: '/communication/deliverability',
      }
    }
    case 'connection-trouble':
      return troubleNotice(i18n, notification)
    case 'connection-metric':
      return metricNotice(i18n, notification)
    case 'key-expiring':
      return {
        text: i18n._('The API key {title} expires on {date}. Create a new one before the programs that use it stop.', {
          title: params.title ?? '',
          date: params.on ? i18n.date(params.on) : '',
        }),
        path: `/account-management/api${recordId === null ? '' : `?key=${recordId}`}`,
      }
    case 'webhook-failing':
      return {
        text: i18n._('The webhook {title} was paused: its address has accepted nothing for three days.', { title: params.title ?? '' }),
        path: `/account-management/webhooks${recordId === null ? '' : `?webhook=${recordId}`}`,
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

function transferText(i18n: Texts, name: string, chapter: string, { outcome, on }: Notification['params']): string {
  const values = { name, chapter, date: on ? i18n.date(on) : '' }
  switch (outcome) {
    case 'approved':
      return i18n._('The transfer of {name} to {chapter} was approved. It takes place on {date}.', values)
    case 'rejected':
      return i18n._('The transfer of {name} to {chapter} was rejected.', values)
    case 'withdrawn':
      return i18n._('The transfer of {name} to {chapter} was withdrawn.', values)
    default:
      return i18n._('{name} is a member of {chapter} from {date}.', values)
  }
}

function eventText(i18n: Texts, { title = '', news = 'message' }: Notification['params']): string {
  switch (news) {
    case 'requested':
      return i18n._('Your registration for {title} is awaiting approval.', { title })
    case 'confirmed':
      return i18n._('You are registered for {title}.', { title })
    case 'payment':
      return i18n._('Pay to confirm your registration for {title}.', { title })
    case 'waiting':
      return i18n._('You are on the waiting list for {title}.', { title })
    case 'offered':
      return i18n._('A place at {title} is offered to you.', { title })
    case 'offer_expired':
      return i18n._('The place at {title} that was offered to you has expired.', { title })
    case 'hold_expired':
      return i18n._('Your place at {title} was released because it was not paid in time.', { title })
    case 'rejected':
      return i18n._('Your registration for {title} was declined.', { title })
    case 'cancelled':
      return i18n._('Your registration for {title} was cancelled.', { title })
    case 'received':
      return i18n._('A ticket for {title} was transferred to you.', { title })
    case 'handed_over':
      return i18n._('Your ticket for {title} was transferred.', { title })
    case 'message':
      return i18n._('The organisers of {title} sent you a message.', { title })
    case 'changed':
      return i18n._('{title} has changed.', { title })
    case 'event_cancelled':
      return i18n._('{title} was cancelled.', { title })
    case 'reminder':
      return i18n._('{title} takes place soon.', { title })
    case 'survey':
      return i18n._('How was {title}? Answer a short survey.', { title })
    case 'invited':
      return i18n._('You are invited to {title}.', { title })
  }
}
