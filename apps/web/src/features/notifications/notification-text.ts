import type { Notification, NotificationKindName } from '@guildhall/contract/features/notifications'
import { t } from '@lingui/core/macro'
import type { useFormats } from '../../ui/display/dates.tsx'
import { connectionNotice } from '../integrations/metrics/metric-words-public.ts'

const discussionOf = (group: Notification['group']) => (group ? `/groups/${group.id}?view=discussion` : '/groups')

const relationshipsOf = (person: Notification['person']) => (person ? `/person/${person.id}/relationships` : '/')

type Formats = Pick<ReturnType<typeof useFormats>, 'day' | 'number'>
type Said = { text: string; href: string }

/** What a notification says and where it leads; names that the reader may not see are left out by the server. */
export function notificationText({ kind, person, group, chapter, recordId, params }: Notification, formats: Formats): Said {
  const { day: written } = formats
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
    case 'membership-request':
      return {
        text: chapter ? t`${name} applies for membership in ${chapterName}` : t`${name} applies for membership`,
        href: chapter ? `/chapter/${chapter.id}/members/requests` : '/',
      }
    case 'transfer-request':
      return { text: t`${name} asks for a transfer to ${chapterName}`, href: chapter ? `/chapter/${chapter.id}/members/transfers` : '/' }
    case 'transfer-answer': {
      const day = params.on ? written(params.on) : ''
      const said = {
        approved: t`The transfer of ${name} to ${chapterName} was approved. It takes place on ${day}`,
        rejected: t`The transfer of ${name} to ${chapterName} was rejected`,
        withdrawn: t`The transfer of ${name} to ${chapterName} was withdrawn`,
        completed: t`${name} is a member of ${chapterName} from ${day}`,
      }
      const outcome =
        params.outcome === 'approved' || params.outcome === 'rejected' || params.outcome === 'withdrawn' ? params.outcome : 'completed'
      return { text: said[outcome], href: person ? `/person/${person.id}/memberships` : '/' }
    }
    case 'relationship-request':
      return { text: t`${name}: a relationship waits for your answer (${title})`, href: relationshipsOf(person) }
    case 'relationship-answer':
      return {
        text:
          params.outcome === 'approved'
            ? t`The relationship with ${name} that you proposed was approved (${title})`
            : t`The relationship with ${name} that you proposed was rejected (${title})`,
        href: relationshipsOf(person),
      }
    case 'relationship-majority': {
      const day = params.on ? written(params.on) : ''
      return { text: t`The relationship with ${name} (${title}) ends on ${day}, at the age of majority`, href: relationshipsOf(person) }
    }
    case 'membership-ended': {
      const day = params.on ? written(params.on) : ''
      return {
        text: t`The membership of ${name} ends on ${day}. Its unpaid renewal is void`,
        href: person ? `/person/${person.id}/memberships` : '/',
      }
    }
    case 'follow-up':
      return { text: t`Follow-up about ${name}: ${title}`, href: person ? `/person/${person.id}` : '/' }
    case 'message-review':
      return { text: t`The message “${title}” waits for your approval`, href: '/communication/emails' }
    case 'message-answer':
      return {
        text: params.outcome === 'approved' ? t`${name} approved your message “${title}”` : t`${name} declined your message “${title}”`,
        href: '/communication/emails',
      }
    case 'term-ending': {
      const day = params.on ? written(params.on) : ''
      return {
        text: t`The term of ${name} as ${title} in ${chapterName} ends on ${day}`,
        href: chapter ? `/chapter/${chapter.id}/officers` : '/',
      }
    }
    case 'bank-account-changed':
      return {
        text: t`${name} changed the bank account that invoices are paid to. Check that the new one is right`,
        href: '/account-management/payments',
      }
    case 'event-registration':
    case 'event-message':
      return { text: eventText(title, params.news ?? 'message'), href: recordId === null ? '/events' : `/event/${recordId}` }
    case 'mail-complaints': {
      const { complaints = 0, mails = 0 } = params
      return {
        text:
          params.level === 'pause'
            ? t`Messages were paused: ${complaints} of ${mails} recipients of the last 7 days reported your mail as spam`
            : t`${complaints} of ${mails} recipients of the last 7 days reported your mail as spam`,
        href: '/communication/deliverability',
      }
    }
    case 'webhook-failing':
      return {
        text: t`The webhook ${title} was paused: its address has accepted nothing for three days`,
        href: `/account-management/webhooks${recordId === null ? '' : `?webhook=${recordId}`}`,
      }
    case 'key-expiring': {
      const day = params.on ? written(params.on) : ''
      return {
        text: t`The API key ${title} expires on ${day}. Create a new one before programs stop`,
        href: `/account-management/api${recordId === null ? '' : `?key=${recordId}`}`,
      }
    }
    case 'connection-trouble':
    case 'connection-metric':
      return connectionNotice({ kind, recordId, params }, formats)
    case 'import-finished':
      return {
        text: params.outcome === 'failed' ? t`Your import of ${file} stopped` : t`Your import of ${file} has finished`,
        href: '/account-management/imports',
      }
  }
}

function eventText(title: string, news: NonNullable<Notification['params']['news']>): string {
  const said: Record<typeof news, string> = {
    requested: t`Your registration for ${title} is awaiting approval`,
    confirmed: t`You are registered for ${title}`,
    payment: t`Pay to confirm your registration for ${title}`,
    waiting: t`You are on the waiting list for ${title}`,
    offered: t`A place at ${title} is offered to you`,
    offer_expired: t`The place at ${title} that was offered to you has expired`,
    hold_expired: t`Your place at ${title} was released because it was not paid in time`,
    rejected: t`Your registration for ${title} was declined`,
    cancelled: t`Your registration for ${title} was cancelled`,
    received: t`A ticket for ${title} was transferred to you`,
    handed_over: t`Your ticket for ${title} was transferred`,
    message: t`The organisers of ${title} sent you a message`,
    changed: t`${title} has changed`,
    event_cancelled: t`${title} was cancelled`,
    reminder: t`${title} takes place soon`,
    survey: t`How was ${title}? Answer a short survey`,
    invited: t`You are invited to ${title}`,
  }
  return said[news]
}

/** What a kind is called among the preferences. */
export const kindWords = (): Record<NotificationKindName, string> => ({
  'group-request': t`Requests to join groups you lead`,
  'group-answer': t`Answers to your requests to join`,
  'comment-mention': t`Mentions of you in discussions`,
  'comment-reply': t`Replies to your comments`,
  'note-mention': t`Mentions of you in notes`,
  'membership-request': t`Applications waiting for your approval`,
  'transfer-request': t`Transfers waiting for your approval`,
  'transfer-answer': t`Answers to transfers`,
  'relationship-request': t`Relationships waiting for your answer`,
  'relationship-answer': t`Answers to relationships you proposed`,
  'relationship-majority': t`Guardians’ rights that end within 60 days`,
  'membership-ended': t`Memberships that end`,
  'follow-up': t`Follow-ups assigned to you`,
  'message-review': t`Messages waiting for your approval`,
  'message-answer': t`Answers to your messages`,
  'term-ending': t`Terms of office that end within 30 days`,
  'bank-account-changed': t`Changes of the bank account for transfers`,
  'mail-complaints': t`Spam complaints about your mail`,
  'event-registration': t`Your event registrations`,
  'event-message': t`Messages and changes of events you registered for`,
  'import-finished': t`Your imports`,
  'connection-trouble': t`Trouble of connections you own`,
  'connection-metric': t`Your alerts for metrics of connections`,
  'key-expiring': t`Expiry of API keys you created`,
  'webhook-failing': t`Webhooks that were paused because they fail`,
})
