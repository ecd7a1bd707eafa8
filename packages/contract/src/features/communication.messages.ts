import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { MessageBody, MessageSubject, Preheader, StoredMessageBody } from '../message-body.ts'
import { refusal } from '../reasons.ts'
import {
  ChapterRef,
  Cursor,
  EmailAddress,
  GroupRef,
  Id,
  Instant,
  Limit,
  ListInput,
  PersonRef,
  Version,
  lines,
  page,
  text,
} from '../shapes.ts'
import { AudienceDefinition } from './communication.audiences.ts'

const tag = 'Communication'
const done = { status: 200 as const }

// Shapes ----------------------------------------------------------------------------------------------------------------------------

export const MessageStatus = z
  .enum(['draft', 'in_review', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed'])
  .describe(
    'in_review: a second person approves it; scheduled: leaves at sendAt, which can be undone until then; sent: nothing is left to send; failed: nothing could be sent, and failure says why',
  )
export type MessageStatus = z.infer<typeof MessageStatus>
export const MessageKind = z.enum(['essential', 'marketing']).describe('Of its topic: essential messages also reach those who unsubscribed')
export type MessageKind = z.infer<typeof MessageKind>

export const DeliveryState = z
  .enum(['queued', 'sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'failed', 'unknown', 'skipped', 'cancelled'])
  .describe(
    'sent: the mail server took it; delivered: the receiving server said so; unknown: it may have arrived, and is not sent again by itself; skipped: went to nobody, and skipReason says why',
  )
export type DeliveryState = z.infer<typeof DeliveryState>
/** Why a message goes to somebody not: what consent refuses, and what sending itself does. */
export const skipReasons = [
  ...(['no_address', 'do_not_contact', 'suspended', 'deceased', 'erased', 'archived', 'merged'] as const),
  ...(['unsubscribed', 'not_subscribed', 'pending', 'opted_out', 'paused', 'hard_bounce', 'complaint', 'manual'] as const),
  ...(['duplicate', 'out_of_scope', 'too_many', 'address_changed', 'nothing_to_tell'] as const),
] as const
export const SkipReason = z
  .string()
  .describe(
    `One of ${skipReasons.join(', ')}. duplicate: somebody else with the same address gets it; too_many: had as many messages this week as the organisation allows; address_changed: since sending started`,
  )

export const MessageCounts = z.object({
  recipients: z.int().describe('Found when sending started, those who were skipped included'),
  queued: z.int(),
  sent: z.int().describe('Left, and nothing more is known of them'),
  delivered: z.int(),
  softBounces: z.int(),
  hardBounces: z.int(),
  complaints: z.int(),
  failed: z.int(),
  unknown: z.int(),
  skipped: z.int(),
  cancelled: z.int(),
  left: z.int().describe('All that left: sent, delivered, bounced, complained about or unknown'),
  opened: z.int().describe('People whose mail program asked for the picture: an indication only'),
  clicked: z.int().describe('People who followed a link'),
  unsubscribed: z.int().describe('People who unsubscribed by this message'),
})
export type MessageCounts = z.infer<typeof MessageCounts>

export const MessageTopic = z.object({ id: Id, name: z.string(), kind: MessageKind })

export const MessageRow = z.object({
  id: Id,
  name: z.string(),
  subject: z.string(),
  status: MessageStatus,
  topic: MessageTopic.nullable(),
  chapter: ChapterRef.nullable().describe('With no chapter and no group it belongs to the whole organisation'),
  group: GroupRef.nullable(),
  sendAt: Instant.nullable(),
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  createdBy: z.string().describe('Name of the account that wrote it; empty once that is gone'),
  counts: MessageCounts,
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type MessageRow = z.infer<typeof MessageRow>

export const Message = MessageRow.extend({
  automation: z
    .object({ id: Id, name: z.string() })
    .nullable()
    .describe('The automation whose mail it is, which goes to each person when their step comes'),
  preheader: z.string(),
  body: StoredMessageBody,
  fromName: z.string(),
  replyTo: z.string().nullable(),
  audience: AudienceDefinition,
  pace: z.int().nullable().describe('So many a minute at most; null is as fast as the mail server takes them'),
  submittedBy: z.string().nullable().describe('Name of the account that submitted or scheduled it'),
  submittedAt: Instant.nullable(),
  approvedBy: z.string().nullable(),
  approvedAt: Instant.nullable(),
  note: z.string().describe('What the person who approved or declined it says'),
  failure: z
    .string()
    .describe(
      'Why it failed: nobody (no recipient was left), sender (who sent it may not any more), audience (it could not be found); or review: more recipients than one person alone may write to. Of a paused one, complaints: too many recipients called mail of the organisation spam',
    ),
  may: z.object({
    edit: z.boolean(),
    remove: z.boolean(),
    submit: z.boolean(),
    schedule: z.boolean(),
    approve: z.boolean(),
    decline: z.boolean(),
    withdraw: z.boolean(),
    takeBack: z.boolean(),
    pause: z.boolean(),
    resume: z.boolean(),
    cancel: z.boolean(),
    retry: z.boolean(),
  }),
})
export type Message = z.infer<typeof Message>

const onePlace = refusal('message_place', 'Choose a chapter or a group, not both.')
const Facts = {
  name: text(120, 1),
  subject: MessageSubject,
  preheader: Preheader,
  body: MessageBody,
  topicId: Id.nullable(),
  fromName: text(100).describe('Empty is the one of the settings, else the organisation'),
  replyTo: EmailAddress.nullable(),
  audience: AudienceDefinition,
  pace: z.int().min(1).max(100_000).nullable(),
}
export const NewMessage = z
  .strictObject({
    ...Facts,
    subject: Facts.subject.default(''),
    preheader: Facts.preheader.default(''),
    body: Facts.body.default({ blocks: [] }),
    topicId: Facts.topicId.default(null),
    fromName: Facts.fromName.default(''),
    replyTo: Facts.replyTo.default(null),
    audience: Facts.audience.default({ include: [], exclude: [] }),
    pace: Facts.pace.default(null),
    chapterId: Id.nullable().default(null),
    groupId: Id.nullable().default(null),
  })
  .refine(({ chapterId, groupId }) => !chapterId || !groupId, onePlace)
  .meta({ examples: [{ name: 'Newsletter of June', subject: 'What happened in May' }] })
export type NewMessage = z.infer<typeof NewMessage>
export const MessageChange = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ subject: 'What happened in May' }] })
export type MessageChange = z.infer<typeof MessageChange>

// Lists -----------------------------------------------------------------------------------------------------------------------------

export const messagesFilterFields = {
  name: { kind: 'text' },
  status: { kind: 'choice', options: MessageStatus.options },
  topic: { kind: 'id', of: 'topic' },
  chapter: { kind: 'id', of: 'chapter' },
  group: { kind: 'id', of: 'group' },
  event: { kind: 'id', of: 'event' },
  sendAt: { kind: 'date' },
  createdAt: { kind: 'date' },
  organisation: { kind: 'flag' },
  archived: { kind: 'flag' },
} as const
export const MessageSort = z.enum(['createdAt', 'sendAt', 'name'])
export const MessagesListInput = ListInput.extend({
  filter: ListInput.shape.filter.describe(
    'JSON of conditions on name, status, topic, chapter (with those below), group, event (whose registrations it is addressed to), sendAt, createdAt, organisation (of no chapter and no group) and archived. Archived ones come only with archived',
  ),
  sort: ListInput.shape.sort.describe('createdAt (default), sendAt, name; "-" in front reverses it'),
}).meta({ examples: [{ sort: '-createdAt' }] })

export const Delivery = z.object({
  id: Id,
  person: PersonRef.nullable().describe('Null where you do not see the person any more'),
  address: z.string().describe('Empty where you do not see the address'),
  state: DeliveryState,
  skipReason: SkipReason.nullable(),
  sentAt: Instant.nullable(),
  settledAt: Instant.nullable(),
  openedAt: Instant.nullable(),
  clickedAt: Instant.nullable(),
  unsubscribedAt: Instant.nullable(),
})
export type Delivery = z.infer<typeof Delivery>

export const PersonMessage = z.object({
  id: Id.describe('Of the delivery'),
  messageId: Id,
  subject: z.string(),
  topic: z.string().describe('Name of its topic; empty where it had none'),
  state: DeliveryState,
  skipReason: SkipReason.nullable(),
  at: Instant,
  opened: z.boolean().describe('Indicative; never told of one’s own messages'),
  clicked: z.boolean(),
})
export type PersonMessage = z.infer<typeof PersonMessage>

// Reports ---------------------------------------------------------------------------------------------------------------------------

export const MessageReport = z.object({
  counts: MessageCounts,
  skipped: z.array(z.object({ reason: SkipReason, people: z.int() })).describe('Why people were left out'),
  countsClicks: z.boolean(),
  countsOpens: z.boolean(),
  hours: z
    .array(
      z.object({
        hour: Instant,
        left: z.int(),
        delivered: z.int(),
        bounced: z.int(),
        opened: z.int(),
        clicked: z.int(),
        unsubscribed: z.int(),
      }),
    )
    .describe('The first 14 days, hours in which nothing happened left out'),
  links: z.array(z.object({ url: z.string(), people: z.int(), clicks: z.int(), programs: z.int() })),
  chapters: z.array(
    z.object({
      chapter: ChapterRef.nullable().describe('Null for a chapter that you cannot see'),
      recipients: z.int(),
      left: z.int(),
      bounced: z.int(),
      opened: z.int(),
      clicked: z.int(),
      unsubscribed: z.int(),
    }),
  ),
})
export type MessageReport = z.infer<typeof MessageReport>

export const MessagesOverview = z.object({
  months: z
    .array(
      z.object({
        month: z.string().describe('2026-11'),
        messages: z.int(),
        left: z.int(),
        bounced: z.int(),
        clicked: z.int(),
        unsubscribed: z.int(),
      }),
    )
    .describe('Twelve, the oldest first, by when sending started'),
  last30Days: z.object({
    messages: z.int(),
    left: z.int(),
    bounced: z.int(),
    complaints: z.int(),
    clicked: z.int(),
    unsubscribed: z.int(),
  }),
  top: z
    .array(z.object({ id: Id, name: z.string(), startedAt: Instant, left: z.int(), clicked: z.int(), opened: z.int() }))
    .describe('Of the last 90 days, by those who followed a link'),
  open: z.object({ drafts: z.int(), inReview: z.int(), scheduled: z.int(), sending: z.int() }),
  waiting: z
    .array(z.object({ id: Id, name: z.string(), status: MessageStatus, sendAt: Instant.nullable() }))
    .describe('What waits for approval, is scheduled or being sent; 20 at most'),
})
export type MessagesOverview = z.infer<typeof MessagesOverview>

export const PreflightCode = z
  .enum([
    'no_topic',
    'no_subject',
    'no_text',
    'image_only',
    'unknown_field',
    'broken_field',
    'missing_values',
    'nobody',
    'broad_audience',
    'needs_review',
    'skipped',
    'overlap',
    'broken_link',
    'links_unchecked',
    'not_essential_alone',
    'audience_gone',
  ])
  .describe(
    'missing_values: so many lack a value and there is no fallback; broad_audience: nearly everybody of its scope; skipped: so many will get nothing; overlap: another message reached or will reach many of the same people within 48 hours; audience_gone: a part names something that is no longer there',
  )
export const PreflightFinding = z.object({
  code: PreflightCode,
  severity: z.enum(['error', 'warning', 'info']).describe('With an error it cannot be sent'),
  params: z.record(z.string(), z.union([z.string(), z.number()])).describe('Figures and names for the text of the finding'),
})
export type PreflightFinding = z.infer<typeof PreflightFinding>
export const Preflight = z.object({
  recipients: z.int().describe('Who would get it as things stand'),
  skipped: z.int().describe('Who is in the audience and would not'),
  findings: z.array(PreflightFinding).describe('Errors first'),
})
export type Preflight = z.infer<typeof Preflight>

export const CommunicationSettings = z.object({
  reviewAbove: z.int().describe('Messages to more people are approved by a second person'),
  mostPerWeek: z
    .int()
    .nullable()
    .describe('So many messages that are not essential a person gets in seven days, from all chapters together'),
  fromName: z.string(),
  replyTo: z.string().nullable(),
  countsClicks: z.boolean().describe('Links of messages lead through this installation, which counts who follows them'),
  countsOpens: z.boolean().describe('Messages carry an invisible picture; what it tells is indicative only'),
  quietFrom: z.string().nullable().describe('21:00: from then on only essential messages leave, by the clock of the organisation'),
  quietUntil: z.string().nullable(),
  mayEdit: z.boolean(),
  version: Version,
})
export type CommunicationSettings = z.infer<typeof CommunicationSettings>
const Clock = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Enter a time such as 21:00.')
export const CommunicationSettingsChange = z
  .strictObject({
    reviewAbove: z.int().min(1).max(1_000_000),
    mostPerWeek: z.int().min(1).max(50).nullable(),
    fromName: text(100),
    replyTo: EmailAddress.nullable(),
    countsClicks: z.boolean(),
    countsOpens: z.boolean(),
    quietFrom: Clock.nullable(),
    quietUntil: Clock.nullable(),
  })
  .partial()
  .meta({ examples: [{ reviewAbove: 200 }] })
export type CommunicationSettingsChange = z.infer<typeof CommunicationSettingsChange>

// Procedures ------------------------------------------------------------------------------------------------------------------------

const OneMessage = z.strictObject({ messageId: Id })
const needs = 'messages.write' as const
const sends = 'messages.send' as const
type Moved = { needs?: typeof needs; withKey?: false }
const move = (name: string, operationId: string, summary: string, more: Moved = {}) =>
  act(`/messages/{messageId}/${name}`, operationId, { needs: sends, tag, summary, ...more })
/** Two people look at it: a key of one of them is no second one. */
const withKey = false

export const messages = {
  list: get('/messages', 'listMessages', {
    needs,
    tag,
    summary: 'Messages of the organisation, chapters and groups for which you write, with their counts',
  })
    .input(MessagesListInput)
    .output(page(MessageRow)),
  create: post('/messages', 'createMessage', { needs, tag, summary: 'Begin a message' }).input(NewMessage).output(Message),
  get: get('/messages/{messageId}', 'getMessage', { needs, tag, summary: 'A message' }).input(OneMessage).output(Message),
  update: patch('/messages/{messageId}', 'updateMessage', { needs, tag, summary: 'Change a draft; what is left out stays' })
    .input(MessageChange.extend(OneMessage.shape))
    .output(Message),
  remove: del('/messages/{messageId}', 'deleteMessage', { needs, tag, summary: 'Delete a draft' }).input(OneMessage),
  archive: move('archive', 'archiveMessage', 'Archive a message that is a draft or ended', { needs }).input(OneMessage).output(Message),
  restore: move('restore', 'restoreMessage', 'Restore an archived message', { needs }).input(OneMessage).output(Message),
  duplicate: post('/messages/{messageId}/duplicate', 'duplicateMessage', {
    needs,
    tag,
    summary: 'A new draft with the same content and audience',
  })
    .input(OneMessage)
    .output(Message),

  submit: move(
    'submit',
    'submitMessage',
    'Ask a second person to approve a draft; with sendAt it leaves then, else a minute after the approval',
    { needs, withKey },
  )
    .input(OneMessage.extend({ sendAt: Instant.optional() }))
    .output(Message),
  withdraw: move('withdraw', 'withdrawMessage', 'Make a draft of a message again that waits for approval', { needs })
    .input(OneMessage)
    .output(Message),
  approve: move('approve', 'approveMessage', 'Approve a message of somebody else: it is scheduled', { withKey })
    .input(OneMessage.extend({ note: lines(1000).default('') }))
    .output(Message),
  decline: move('decline', 'declineMessage', 'Decline a message: it becomes a draft again')
    .input(OneMessage.extend({ note: lines(1000, 1) }).meta({ examples: [{ note: 'The date is wrong.' }] }))
    .output(Message),
  schedule: move('schedule', 'scheduleMessage', 'Send a draft at a time to come')
    .input(OneMessage.extend({ sendAt: Instant }).meta({ examples: [{ sendAt: '2090-06-01T08:00:00Z' }] }))
    .output(Message),
  sendNow: move('send', 'sendMessage', 'Send a draft: it leaves in 60 seconds, which can be undone until then')
    .input(OneMessage)
    .output(Message),
  takeBack: move('take-back', 'takeBackMessage', 'Make a draft of a scheduled message again').input(OneMessage).output(Message),
  pause: move('pause', 'pauseMessage', 'Stop sending for now: what has not left stays').input(OneMessage).output(Message),
  resume: move('resume', 'resumeMessage', 'Go on sending').input(OneMessage).output(Message),
  cancel: move('cancel', 'cancelMessage', 'Call off what has not left').input(OneMessage).output(Message),
  restart: move('restart', 'restartMessage', 'Start a failed message again').input(OneMessage).output(Message),
  retry: post('/messages/{messageId}/retry', 'retryDeliveries', {
    ...done,
    needs: sends,
    tag,
    summary: 'Send again what failed, or what nobody knows the end of, which may then arrive twice',
    perHour: 60,
  })
    .input(
      OneMessage.extend({
        states: z
          .array(z.enum(['failed', 'unknown']))
          .min(1)
          .max(2),
      }).meta({ examples: [{ states: ['failed'] }] }),
    )
    .output(z.object({ again: z.int() })),
  test: post('/messages/{messageId}/test', 'testMessage', {
    ...done,
    needs,
    tag,
    summary: 'Send a message to your own address, as you would get it',
    perHour: 60,
  })
    .input(OneMessage)
    .output(z.object({ queued: z.boolean() })),

  deliveries: get('/messages/{messageId}/deliveries', 'listDeliveries', {
    needs,
    tag,
    summary: 'What became of a message for each of its recipients',
    readsPeople: 50,
  })
    .input(
      OneMessage.extend({
        state: DeliveryState.optional(),
        reason: z.string().max(60).optional().describe('Of those who were skipped'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(Delivery)),
  report: get('/messages/{messageId}/report', 'getMessageReport', {
    needs,
    tag,
    summary: 'What became of a message: counts, hours, links, chapters',
  })
    .input(OneMessage)
    .output(MessageReport),
  overview: get('/messages-overview', 'getMessagesOverview', {
    needs,
    tag,
    summary: 'What was sent in the last year, and what waits',
  }).output(MessagesOverview),
  ofPerson: get('/people/{personId}/messages', 'listMessagesOfPerson', {
    needs: 'signed-in',
    tag,
    summary: 'Messages to a person: your own, or those of the chapters and groups for which you write',
  })
    .input(z.strictObject({ personId: Id, cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(PersonMessage)),
  settings: get('/communication/settings', 'getCommunicationSettings', {
    needs,
    tag,
    summary: 'How the organisation sends messages',
  }).output(CommunicationSettings),
  updateSettings: patch('/communication/settings', 'updateCommunicationSettings', {
    needs: 'messages.manage',
    tag,
    summary: 'Change how the organisation sends messages',
  })
    .input(CommunicationSettingsChange)
    .output(CommunicationSettings),
}

export const messagesActions = {
  preflight: post('/messages/{messageId}/preflight', 'checkMessage', {
    ...done,
    needs,
    tag,
    summary: 'Check a message before it is sent: recipients, merge fields, links, overlaps',
    perHour: 300,
  })
    .input(OneMessage.extend({ links: z.boolean().default(true).describe('Ask whether its links answer, which takes some seconds') }))
    .output(Preflight),
}
