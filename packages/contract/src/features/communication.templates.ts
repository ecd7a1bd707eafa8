import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { MessageBody, MessageSubject, Preheader, StoredMessageBody } from '../message-body.ts'
import { ChapterRef, GroupRef, Id, Instant, ListInput, PersonRef, Version, page, text } from '../shapes.ts'

const tag = 'Communication'

/** Where a message, a template or a picture belongs: the organisation, a chapter or a group. */
const place = {
  chapterId: Id.nullable().default(null),
  groupId: Id.nullable().default(null).describe('Of a group, then of no chapter; without both, of the whole organisation'),
}
const onePlace = ({ chapterId, groupId }: { chapterId: string | null; groupId: string | null }) => chapterId === null || groupId === null
const placeFault = { error: 'Choose a chapter or a group, not both.', path: ['groupId'] }

export const OutlineBlock = z.object({
  type: z.enum(['text', 'heading', 'button', 'picture', 'event', 'columns', 'divider']),
  words: z.string().describe('The first words of it'),
})
export type OutlineBlock = z.infer<typeof OutlineBlock>

export const MessageTemplateRow = z.object({
  id: Id,
  name: z.string(),
  subject: z.string(),
  outline: z.array(OutlineBlock).describe('The first blocks in short'),
  chapter: ChapterRef.nullable(),
  group: GroupRef.nullable(),
  archivedAt: Instant.nullable(),
  may: z.object({ edit: z.boolean() }),
  updatedAt: Instant,
  version: Version,
})
export type MessageTemplateRow = z.infer<typeof MessageTemplateRow>
export const MessageTemplate = MessageTemplateRow.extend({ preheader: z.string(), body: StoredMessageBody })
export type MessageTemplate = z.infer<typeof MessageTemplate>

const Facts = { name: text(100, 1), subject: MessageSubject, preheader: Preheader, body: MessageBody }
export const NewMessageTemplate = z
  .strictObject({
    name: Facts.name,
    subject: Facts.subject.default(''),
    preheader: Facts.preheader.default(''),
    body: Facts.body.default({ blocks: [] }),
    ...place,
  })
  .refine(onePlace, placeFault)
  .meta({ examples: [{ name: 'Newsletter', subject: 'News for {{first_name | you}}' }] })
export type NewMessageTemplate = z.input<typeof NewMessageTemplate>
export const MessageTemplateChange = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ name: 'Newsletter' }] })
export type MessageTemplateChange = z.infer<typeof MessageTemplateChange>
const OneTemplate = z.strictObject({ templateId: Id })

export const templates = {
  list: get('/message-templates', 'listMessageTemplates', {
    needs: 'signed-in',
    tag,
    summary: 'Templates of messages by name: those of the organisation, and of the chapters and groups that you write for',
  })
    .input(
      ListInput.omit({ filter: true, sort: true })
        .extend({ archived: z.boolean().optional().describe('Archived ones instead') })
        .meta({ examples: [{ q: 'news' }] }),
    )
    .output(page(MessageTemplateRow)),
  get: get('/message-templates/{templateId}', 'getMessageTemplate', { needs: 'messages.write', tag, summary: 'A template with its body' })
    .input(OneTemplate)
    .output(MessageTemplate),
  create: post('/message-templates', 'createMessageTemplate', {
    needs: 'messages.write',
    tag,
    summary: 'Add a template; one of the whole organisation only with messages.manage',
  })
    .input(NewMessageTemplate)
    .output(MessageTemplate),
  update: patch('/message-templates/{templateId}', 'updateMessageTemplate', {
    needs: 'messages.write',
    tag,
    summary: 'Change a template; what is left out stays',
  })
    .input(OneTemplate.extend(MessageTemplateChange.shape).meta({ examples: [{ name: 'Newsletter' }] }))
    .output(MessageTemplate),
  copy: post('/message-templates/{templateId}/copies', 'copyMessageTemplate', {
    needs: 'messages.write',
    tag,
    summary: 'Copy a template to the same or another place',
  })
    .input(
      OneTemplate.extend({ name: Facts.name, ...place })
        .refine(onePlace, placeFault)
        .meta({ examples: [{ name: 'Newsletter (copy)' }] }),
    )
    .output(MessageTemplate),
  archive: act('/message-templates/{templateId}/archive', 'archiveMessageTemplate', {
    needs: 'messages.write',
    tag,
    summary: 'Archive a template; messages begun with it stay as they are',
  })
    .input(OneTemplate)
    .output(MessageTemplate),
  restore: act('/message-templates/{templateId}/restore', 'restoreMessageTemplate', {
    needs: 'messages.write',
    tag,
    summary: 'Bring back an archived template',
  })
    .input(OneTemplate)
    .output(MessageTemplate),
}

export const messagePictures = {
  add: post('/message-pictures', 'addMessagePicture', {
    needs: 'messages.write',
    tag,
    summary: 'Make room for a picture of messages; setPicture with recordType message_picture and its id uploads it',
    description:
      'Everybody who has its address may see the picture once a message with it has gone out, and nobody but those who write messages before.',
  })
    .input(
      z
        .strictObject(place)
        .refine(onePlace, placeFault)
        .meta({ examples: [{}] }),
    )
    .output(z.object({ id: Id })),
}

const Finding = z.object({
  part: z.enum(['subject', 'preheader', 'body']),
  block: z.int().optional().describe('Of the body, counted from 0'),
  column: z.enum(['left', 'right']).optional(),
  inner: z.int().optional().describe('Within the column, counted from 0'),
  name: z.string(),
  start: z.int().describe('In characters of the text there'),
  end: z.int(),
  problem: z.enum(['unknown', 'broken', 'no_fallback']),
})
export const MessagePreview = z.object({
  subject: z.string(),
  html: z.string().describe('Nothing in it runs, and its pictures are within it'),
  text: z.string(),
  person: PersonRef.nullable().describe('As whom it was filled in'),
  missing: z.array(z.string()).describe('Merge fields that stay empty for this person'),
  findings: z.array(Finding).describe('Merge fields that are unknown or broken, or that lack a fallback, with their position'),
  gone: z
    .object({ pictures: z.array(Id), events: z.array(Id) })
    .describe('Pictures and events that are not there, or not yours to see; their blocks are left out'),
})
export type MessagePreview = z.infer<typeof MessagePreview>

export const messagePreview = post('/message-preview', 'previewMessage', {
  needs: 'messages.write',
  idempotent: false,
  status: 200,
  perHour: 1500,
  tag,
  summary: 'A message as one person would get it, before it is saved',
})
  .input(
    z
      .strictObject({
        subject: MessageSubject.default(''),
        preheader: Preheader.default(''),
        body: MessageBody,
        personId: Id.nullable()
          .default(null)
          .describe('As whom it is filled in; without one, as yourself where you are a person of the directory'),
      })
      .meta({ examples: [{ subject: 'News for {{first_name | you}}', body: { blocks: [] } }] }),
  )
  .output(MessagePreview)
