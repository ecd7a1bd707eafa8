import * as z from 'zod'
import { act, get, patch, post, put } from '../base.ts'
import { refusal } from '../reasons.ts'
import { ChapterRef, EmailAddress, Id, Instant, Version, lines, text } from '../shapes.ts'

const tag = 'Communication'

export const TopicKind = z
  .enum(['essential', 'marketing'])
  .describe('essential: reaches everybody who may get mail at all; nobody unsubscribes')
export type TopicKind = z.infer<typeof TopicKind>
export const ConsentState = z
  .enum(['subscribed', 'unsubscribed', 'pending'])
  .describe('pending: the person has yet to confirm by the link of a mail')
export type ConsentState = z.infer<typeof ConsentState>
export const ConsentSource = z
  .enum(['profile', 'link', 'officer', 'import', 'public', 'connection'])
  .describe(
    'profile: the person, signed in. link: the person, by the link of a mail. officer: recorded for the person. connection: the person, in a connected system',
  )
export type ConsentSource = z.infer<typeof ConsentSource>

/** Why somebody gets no mail: the first rule that keeps it from them. */
export const MailRefusal = z.enum([
  'no_address',
  'do_not_contact',
  'suspended',
  'deceased',
  'erased',
  'archived',
  'merged',
  'unsubscribed',
  'not_subscribed',
  'pending',
  'opted_out',
  'paused',
  'hard_bounce',
  'complaint',
  'manual',
])
export type MailRefusal = z.infer<typeof MailRefusal>

export const TopicCounts = z.object({ subscribed: z.int(), pending: z.int(), unsubscribed: z.int() })

export const Topic = z.object({
  id: Id,
  chapter: ChapterRef.nullable().describe('Null: of the whole organisation'),
  name: text(80, 1),
  description: text(300),
  kind: TopicKind,
  defaultOpt: z
    .enum(['in', 'out'])
    .describe('Whether somebody who never chose is subscribed; of a chapter’s topic, who belongs to the chapter'),
  confirm: z.boolean().describe('A subscription counts once the person confirmed it by the link of a mail'),
  archivedAt: Instant.nullable(),
  version: Version,
  counts: TopicCounts.nullable().describe('Null unless you may write mails'),
  mayChange: z.boolean(),
})
export type Topic = z.infer<typeof Topic>

export const NewTopic = z
  .strictObject({
    name: text(80, 1),
    description: text(300).default(''),
    chapterId: Id.nullable().default(null),
    kind: TopicKind.default('marketing').describe('Cannot be changed later'),
    defaultOpt: z.enum(['in', 'out']).default('out').describe('Cannot be changed later'),
    confirm: z.boolean().default(false),
  })
  .refine(({ kind, defaultOpt, confirm }) => kind !== 'essential' || (defaultOpt === 'in' && !confirm), {
    path: ['kind'],
    ...refusal('topic_essential_opt', 'An essential topic reaches everybody: choose that people start subscribed, without confirmation.'),
  })
  .refine(({ kind, defaultOpt, confirm }) => kind === 'essential' || !confirm || defaultOpt === 'out', {
    path: ['confirm'],
    ...refusal('topic_confirm_opt', 'Only a topic that people subscribe to themselves can ask for confirmation.'),
  })
export type NewTopic = z.infer<typeof NewTopic>

const OneTopic = z.strictObject({ topicId: Id })
export const TopicChange = z.strictObject({
  name: text(80, 1).optional(),
  description: text(300).optional(),
  confirm: z.boolean().optional(),
})
export type TopicChange = z.infer<typeof TopicChange>

/** A topic as it concerns one person. */
export const PersonTopic = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  kind: TopicKind,
  confirm: z.boolean(),
  chapter: z.object({ id: Id, name: z.string() }).nullable(),
  state: ConsentState,
  at: Instant.nullable().describe('Null: the person never chose'),
  source: ConsentSource.nullable(),
})
export type PersonTopic = z.infer<typeof PersonTopic>

export const MailReach = z.object({
  refusal: MailRefusal.nullable().describe('Null: nothing keeps this mail from the person'),
  essentialToo: z.boolean().describe('Essential mail does not reach the person either'),
  since: Instant.nullable(),
  until: Instant.nullable().describe('End of a pause'),
})
export type MailReach = z.infer<typeof MailReach>

export const ConsentChange = z.object({
  id: Id,
  topic: z.object({ id: Id, name: z.string() }),
  state: ConsentState,
  at: Instant,
  source: ConsentSource,
  note: z.string().nullable().describe('What an officer noted as proof'),
})
export type ConsentChange = z.infer<typeof ConsentChange>

export const MailChoices = z.object({
  topics: z.array(PersonTopic),
  reach: MailReach.describe('Of mail that is not essential, of any topic'),
  essentialOnly: z.boolean(),
  pausedUntil: Instant.nullable(),
  changes: z.array(ConsentChange).describe('The latest 200 changes, newest first'),
  may: z.object({ choose: z.boolean().describe('It is you'), record: z.boolean().describe('You may record what the person said') }),
})
export type MailChoices = z.infer<typeof MailChoices>

const OnePerson = z.strictObject({ personId: Id })

export const SuppressionReason = z.enum(['unsubscribed', 'manual', 'hard_bounce', 'complaint'])
export type SuppressionReason = z.infer<typeof SuppressionReason>
export const Suppression = z.object({
  reason: SuppressionReason,
  source: z.string().describe('Where it comes from, such as the mail that bounced'),
  note: z.string(),
  since: Instant,
})
export type Suppression = z.infer<typeof Suppression>
export const Suppressions = z.object({
  items: z.array(Suppression).describe('Of the address asked for; else the latest hundred, whose addresses are not kept'),
  counts: z.partialRecord(SuppressionReason, z.int()),
})
export type Suppressions = z.infer<typeof Suppressions>

export const communicationTopics = {
  list: get('/communication/topics', 'listTopics', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Topics that people subscribe to, in their order',
  })
    .input(z.strictObject({ archived: z.boolean().optional() }))
    .output(z.object({ items: z.array(Topic), may: z.object({ create: z.boolean(), createForAll: z.boolean() }) })),
  create: post('/communication/topics', 'createTopic', {
    needs: 'signed-in',
    tag,
    summary: 'Add a topic: of the organisation with messages.manage, of a chapter with messages.send there',
  })
    .input(NewTopic)
    .output(Topic),
  update: patch('/communication/topics/{topicId}', 'updateTopic', {
    needs: 'signed-in',
    tag,
    summary: 'Rename or describe a topic, or choose whether subscriptions are confirmed',
    description: 'Its kind and what applies to people who never chose stay: changing them would subscribe people who did not ask.',
  })
    .input(TopicChange.extend(OneTopic.shape))
    .output(Topic),
  archive: act('/communication/topics/{topicId}/archive', 'archiveTopic', {
    needs: 'signed-in',
    tag,
    summary: 'Archive a topic: nothing is sent about it, and what people chose is kept',
  })
    .input(OneTopic)
    .output(Topic),
  restore: act('/communication/topics/{topicId}/restore', 'restoreTopic', { needs: 'signed-in', tag, summary: 'Restore an archived topic' })
    .input(OneTopic)
    .output(Topic),
  reorder: put('/communication/topics/order', 'reorderTopics', {
    needs: 'messages.manage',
    tag,
    status: 204,
    summary: 'The order in which topics are shown; those that are not named follow',
  })
    .input(z.strictObject({ topicIds: z.array(Id).min(1).max(500) }))
    .output(z.void()),
}

export const communicationConsents = {
  get: get('/people/{personId}/mail-choices', 'getMailChoices', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What a person is subscribed to, and whether mail reaches them',
    description: 'For the person, and for those who see how to reach them.',
  })
    .input(OnePerson)
    .output(MailChoices),
  choose: put('/people/{personId}/topics/{topicId}', 'chooseTopic', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    perHour: 200,
    summary: 'Subscribe to a topic or unsubscribe',
    description: 'Only the person themselves. A topic with confirmation becomes pending, and a mail asks for it.',
  })
    .input(z.strictObject({ personId: Id, topicId: Id, subscribed: z.boolean() }))
    .output(MailChoices),
  prefer: put('/people/{personId}/mail-preferences', 'setMailPreferences', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Get essential mail only, for good or for some weeks',
    description: 'Only the person themselves.',
  })
    .input(
      z.strictObject({
        personId: Id,
        essentialOnly: z.boolean(),
        pauseWeeks: z.int().min(1).max(52).nullable().describe('From now on; null: no pause'),
      }),
    )
    .output(MailChoices),
  record: post('/people/{personId}/consents', 'recordConsent', {
    needs: 'people.write',
    tag,
    status: 200,
    perHour: 200,
    summary: 'Record what a person said about a topic, and where they said it',
    description: 'Who unsubscribed is subscribed by their own answer only: they get a mail that asks them, and stay pending until then.',
  })
    .input(z.strictObject({ personId: Id, topicId: Id, subscribed: z.boolean(), note: lines(500, 1) }))
    .output(MailChoices),
  reach: get('/people/{personId}/mail-reach', 'getMailReach', {
    needs: 'signed-in',
    tag,
    summary: 'Why a person cannot be written to: the first rule that keeps mail from them',
    description: 'About a topic, or any mail that is not essential. For those who see how to reach the person.',
  })
    .input(z.strictObject({ personId: Id, topicId: Id.optional() }))
    .output(MailReach),
}

export const communicationSuppressions = {
  list: get('/communication/suppressions', 'listSuppressions', {
    needs: 'messages.manage',
    tag,
    summary: 'Addresses that get no mail',
    description: 'They are kept as hashes: ask for one by its address.',
  })
    .input(z.strictObject({ address: EmailAddress.optional() }))
    .output(Suppressions),
  add: post('/communication/suppressions', 'suppressAddress', {
    needs: 'messages.manage',
    tag,
    status: 200,
    summary: 'Send an address essential mail only',
  })
    .input(z.strictObject({ address: EmailAddress, note: lines(500, 1) }))
    .output(Suppressions),
  release: post('/communication/suppressions/release', 'releaseAddress', {
    needs: 'messages.manage',
    tag,
    status: 200,
    summary: 'Let an address get mail again',
    description: 'After a complaint or an unsubscription only when its person asked for it: `suppression_of_person` otherwise.',
  })
    .input(z.strictObject({ address: EmailAddress, note: lines(500, 1), askedByPerson: z.boolean().default(false) }))
    .output(Suppressions),
}
