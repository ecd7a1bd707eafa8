import { emailPattern } from '../email-pattern.ts'
import * as z from 'zod'
import { del, get, patch, post } from '../base.ts'
import { bulkProcedures } from '../bulk.ts'
import { refusal } from '../reasons.ts'
import {
  notAnEmail,
  CalendarDate,
  ChapterRef,
  Cursor,
  Id,
  Instant,
  Limit,
  ListInput,
  PersonRef,
  TagRef,
  Version,
  lines,
  page,
  text,
} from '../shapes.ts'
import { fieldBulkChanges, FieldChange, FieldColumns, FieldsOfRow, FieldValues } from './fields.ts'
import { isTimezone } from '../zones.ts'
import { AffiliationKind, When } from './people.ts'

const tag = 'Chapters'

export const ChapterLevel = z.enum(['national', 'region', 'district', 'chapter', 'club'])
export type ChapterLevel = z.infer<typeof ChapterLevel>
export const ChapterStatus = z.enum(['prospective', 'active', 'probation', 'suspended', 'dormant', 'closed'])
export type ChapterStatus = z.infer<typeof ChapterStatus>
/** What someone may set by hand; closing and reopening are acts of their own, since they have conditions. */
export const SettableChapterStatus = ChapterStatus.exclude(['closed'])
/** A tree is at most so many levels deep. */
export const chapterDepthLimit = 8

// Lists -----------------------------------------------------------------------------------------------------------------------------

/** What chapters can be filtered by; `within` is a chapter and everything below it, `below` the same without itself, `under` only its direct children; `messages` are those that the caller writes messages for. */
export const chaptersFilterFields = {
  level: { kind: 'choice', options: ChapterLevel.options },
  status: { kind: 'choice', options: ChapterStatus.options },
  within: { kind: 'id', of: 'chapter' },
  below: { kind: 'id', of: 'chapter' },
  under: { kind: 'id', of: 'chapter' },
  name: { kind: 'text' },
  code: { kind: 'text' },
  city: { kind: 'text' },
  charteredOn: { kind: 'date' },
  tag: { kind: 'id', of: 'tag' },
  mine: { kind: 'flag' },
  messages: { kind: 'flag' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export type ChaptersFilterField = keyof typeof chaptersFilterFields

export const ChapterSort = z.enum(['name', 'code', 'charteredOn', 'match'])
export type ChapterSort = z.infer<typeof ChapterSort>

export const ChaptersListInput = ListInput.extend({
  sort: z
    .string()
    .max(40)
    .optional()
    .describe(
      'name (default), code, charteredOn, match (best match for q, by name without q) or fields.key; put "-" in front to reverse the order',
    ),
  columns: FieldColumns,
}).meta({ examples: [{ q: 'west', filter: '{"and":[{"or":[{"field":"status","op":"is","value":"active"}]}]}', limit: 20 }] })

export const ChapterRow = z.object({
  id: Id,
  parent: ChapterRef.nullable(),
  name: z.string(),
  code: z.string(),
  level: ChapterLevel,
  status: ChapterStatus,
  depth: z.int(),
  city: z.string(),
  contactEmail: z.string(),
  charteredOn: CalendarDate.nullable(),
  members: z.int().describe('Members of today, of this chapter alone'),
  tags: z.array(TagRef).describe('Those you see'),
  version: Version,
  fields: FieldsOfRow,
})
export type ChapterRow = z.infer<typeof ChapterRow>

/** One node of the tree; roll-ups count a chapter with everything below it, and a person once per chapter. */
export const ChapterNode = z.object({
  id: Id,
  parentId: Id.nullable(),
  name: z.string(),
  code: z.string(),
  level: ChapterLevel,
  status: ChapterStatus,
  depth: z.int().describe('1 at the top'),
  members: z.int(),
  alumni: z.int(),
  subtreeMembers: z.int(),
  subtreeAlumni: z.int(),
  subchapters: z.int().describe('Direct children'),
  officers: z.int().describe('People in office today, of this chapter alone'),
  vacancies: z.int().describe('Mandatory seats that nobody holds today'),
})
export type ChapterNode = z.infer<typeof ChapterNode>

// One chapter -----------------------------------------------------------------------------------------------------------------------

export const KindCounts = z.object({ member: z.int(), alumni: z.int(), advisor: z.int(), friend: z.int(), applicant: z.int() })
export type KindCounts = z.infer<typeof KindCounts>

/** One month of memberships: people who joined and left a chapter, counted by the dates of their memberships. */
const MonthOfMembers = z.object({ month: z.string().describe('2026-11'), joins: z.int(), leaves: z.int() })
export const MemberMonths = z.object({
  months: z.array(MonthOfMembers).length(12).describe('Oldest first; the last one is not over yet'),
  before: z.array(MonthOfMembers).length(12).describe('The twelve months before these'),
})
export type MemberMonths = z.infer<typeof MemberMonths>

export const ChapterGrowth = z.object({
  growth: MemberMonths.extend({ members: z.int().describe('Memberships of today') })
    .nullable()
    .describe('With everything below; null without the right to see contact data of the chapter'),
})
export type ChapterGrowth = z.infer<typeof ChapterGrowth>

export const Officer = z.object({
  id: Id.describe('Of the term: one person in one office from when to when'),
  position: z.object({ id: Id, title: z.string(), mandatory: z.boolean() }),
  person: PersonRef,
  startsOn: CalendarDate,
  endsOn: CalendarDate.nullable(),
  when: When,
  note: z.string(),
  version: Version,
})
export type Officer = z.infer<typeof Officer>

export const Vacancy = z.object({ positionId: Id, title: z.string(), mandatory: z.boolean(), openSeats: z.int() })
export type Vacancy = z.infer<typeof Vacancy>

/** What the caller may do with this chapter; screens offer nothing else. */
export const ChapterMay = z.object({
  edit: z.boolean().describe('Name, about, city, contact and website'),
  manage: z.boolean().describe('Code, level, status, place in the tree, sub-chapters, closing'),
  appoint: z.boolean().describe('Define offices and appoint officers'),
  addPeople: z.boolean().describe('Enter people and memberships here'),
  manageGroups: z.boolean(),
  seeHistory: z.boolean(),
})

export const Chapter = z.object({
  id: Id,
  parent: ChapterRef.nullable(),
  ancestors: z.array(ChapterRef).describe('From the top of the tree down to the parent'),
  name: z.string(),
  code: z.string(),
  level: ChapterLevel,
  status: ChapterStatus,
  depth: z.int(),
  about: z.string(),
  city: z.string(),
  contactEmail: z.string(),
  website: z.string(),
  timezone: z.string().describe('IANA name, empty for that of the organisation'),
  charteredOn: CalendarDate.nullable(),
  closedOn: CalendarDate.nullable(),
  counts: z.object({ own: KindCounts, subtree: KindCounts }),
  subchapters: z.array(ChapterRow).describe('Direct children, by name; at most 200'),
  descendants: z.int().describe('All chapters below'),
  groups: z.int().describe('Groups of this chapter that you may see, archived ones left out'),
  officers: z.array(Officer).describe('In office today; at most 100'),
  vacancies: z.array(Vacancy).describe('Mandatory offices with open seats'),
  tags: z.array(TagRef).describe('Those you see'),
  publicPage: z.boolean().describe('Whether the page of the chapter is published, at /public/chapters/{code}'),
  publicPageOpen: z
    .boolean()
    .describe(
      'Whether everybody can open that page now; not while the chapter is not active or the organisation does not show its chapters',
    ),
  fields: FieldValues.describe('Fields of the organisation, those with a value that is yours to see'),
  may: ChapterMay,
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
})
export type Chapter = z.infer<typeof Chapter>

const OneChapter = z.strictObject({ chapterId: Id })
const OptionalEmail = text(320).refine((value) => value === '' || emailPattern.test(value), notAnEmail)
const OptionalWebsite = text(500).refine(
  (value) => value === '' || /^https?:\/\/\S+$/i.test(value),
  refusal('not_a_web_address', 'Enter an address that starts with https://.'),
)
const Timezone = text(60).refine(
  (value) => value === '' || isTimezone(value),
  refusal('not_a_timezone', 'Enter a time zone such as Europe/Paris.'),
)

const Facts = {
  name: text(150, 1),
  code: text(40, 1),
  level: ChapterLevel,
  status: SettableChapterStatus,
  about: lines(5000),
  city: text(100),
  contactEmail: OptionalEmail,
  website: OptionalWebsite,
  timezone: Timezone,
  charteredOn: CalendarDate.nullable(),
  publicPage: z.boolean(),
}

export const NewChapter = z
  .strictObject({
    ...z.strictObject(Facts).partial().shape,
    name: Facts.name,
    code: Facts.code,
    parentId: Id.nullable().default(null).describe('Null for the top of the tree'),
    fields: FieldChange.optional(),
  })
  .meta({ examples: [{ name: 'Lyon', code: 'FR-LYO', level: 'chapter', parentId: '01920000-0000-7000-8000-000000000001', city: 'Lyon' }] })
export type NewChapter = z.infer<typeof NewChapter>

export const ChapterChange = z
  .strictObject({ ...Facts, fields: FieldChange })
  .partial()
  .meta({ examples: [{ about: 'We meet on Tuesdays.', city: 'Lyon' }] })
export type ChapterChange = z.infer<typeof ChapterChange>

// Members ---------------------------------------------------------------------------------------------------------------------------

export const ChapterMember = z.object({
  id: Id.describe('Of the membership'),
  person: PersonRef.extend({ memberNo: z.string().nullable(), gradYear: z.int().nullable() }),
  chapter: ChapterRef,
  kind: AffiliationKind,
  startsOn: CalendarDate,
  endsOn: CalendarDate.nullable(),
  isPrimary: z.boolean(),
  when: When,
  primaryEmail: z.string().nullable().describe('Null when there is none or it is not yours to see'),
  version: Version,
})
export type ChapterMember = z.infer<typeof ChapterMember>

export const ChapterMembersInput = z.strictObject({
  chapterId: Id,
  q: z.string().max(200).optional().describe('Part of a name, member number or e-mail address'),
  subtree: z.boolean().optional().describe('Also everything below; false when left out'),
  kind: AffiliationKind.optional(),
  when: z.enum(['current', 'former']).optional().describe('current when left out'),
  cursor: Cursor.optional(),
  limit: Limit.optional(),
})

// Offices ---------------------------------------------------------------------------------------------------------------------------

export const Position = z.object({
  id: Id,
  chapterId: Id,
  title: z.string(),
  role: z.object({ id: Id, key: z.string(), name: z.string() }).nullable().describe('What holding it allows here and below'),
  termMonths: z.int().nullable(),
  maxHolders: z.int(),
  mandatory: z.boolean(),
  memberOnly: z.boolean(),
  holders: z.int().describe('People in it today'),
  version: Version,
})
export type Position = z.infer<typeof Position>

const PositionFacts = {
  title: text(150, 1),
  roleId: Id.nullable().describe('A role whose rights you hold here yourself'),
  termMonths: z.int().min(1).max(120).nullable(),
  maxHolders: z.int().min(1).max(1000),
  mandatory: z.boolean(),
  memberOnly: z.boolean(),
}
export const NewPosition = z
  .strictObject({ ...z.strictObject(PositionFacts).partial().shape, title: PositionFacts.title })
  .meta({ examples: [{ title: 'Treasurer', termMonths: 12, mandatory: true, memberOnly: true }] })
export type NewPosition = z.infer<typeof NewPosition>
export const PositionChange = z.strictObject(PositionFacts).partial()
export type PositionChange = z.infer<typeof PositionChange>
const OnePosition = z.strictObject({ chapterId: Id, positionId: Id })

export const Appointment = z
  .strictObject({
    personId: Id,
    startsOn: CalendarDate.optional().describe('Today when left out'),
    endsOn: CalendarDate.nullable().optional().describe('The office’s usual term when left out; null for no end'),
    note: lines(500).optional(),
  })
  .meta({ examples: [{ personId: '01920000-0000-7000-8000-000000000002', startsOn: '2026-07-01' }] })
export type Appointment = z.infer<typeof Appointment>

export const chaptersData = {
  tree: get('/chapters/tree', 'getChapterTree', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'The whole tree with counts; parents before their children',
  })
    .input(z.strictObject({ closed: z.boolean().optional().describe('Also closed chapters; false when left out') }))
    .output(z.object({ items: z.array(ChapterNode) })),
  list: get('/chapters', 'listChapters', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Chapters, a page at a time; searches name and code',
    description: 'Closed chapters come only with a filter on `status`.',
  })
    .input(ChaptersListInput)
    .output(page(ChapterRow)),
  create: post('/chapters', 'createChapter', { needs: 'chapters.manage', tag, summary: 'Make a chapter' })
    .input(NewChapter)
    .output(Chapter),
  get: get('/chapters/{chapterId}', 'getChapter', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'A chapter with roll-ups, officers and vacancies',
  })
    .input(OneChapter)
    .output(Chapter),
  growth: get('/chapters/{chapterId}/growth', 'getChapterGrowth', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'How many joined and left a chapter and everything below it, by month over two years',
  })
    .input(OneChapter)
    .output(ChapterGrowth),
  update: patch('/chapters/{chapterId}', 'updateChapter', {
    needs: 'chapters.edit',
    tag,
    summary: 'Change a chapter; code, level, status and charter date are for those who manage chapters',
  })
    .input(ChapterChange.extend(OneChapter.shape))
    .output(Chapter),
  move: post('/chapters/{chapterId}/move', 'moveChapter', {
    needs: 'chapters.manage',
    tag,
    status: 200,
    ifMatch: true,
    summary: 'Put a chapter, with everything below it, under another parent',
    description: '422 `chapters_no_circle` when the new parent stands below it, 422 `chapters_too_deep` beyond eight levels.',
  })
    .input(z.strictObject({ chapterId: Id, parentId: Id.nullable() }))
    .output(Chapter),
  close: post('/chapters/{chapterId}/close', 'closeChapter', {
    needs: 'chapters.manage',
    tag,
    status: 200,
    ifMatch: true,
    summary: 'Close a chapter that has no open sub-chapters and no live memberships; ends its terms of office',
    description: '409 `chapter_in_use` otherwise, with `current: { subchapters, people }`.',
  })
    .input(z.strictObject({ chapterId: Id, closedOn: CalendarDate.optional().describe('Today when left out') }))
    .output(Chapter),
  reopen: post('/chapters/{chapterId}/reopen', 'reopenChapter', {
    needs: 'chapters.manage',
    tag,
    status: 200,
    ifMatch: true,
    summary: 'Open a closed chapter again; its parent must be open',
  })
    .input(OneChapter)
    .output(Chapter),
  previewPage: post('/chapters/{chapterId}/page-previews', 'previewChapterPage', {
    needs: 'chapters.edit',
    tag,
    perHour: 60,
    summary: 'Make a link that shows the public page of a chapter for an hour, published or not',
  })
    .input(OneChapter)
    .output(z.object({ path: z.string().describe('Of the page; anyone who has it can open it'), expiresAt: Instant })),
  members: get('/chapters/{chapterId}/members', 'listChapterMembers', {
    needs: 'people.directory',
    whileActing: true,
    tag,
    summary: 'Who belongs or belonged to a chapter, by name',
    readsPeople: 50,
  })
    .input(ChapterMembersInput)
    .output(page(ChapterMember)),
  officers: get('/chapters/{chapterId}/officers', 'listChapterOfficers', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Terms of office: current by office, upcoming by start, history by end, newest first',
    readsPeople: 50,
  })
    .input(
      z.strictObject({
        chapterId: Id,
        when: z.enum(['current', 'upcoming', 'history']).optional().describe('current when left out'),
        q: z.string().max(200).optional().describe('Part of an office’s title or a person’s name'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(Officer).extend({ vacancies: z.array(Vacancy).describe('Open seats of today; empty unless current') })),

  positions: {
    list: get('/chapters/{chapterId}/positions', 'listPositions', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Offices of a chapter, by title',
    })
      .input(OneChapter)
      .output(z.object({ items: z.array(Position) })),
    create: post('/chapters/{chapterId}/positions', 'createPosition', { needs: 'positions.appoint', tag, summary: 'Define an office' })
      .input(NewPosition.extend(OneChapter.shape))
      .output(Position),
    update: patch('/chapters/{chapterId}/positions/{positionId}', 'updatePosition', {
      needs: 'positions.appoint',
      tag,
      summary: 'Change an office',
    })
      .input(PositionChange.extend(OnePosition.shape))
      .output(Position),
    remove: del('/chapters/{chapterId}/positions/{positionId}', 'removePosition', {
      needs: 'positions.appoint',
      tag,
      summary: 'Remove an office that nobody ever held',
      description: '409 `position_held` otherwise, since its history would go with it.',
    })
      .input(OnePosition)
      .output(z.void()),
    appoint: post('/chapters/{chapterId}/positions/{positionId}/holders', 'appointOfficer', {
      needs: 'positions.appoint',
      tag,
      summary: 'Appoint a person to an office',
      description: '409 `position_holders_seats` when it is taken in that time, 422 `position_holders_member_only` for a non-member.',
    })
      .input(Appointment.extend(OnePosition.shape))
      .output(Officer),
    updateHolder: patch('/chapters/{chapterId}/positions/{positionId}/holders/{holderId}', 'updateTerm', {
      needs: 'positions.appoint',
      tag,
      summary: 'Change a term of office; ending it is setting endsOn, the last day in office',
    })
      .input(
        OnePosition.extend({
          holderId: Id,
          startsOn: CalendarDate.optional(),
          endsOn: CalendarDate.nullable().optional(),
          note: lines(500).optional(),
        }),
      )
      .output(Officer),
    removeHolder: del('/chapters/{chapterId}/positions/{positionId}/holders/{holderId}', 'removeTerm', {
      needs: 'positions.appoint',
      tag,
      summary: 'Remove a term that was entered by mistake',
    })
      .input(OnePosition.extend({ holderId: Id }))
      .output(z.void()),
  },
}

// Many at once ----------------------------------------------------------------------------------------------------------------------

export const ChapterBulkChange = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('tag'), tagId: Id }),
  z.strictObject({ do: z.literal('untag'), tagId: Id }),
  z.strictObject({ do: z.literal('status'), status: SettableChapterStatus }),
  ...fieldBulkChanges,
])
export type ChapterBulkChange = z.infer<typeof ChapterBulkChange>

export const chaptersActions = {
  bulk: bulkProcedures({
    path: '/chapters',
    name: 'Chapters',
    tag,
    records: 'chapters',
    change: ChapterBulkChange,
    example: { do: 'status', status: 'dormant' },
  }),
}
