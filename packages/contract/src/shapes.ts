import * as z from 'zod'
import { isCurrency } from './money.ts'
import { emailPattern } from './email-pattern.ts'
import { Failure, refusal } from './reasons.ts'
import { hiddenIn, linePattern, linesPattern } from './text-rules.ts'

// Shapes that several features use. JSON-native types only: instants and dates are strings.

export const Id = z.uuid()
export const Instant = z.iso.datetime({ offset: true })
export const CalendarDate = z.iso.date('Enter a day that exists, such as 2026-11-30.')
export const Version = z.int().min(1).describe('Send it back in If-Match when you change the record')

/** Not spaces, formatting characters or the blanks that count as letters. */
const visible = /[^\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u
/** What nobody can see is nothing: zero-width characters alone are no name. */
export const seen = (value: string): string => (visible.test(value) ? value : '')

/**
 * Text as people type it, on one line: trimmed, NFC, with something to see, without unpaired surrogates and without the characters that
 * text-rules.ts refuses. `max` counts characters.
 */
export const text = (max: number, min = 0) => typed(linePattern, true, max, min)
/** The same of several lines, such as a note. */
export const lines = (max: number, min = 0) => typed(linesPattern, false, max, min)

/** Refuses the characters of text-rules.ts by name. */
export const nothingHidden =
  (oneLine: boolean) =>
  ({ value, issues }: z.core.ParsePayload<string>) => {
    const character = hiddenIn(value, oneLine)
    if (character === null) return
    const told = refusal('hidden_character', `Remove the character ${character}.`, { character })
    issues.push({ code: 'custom', input: value, continue: false, ...told })
  }
/** A text of a certain form, which the document of the API shows as its pattern. */
export const formed = (pattern: RegExp, refused: ReturnType<typeof refusal>) =>
  z
    .string()
    .refine((value) => pattern.test(value), { ...refused, abort: true })
    .regex(pattern)

export const broken = refusal('broken_character', 'This text contains a broken character.')
const typed = (pattern: RegExp, oneLine: boolean, max: number, min: number) => {
  return z
    .string()
    .check(nothingHidden(oneLine))
    .regex(pattern)
    .trim()
    .normalize('NFC')
    .overwrite(seen)
    .min(min, min === 1 ? 'Enter something here.' : `Enter at least ${min} characters.`)
    .max(max, `Keep this to ${max} characters.`)
    .refine((value) => value.isWellFormed(), broken)
}

export const notAnEmail = refusal('not_an_email', 'Enter an address like name@example.org.')
/** An e-mail address, NFC and without spaces around. */
export const EmailAddress = z
  .string()
  .trim()
  .normalize('NFC')
  .max(320, 'Keep this to 320 characters.')
  .refine((address) => emailPattern.test(address), { ...notAnEmail, abort: true })
  .regex(emailPattern)
  .refine((value) => value.isWellFormed(), broken)

export const Currency = z
  .string()
  .refine(isCurrency, refusal('not_a_currency', 'Enter a currency of ISO 4217, such as EUR.'))
  .describe('ISO 4217 code')
  .meta({ pattern: '^[A-Z]{3}$' })
/** Arithmetic, dividing and reading of amounts: money.ts. */
export const Money = z.strictObject({
  amount: z.int().describe('In the smallest unit of the currency: cents, yen, fils'),
  currency: Currency,
})
export type Money = z.infer<typeof Money>

/** One page of a list. `total` is exact to 10,000; above, `totalIsExact` is false. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Send as cursor for the next page; null on the last'),
    total: z.int().nullable().describe('How many match; null on pages after the first'),
    totalIsExact: z.boolean(),
  })

export const Cursor = z.string().max(1000)
export const Limit = z.int().min(1).max(200).default(50)

/** What every list accepts. `filter` is a JSON text of the list's filter shape; sort is a field name, with a leading "-" downwards. */
export const ListInput = z.strictObject({
  q: z.string().max(200).optional().describe('Free text search'),
  filter: z.string().max(8000).optional().describe('JSON: {"and":[{"or":[{"field","op","value"}]}]}'),
  sort: z.string().max(40).optional(),
  cursor: Cursor.optional(),
  limit: Limit.optional(),
})

/** Operators of filters; which apply depends on the field. */
export const FilterOp = z.enum(['is', 'isNot', 'in', 'notIn', 'contains', 'startsWith', 'before', 'after', 'between', 'empty', 'notEmpty'])
export type FilterOp = z.infer<typeof FilterOp>
const FilterValue = z.union([z.string().max(300), z.number(), z.boolean(), z.array(z.union([z.string().max(300), z.number()])).max(100)])
export const FilterCondition = z.strictObject({ field: z.string().max(40), op: FilterOp, value: FilterValue.optional() })
export type FilterCondition = z.infer<typeof FilterCondition>

/** All groups must hold; within a group any condition suffices. At most 50 conditions. */
export const Filter = z
  .strictObject({ and: z.array(z.strictObject({ or: z.array(FilterCondition).min(1).max(20) })).max(20) })
  .refine((filter) => filter.and.reduce((sum, group) => sum + group.or.length, 0) <= 50, 'Use at most 50 conditions.')
export type Filter = z.infer<typeof Filter>

/** Rows a bulk action is about: ticked ones, or all that match less some. */
export const Selection = z.union([
  z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
  z.strictObject({
    all: z.strictObject({ q: z.string().max(200).optional(), filter: Filter.optional() }),
    except: z.array(Id).max(1000).default([]),
  }),
])
export type Selection = z.infer<typeof Selection>

export const ChapterRef = z.object({ id: Id, name: z.string(), code: z.string() })
export const PersonRef = z.object({
  id: Id,
  displayName: z.string(),
  pictureId: Id.nullable().optional().describe('Their picture; absent where no faces are shown'),
})
export const GroupRef = z.object({ id: Id, name: z.string() })
export const TagColor = z.enum(['gray', 'brand', 'green', 'red', 'amber', 'blue'])
/** Who sees a tag and who carries it. */
export const TagAudience = z.enum(['officers', 'members'])
export const TagRef = z.object({ id: Id, name: z.string(), color: TagColor, audience: TagAudience })

/** Long work as its owner sees it. */
export const Job = z.object({
  id: Id,
  kind: z.enum(['import_check', 'import_run', 'import_undo', 'export', 'bulk']),
  title: z.string(),
  status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  done: z.int(),
  total: z.int().nullable(),
  result: z.record(z.string(), z.unknown()),
  error: Failure.nullable().describe('Why it failed'),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
})
export type Job = z.infer<typeof Job>
