import * as z from 'zod'
import type { FormattedBlock, FormattedInline } from './formatted-document.ts'
import { nestingLimit, safeLink, textLength, toStore } from './formatted-document.ts'
import { refusal } from './reasons.ts'
import { broken, Id, nothingHidden } from './shapes.ts'
import { linesPattern } from './text-rules.ts'

// Formatted text as people send it: strict, so that a document holds nothing but what the editor can make. docs/developers/formatted-text.md

const Words = z
  .string()
  .min(1)
  .check(nothingHidden(false))
  .regex(linesPattern)
  .refine((value) => value.isWellFormed(), broken)
  // Line breaks are nodes of their own.
  .overwrite((value) => value.replace(/[\n\r\t]+/g, ' ').normalize('NFC'))

const Href = z
  .string()
  .max(2000, 'Keep links to 2,000 characters.')
  .refine((value) => safeLink(value) !== undefined, refusal('not_a_link', 'Enter a link that starts with https://, http:// or mailto:.'))

const Mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bold') }),
  z.strictObject({ type: z.literal('italic') }),
  z.strictObject({ type: z.literal('strike') }),
  z.strictObject({ type: z.literal('code') }),
  z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href: Href }) }),
])
const marks = z
  .array(Mark)
  .max(5)
  .refine((all) => new Set(all.map(({ type }) => type)).size === all.length, 'Each mark can be there once.')
  .optional()

const Inline: z.ZodType<FormattedInline> = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), text: Words, marks }),
    z.strictObject({
      type: z.literal('mention'),
      attrs: z.strictObject({
        personId: Id,
        label: z
          .string()
          .max(300)
          .nullable()
          .optional()
          .describe('Name of the person, or null when it is not yours to see; ignored when sent'),
      }),
      marks,
    }),
    z.strictObject({ type: z.literal('hardBreak'), marks }),
  ],
  'Use text, mentions and line breaks only.',
)
const inlines = z
  .array(z.lazy(() => Inline))
  .max(20_000)
  .optional()

const plain = [
  z.strictObject({ type: z.literal('paragraph'), content: inlines }),
  z.strictObject({ type: z.literal('heading'), attrs: z.strictObject({ level: z.int().min(2).max(4) }), content: inlines }),
  z.strictObject({ type: z.literal('horizontalRule') }),
] as const
const blockLimit = 20_000

/** Blocks with so many levels of lists and quotes below them: no document can make a walk go deeper. */
const blocks = (level: number): z.ZodType<FormattedBlock[]> => {
  if (level === 0) {
    const error = `Nest lists and quotes at most ${nestingLimit} levels deep.`
    return z.array(z.lazy(() => z.discriminatedUnion('type', plain, error))).max(blockLimit)
  }
  const below = z.lazy(() => blocks(level - 1))
  // As the editor has it: the sign of an item stands beside a paragraph.
  const content = below.refine((inner) => inner[0]?.type === 'paragraph', 'Begin each item of a list with a paragraph.')
  const items = z
    .array(z.strictObject({ type: z.literal('listItem'), content }))
    .min(1)
    .max(blockLimit)
  const block = z.lazy(() =>
    z.discriminatedUnion(
      'type',
      [
        ...plain,
        z.strictObject({ type: z.literal('bulletList'), content: items }),
        z.strictObject({
          type: z.literal('orderedList'),
          attrs: z.strictObject({ start: z.int().min(1).max(100_000) }).optional(),
          content: items,
        }),
        z.strictObject({ type: z.literal('blockquote'), content: below.refine((inner) => inner.length > 0, 'Leave out empty quotes.') }),
      ],
      'Use paragraphs, headings, lists, quotes and rules only.',
    ),
  )
  return z.array(block).max(blockLimit)
}

/** Named once in the API description. */
export const FormattedBlocks = blocks(nestingLimit)

/** A formatted text as it is answered, with the names of people mentioned. */
export const FormattedText = z.strictObject({ type: z.literal('doc'), content: FormattedBlocks }).meta({
  examples: [{ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Keeps the minutes since 1901.' }] }] }],
})

/** How large a document may be as JSON; the body of a request holds a megabyte. */
export const documentLimit = 600_000

/** A formatted text as it is sent, of so many characters at most. */
export const formattedText = (max = 50_000, min = 0) =>
  FormattedText.overwrite(toStore)
    .refine(
      (document) => textLength(document) <= max,
      refusal('text_too_long', `Keep this to ${max.toLocaleString('en')} characters.`, { max }),
    )
    .refine((document) => min === 0 || document.content.length > 0, refusal('text_needed', 'Enter something here.'))
    .refine(
      (document) => JSON.stringify(document).length <= documentLimit,
      refusal('text_too_formatted', 'This text has too much formatting. Split it or simplify it.'),
    )
