import * as z from 'zod'
import { get, post, put } from '../base.ts'
import { MetricType } from './integrations.metrics.ts'
import { CalendarDate, ChapterRef, Cursor, GroupRef, Id, Instant, Limit, PersonRef, page } from '../shapes.ts'

const tag = 'Notifications'

export const MailFrequency = z
  .enum(['off', 'instant', 'daily', 'weekly'])
  .describe('daily: in one mail each morning; weekly: each Monday, in the organisation’s time zone')
export type MailFrequency = z.infer<typeof MailFrequency>

/** What somebody can be told of, and how that is mailed unless they say otherwise. Nobody switches an essential kind off. */
export const notificationKinds = {
  'group-request': { mail: 'instant', essential: false },
  'group-answer': { mail: 'instant', essential: false },
  'comment-mention': { mail: 'instant', essential: false },
  'comment-reply': { mail: 'instant', essential: false },
  'note-mention': { mail: 'instant', essential: false },
  'membership-request': { mail: 'instant', essential: false },
  'transfer-request': { mail: 'instant', essential: false },
  'transfer-answer': { mail: 'instant', essential: false },
  'relationship-request': { mail: 'instant', essential: false },
  'relationship-answer': { mail: 'instant', essential: false },
  'relationship-majority': { mail: 'instant', essential: false },
  'membership-ended': { mail: 'instant', essential: false },
  'event-registration': { mail: 'off', essential: false },
  'event-message': { mail: 'off', essential: false },
  'message-review': { mail: 'instant', essential: false },
  'message-answer': { mail: 'instant', essential: false },
  'term-ending': { mail: 'instant', essential: true },
  'bank-account-changed': { mail: 'instant', essential: true },
  'mail-complaints': { mail: 'instant', essential: true },
  'follow-up': { mail: 'instant', essential: false },
  'import-finished': { mail: 'off', essential: false },
  'connection-trouble': { mail: 'instant', essential: true },
  'connection-metric': { mail: 'instant', essential: false },
  'key-expiring': { mail: 'instant', essential: false },
  'webhook-failing': { mail: 'instant', essential: true },
} as const satisfies Record<string, { mail: MailFrequency; essential: boolean }>
export type NotificationKindName = keyof typeof notificationKinds

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- zod wants the keys as a tuple, and they are all of the list
export const NotificationKind = z.enum(Object.keys(notificationKinds) as [NotificationKindName, ...NotificationKindName[]])

export const NotificationParams = z.object({
  title: z
    .string()
    .optional()
    .describe('Title of an office or an event, name of a type of relationship, of a connection, an API key or a webhook'),
  news: z
    .enum([
      'requested',
      'confirmed',
      'payment',
      'waiting',
      'offered',
      'offer_expired',
      'hold_expired',
      'rejected',
      'cancelled',
      'received',
      'handed_over',
      'message',
      'changed',
      'event_cancelled',
      'reminder',
      'survey',
      'invited',
    ])
    .optional()
    .describe('What there is to tell of an event or a registration'),
  on: CalendarDate.optional(),
  outcome: z.enum(['admitted', 'declined', 'done', 'failed', 'approved', 'completed', 'rejected', 'withdrawn']).optional(),
  file: z.string().optional(),
  level: z.enum(['alert', 'pause']).optional().describe('pause: messages were paused'),
  complaints: z.int().optional().describe('How many recipients called the mail of the last seven days spam'),
  mails: z.int().optional().describe('Of how many mails'),
  trouble: z.enum(['runs', 'fresh', 'error']).optional().describe('Why a connection needs its owner'),
  metric: MetricType.optional(),
  above: z.number().optional().describe('The limit that a metric went above'),
  below: z.number().optional().describe('The limit that a metric went below'),
  value: z.number().optional().describe('Of the metric at that moment'),
  currency: z.string().optional().describe('Of a metric that is money'),
})

export const Notification = z.object({
  id: Id,
  kind: NotificationKind,
  person: PersonRef.nullable().describe('Null also where you do not see the person'),
  chapter: ChapterRef.nullable(),
  group: GroupRef.nullable(),
  recordId: Id.nullable().describe(
    'The import of import-finished, the comment of comment-mention and comment-reply, the note of note-mention, the transfer of transfer-request and transfer-answer, the relationship of relationship-request, relationship-answer and relationship-majority, the event of event-registration and event-message, the connection of connection-trouble and connection-metric, the API key of key-expiring, the webhook of webhook-failing, the follow-up of follow-up',
  ),
  params: NotificationParams,
  readAt: Instant.nullable(),
  createdAt: Instant,
})
export type Notification = z.infer<typeof Notification>

export const NotificationPreference = z.object({
  kind: NotificationKind,
  inInbox: z.boolean(),
  mail: MailFrequency,
  essential: z.boolean().describe('Cannot be changed'),
})
export type NotificationPreference = z.infer<typeof NotificationPreference>

export const notificationsData = {
  list: get('/notifications', 'listNotifications', { needs: 'signed-in', tag, summary: 'Your notifications, newest first' })
    .input(z.strictObject({ unread: z.boolean().optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(Notification)),
  count: get('/notifications/count', 'countNotifications', {
    needs: 'signed-in',
    tag,
    summary: 'How many notifications you have not read; 100 stands for more',
  }).output(z.object({ unread: z.int() })),
  read: post('/notifications/read', 'readNotifications', {
    needs: 'signed-in',
    tag,
    status: 200,
    summary: 'Mark notifications as read, or as unread again; all of them when none is named',
  })
    .input(z.strictObject({ ids: z.array(Id).min(1).max(200).optional(), read: z.boolean().optional() }).meta({ examples: [{}] }))
    .output(z.object({ unread: z.int() })),
  preferences: get('/notifications/preferences', 'listNotificationPreferences', {
    needs: 'signed-in',
    tag,
    summary: 'How you are told of each kind',
  }).output(z.object({ items: z.array(NotificationPreference) })),
  prefer: put('/notifications/preferences/{kind}', 'setNotificationPreference', {
    needs: 'signed-in',
    tag,
    summary: 'Change how you are told of a kind',
    description: '409 `notification_essential` for a kind that cannot be switched off.',
  })
    .input(
      z
        .strictObject({ kind: NotificationKind, inInbox: z.boolean(), mail: MailFrequency })
        .meta({ examples: [{ kind: 'group-request', inInbox: true, mail: 'daily' }] }),
    )
    .output(NotificationPreference),
}
