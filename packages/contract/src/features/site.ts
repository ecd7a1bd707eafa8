import * as z from 'zod'
import { get, patch, post } from '../base.ts'
import { Cursor, EmailAddress, Id, Instant, Limit, lines, page, text } from '../shapes.ts'

const tag = 'Site'

/** What everybody may know of the organisation, signed in or not. */
export const PublicOrganisation = z.object({ name: z.string(), locale: z.string(), contactEmail: z.string().nullable() })

/** What everybody may know of a chapter, where the organisation shows its chapters at all. */
export const PublicChapter = z.object({
  name: z.string(),
  code: z.string().describe('Unique in the organisation'),
  city: z.string(),
  parent: z.string().nullable().describe('Name of the chapter above, if that one is active'),
  contactEmail: z.string(),
  website: z.string(),
  hasPage: z.boolean().describe('Whether it has a public page, at /public/chapters/{code}'),
})
export type PublicChapter = z.infer<typeof PublicChapter>

export const ContactRequest = z
  .strictObject({
    name: text(150, 1),
    email: EmailAddress,
    topic: text(100, 1),
    message: lines(5000, 1),
    website: z.string().max(500).optional().describe('Leave empty: a field that people do not see and machines fill in'),
  })
  .meta({ examples: [{ name: 'Ada Lovelace', email: 'ada@example.org', topic: 'Membership', message: 'How do I join?' }] })
export type ContactRequest = z.infer<typeof ContactRequest>

export const ContactMessage = z.object({
  id: Id,
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  topic: z.string(),
  message: z.string(),
  handledAt: Instant.nullable(),
  createdAt: Instant,
})
export type ContactMessage = z.infer<typeof ContactMessage>

export const Menu = z.object({
  pins: z
    .array(z.object({ kind: z.enum(['page', 'person', 'chapter', 'group']), id: z.string(), label: z.string().nullable() }))
    .describe('What the account pinned, in its order; label is null for pages, and for records that are gone or not the account’s to see'),
  waiting: z
    .object({ home: z.int(), account: z.int() })
    .describe('What waits for the account: requests to join groups; requests for access and messages. Each stops at 1,000'),
})
export type Menu = z.infer<typeof Menu>

export const siteData = {
  menu: get('/menu', 'getMenu', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What the account pinned, and how much waits for it in each area',
  }).output(Menu),
  organisation: get('/site/organisation', 'getPublicOrganisation', {
    needs: 'public',
    tag,
    summary: 'Name, language and contact address for the public pages',
  }).output(PublicOrganisation),
  chapters: get('/site/chapters', 'listPublicChapters', {
    needs: 'public',
    tag,
    summary: 'Active chapters for the public pages, by name; none unless the organisation shows them',
    description: 'Searches name, code, city and the names of the chapters above, such as a region.',
  })
    .input(
      z.strictObject({
        q: z.string().max(200).optional().describe('Words that must all be found'),
        cursor: Cursor.optional(),
        limit: z.int().min(1).max(50).default(10).optional(),
      }),
    )
    .output(page(PublicChapter)),
  messages: {
    list: get('/site/messages', 'listContactMessages', {
      needs: 'organisation.manage',
      tag,
      summary: 'What came in through the contact page, newest first',
    })
      .input(z.strictObject({ handled: z.boolean().optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
      .output(page(ContactMessage)),
    update: patch('/site/messages/{messageId}', 'updateContactMessage', {
      needs: 'organisation.manage',
      tag,
      ifMatch: false,
      summary: 'Mark a message as handled, or as open again',
    })
      .input(z.strictObject({ messageId: Id, handled: z.boolean() }))
      .output(ContactMessage),
  },
}

export const siteActions = {
  contact: post('/site/contact', 'sendContactMessage', {
    needs: 'public',
    tag,
    idempotent: false,
    summary: 'Send a message to the organisation’s administrators',
    description: 'The message is kept even when mail is down. 429 after too many messages from one place.',
  })
    .input(ContactRequest)
    .output(z.object({ reference: z.string().describe('To quote when asking again, such as K7M-2QX') })),
}
