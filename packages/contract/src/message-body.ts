import * as z from 'zod'
import { mentionedIn, safeLink } from './formatted-document.ts'
import { documentLimit, FormattedText, formattedText } from './formatted-text.ts'
import type { MessageBlock as Block, MessageBody as Body, SimpleBlock } from './message-blocks.ts'
import { blockLimit, countBlocks, isAppPath } from './message-blocks.ts'
import { refusal } from './reasons.ts'
import { Id, text } from './shapes.ts'

// The body of a message as people send it: strict, so that it holds nothing but what the editor can make. docs/developers/communication.md

export const MessageHref = z
  .string()
  .max(2000, 'Keep links to 2,000 characters.')
  .refine(
    (value) => safeLink(value) !== undefined || isAppPath(value),
    refusal('not_a_link', 'Enter a link that starts with https://, http:// or mailto:.'),
  )

/** Mentions stay out: what a message says is the same whoever reads it, but for its merge fields. */
const Words = formattedText(20_000).refine((document) => mentionedIn(document).length === 0, 'Use merge fields instead of mentions.')

const picture = { type: z.literal('picture'), fileId: Id.describe('A picture that was uploaded with addMessagePicture') }
const Picture = z
  .strictObject({
    ...picture,
    alt: text(300).describe('What it shows, for who does not see it; empty only where it is decorative'),
    decorative: z.boolean().default(false),
    href: MessageHref.nullable().default(null),
    width: z.enum(['full', 'half', 'third']).default('full'),
  })
  .refine(({ alt, decorative }) => decorative || alt !== '', {
    ...refusal('picture_alt_needed', 'Describe the picture, or mark it as decorative.'),
    path: ['alt'],
  })

const simple = [
  z.strictObject({ type: z.literal('text'), text: Words }),
  z.strictObject({ type: z.literal('button'), label: text(80, 1), href: MessageHref }),
  Picture,
  z.strictObject({ type: z.literal('event'), eventId: Id.describe('Drawn with its name, time, place and a button to its page') }),
  z.strictObject({ type: z.literal('divider') }),
] as const
const Simple = z.discriminatedUnion('type', simple, 'Use text, buttons, pictures, events and dividers only.')
const column = z.array(z.lazy(() => Simple)).max(20)
const Columns = z.strictObject({ type: z.literal('columns'), left: column, right: column })

export const MessageBlock = z.discriminatedUnion(
  'type',
  [...simple, Columns],
  'Use text, buttons, pictures, events, columns and dividers only.',
)

export const MessageBody = z
  .strictObject({ blocks: z.array(MessageBlock).max(blockLimit) })
  .refine((body) => countBlocks(body) <= blockLimit, refusal('too_many_blocks', `Use at most ${blockLimit} blocks.`, { max: blockLimit }))
  .refine(
    (body) => JSON.stringify(body).length <= documentLimit,
    refusal('text_too_formatted', 'This text has too much formatting. Split it or simplify it.'),
  )
  .meta({
    examples: [
      {
        blocks: [
          {
            type: 'text',
            text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello {{first_name | friend}},' }] }] },
          },
          { type: 'button', label: 'Read more', href: 'https://example.org/news' },
        ],
      },
    ],
  })

export const MessageSubject = text(200).describe('May have merge fields, such as {{first_name | friend}}')
export const Preheader = text(200).describe('What programs show beside the subject; may have merge fields')

/** As it is answered: what was stored under rules of its time. */
const answered = [
  z.strictObject({ type: z.literal('text'), text: FormattedText }),
  z.strictObject({ type: z.literal('button'), label: z.string(), href: z.string() }),
  z.strictObject({
    ...picture,
    alt: z.string(),
    decorative: z.boolean(),
    href: z.string().nullable(),
    width: z.enum(['full', 'half', 'third']),
  }),
  z.strictObject({ type: z.literal('event'), eventId: Id }),
  z.strictObject({ type: z.literal('divider') }),
] as const
const AnsweredSimple: z.ZodType<SimpleBlock> = z.discriminatedUnion('type', answered)
const answeredColumn = z.array(z.lazy(() => AnsweredSimple))
export const StoredMessageBody: z.ZodType<Body> = z.object({
  blocks: z.array(
    z.discriminatedUnion('type', [
      ...answered,
      z.strictObject({ type: z.literal('columns'), left: answeredColumn, right: answeredColumn }),
    ]) satisfies z.ZodType<Block>,
  ),
})
