import * as z from 'zod'
import { get } from '../base.ts'
import { CalendarDate, Cursor, Id, Instant, Limit, PersonRef } from '../shapes.ts'

/** What can happen to a person, each under the category that readers choose by. */
export const timelineKinds = {
  'person-entered': 'record',
  'status-changed': 'record',
  'tag-added': 'record',
  'chapter-joined': 'chapters',
  'chapter-left': 'chapters',
  'office-began': 'offices',
  'office-ended': 'offices',
  'group-joined': 'groups',
  'group-left': 'groups',
  'membership-applied': 'membership',
  'membership-approved': 'membership',
  'membership-declined': 'membership',
  'membership-began': 'membership',
  'membership-renewed': 'membership',
  'membership-lapsed': 'membership',
  'membership-cancelled': 'membership',
  'membership-paused': 'membership',
  'membership-resumed': 'membership',
  'invoice-issued': 'dues',
  'credit-note-issued': 'dues',
  'invoice-paid': 'dues',
  'invoice-voided': 'dues',
  'payment-refunded': 'dues',
  'event-attended': 'events',
  'gift-given': 'gifts',
  'pledge-made': 'gifts',
  'recurring-gift-began': 'gifts',
  'recurring-gift-stopped': 'gifts',
  'comment-written': 'comments',
  'note-written': 'notes',
} as const
export type TimelineKind = keyof typeof timelineKinds
export type TimelineCategory = (typeof timelineKinds)[TimelineKind]

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- zod wants the keys as a tuple, and they are all of the list
export const TimelineKind = z.enum(Object.keys(timelineKinds) as [TimelineKind, ...TimelineKind[]])
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the same of the values, of which an enum keeps each once
export const TimelineCategory = z.enum([...new Set(Object.values(timelineKinds))] as [TimelineCategory, ...TimelineCategory[]])

export const TimelineEntry = z.object({
  id: z.string().describe('Of the row that it tells of; unique within a kind'),
  kind: TimelineKind,
  on: CalendarDate.describe('The day, by the organisation’s time zone'),
  at: Instant.nullable().describe('Null where only the day is known'),
  subject: z
    .object({ id: Id, name: z.string() })
    .nullable()
    .describe('The chapter, group, tag, membership, invoice or campaign that it is about; which of them follows from the kind'),
  actor: PersonRef.nullable().describe('Who did it, where that is known and yours to see'),
  params: z.record(z.string(), z.string()).describe('What is told beside names, such as the title of an office'),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const timelineData = {
  ofPerson: get('/people/{personId}/timeline', 'listPersonTimeline', {
    needs: 'signed-in',
    whileActing: true,
    tag: 'Timeline',
    summary: 'What happened to a person, newest first, as far as it is yours to see',
    description: 'Read from the records themselves, so that a correction of a day, a removal or an undo shows at once.',
  })
    .input(z.strictObject({ personId: Id, category: TimelineCategory.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(z.object({ items: z.array(TimelineEntry), nextCursor: z.string().nullable() })),
}
