import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { CalendarDate, ChapterRef, Cursor, Filter, Id, Instant, Limit, Version, page, text } from '../shapes.ts'
import { Failure } from '../reasons.ts'
import { ReportSubject, reportCategories } from './reports.subjects.ts'

const tag = 'Reports'

// Questions -------------------------------------------------------------------------------------------------------------------------

export const ReportCategory = z.enum(reportCategories)
export type ReportCategory = z.infer<typeof ReportCategory>

/** The reports that come with the product. */
export const StandardReport = z.enum([
  'membership',
  'joins-and-leaves',
  'retention',
  'grace-and-renewal',
  'members-by-chapter',
  'giving',
  'donor-retention',
  'top-donors',
  'funds',
  'recurring-giving',
  'pledges-overdue',
  'events',
  'attendance',
  'chapters',
  'officers',
  'messages',
  'data-quality',
])
export type StandardReport = z.infer<typeof StandardReport>
/** Where each stands on the page of reports, and what it can be asked: of a range, compared with the year before, or of a day of the past. */
export const standardReports = {
  membership: { category: 'membership', range: false, compare: true, asOf: true },
  'joins-and-leaves': { category: 'membership', range: true, compare: true, asOf: false },
  retention: { category: 'membership', range: true, compare: false, asOf: false },
  'grace-and-renewal': { category: 'membership', range: false, compare: false, asOf: true },
  'members-by-chapter': { category: 'membership', range: false, compare: true, asOf: true },
  giving: { category: 'giving', range: true, compare: true, asOf: false },
  'donor-retention': { category: 'giving', range: false, compare: false, asOf: false },
  'top-donors': { category: 'giving', range: true, compare: false, asOf: false },
  funds: { category: 'giving', range: true, compare: true, asOf: false },
  'recurring-giving': { category: 'giving', range: false, compare: false, asOf: false },
  'pledges-overdue': { category: 'giving', range: false, compare: false, asOf: false },
  events: { category: 'events', range: true, compare: true, asOf: false },
  attendance: { category: 'events', range: true, compare: true, asOf: false },
  chapters: { category: 'chapters', range: false, compare: true, asOf: true },
  officers: { category: 'chapters', range: false, compare: false, asOf: true },
  messages: { category: 'communication', range: true, compare: true, asOf: false },
  'data-quality': { category: 'quality', range: false, compare: false, asOf: false },
} as const satisfies Record<StandardReport, { category: ReportCategory; range: boolean; compare: boolean; asOf: boolean }>

export const ReportSpan = z.enum([
  'thisMonth',
  'lastMonth',
  'thisQuarter',
  'lastQuarter',
  'thisYear',
  'lastYear',
  'last12Months',
  'last5Years',
  'all',
])
export type ReportSpan = z.infer<typeof ReportSpan>
/** Days from first to last, both included, or a span that moves with the calendar of the organisation. */
export const ReportRange = z.union([z.strictObject({ span: ReportSpan }), z.strictObject({ since: CalendarDate, until: CalendarDate })])
export type ReportRange = z.infer<typeof ReportRange>

export const ReportBucket = z.enum(['day', 'week', 'month', 'quarter', 'year'])
export type ReportBucket = z.infer<typeof ReportBucket>
export const ReportPicture = z.enum(['table', 'number', 'bars', 'line', 'area', 'share', 'stacked', 'grid'])
export type ReportPicture = z.infer<typeof ReportPicture>

const FieldKey = z.string().min(1).max(40)
export const ReportGroup = z.strictObject({
  field: FieldKey,
  bucket: ReportBucket.optional().describe('Of fields that are days; month unless stated'),
  level: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('Of fields that are chapters: the chapter at this level of the tree, 0 the top; the chapter itself unless stated'),
})
export type ReportGroup = z.infer<typeof ReportGroup>

const shared = {
  chapterId: Id.nullable().default(null).describe('This chapter and those below it'),
  range: ReportRange.nullable().default(null).describe('Of the day of the subject or report; the whole history where null'),
  compare: z.boolean().default(false).describe('With the year before'),
  asOf: z
    .union([z.literal('today'), CalendarDate])
    .nullable()
    .default(null)
    .describe(
      'What was so on a day of the past, or on the day on which it is answered; null is today for standard reports, and everything ever recorded for others',
    ),
}
export const StandardQuestion = z.strictObject({
  kind: z.literal('standard'),
  report: StandardReport,
  ...shared,
  by: z
    .enum(['month', 'quarter', 'year', 'chapter', 'region', 'type'])
    .optional()
    .describe('How the rows are grouped, where the report allows it'),
})
export type StandardQuestion = z.infer<typeof StandardQuestion>
export const OwnQuestion = z.strictObject({
  kind: z.literal('own'),
  subject: ReportSubject,
  ...shared,
  filter: Filter.optional(),
  groupBy: z.array(ReportGroup).max(2).default([]),
  measures: z.array(FieldKey).min(1, 'Choose a measure.').max(4),
  picture: ReportPicture.default('table'),
})
export type OwnQuestion = z.infer<typeof OwnQuestion>
/** One checked question, answered by one engine: what is saved, mailed and asked by the assistant. */
export const ReportQuestion = z.discriminatedUnion('kind', [StandardQuestion, OwnQuestion])
export type ReportQuestion = z.infer<typeof ReportQuestion>
const questionExample = {
  kind: 'own',
  subject: 'memberships',
  groupBy: [{ field: 'chapter' }],
  measures: ['memberships'],
  filter: { and: [{ or: [{ field: 'status', op: 'is', value: 'active' }] }] },
}

// Answers ---------------------------------------------------------------------------------------------------------------------------

export const ReportUnitOf = z.enum(['count', 'money', 'percent', 'days', 'number'])
/** Keys and measures are codes that a screen has words for; `label` is what the organisation calls something itself. */
export const ReportKey = z.object({
  value: z.string().nullable().describe('Code, id, day or text; null where nothing is known'),
  label: z.string().nullable().describe('Name of a record or text of the organisation; null where the value is a code or a day'),
})
export type ReportKey = z.infer<typeof ReportKey>
const Values = z
  .array(z.number().nullable())
  .describe('In the order of the measures; money in the smallest unit; percent 0 to 100; null where it cannot be said')
export const ReportRow = z.object({
  keys: z.array(ReportKey).describe('In the order of the dimensions'),
  values: Values,
  previous: Values.nullable().describe('The year before; null without comparison'),
  isHidden: z.boolean().describe('Fewer than five people: the values are kept back'),
})
export type ReportRow = z.infer<typeof ReportRow>

export const ReportAnswer = z.object({
  dimensions: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(['choice', 'record', 'chapter', 'day', 'number', 'yesNo', 'text', 'person']),
      bucket: ReportBucket.nullable(),
    }),
  ),
  measures: z.array(z.object({ key: z.string(), unit: ReportUnitOf, currency: z.string().nullable() })),
  rows: z.array(ReportRow).describe('At most 1,000'),
  total: Values.describe(
    'Over everything, rows that are cut included; different people count once, shares and averages are those of everything',
  ),
  previousTotal: Values.nullable(),
  isCut: z.boolean().describe('There are more than 1,000 rows'),
  hidden: z.int().describe('Rows whose values are kept back'),
  picture: ReportPicture,
  scope: ChapterRef.nullable(),
  range: z.object({ since: CalendarDate.nullable(), until: CalendarDate.nullable() }).nullable().describe('As it was understood'),
  asOf: CalendarDate.nullable(),
  at: Instant.describe('Time of the data'),
})
export type ReportAnswer = z.infer<typeof ReportAnswer>

/** One row of the list behind a figure. */
export const ReportRecord = z.object({
  kind: z.enum([
    'person',
    'chapter',
    'group',
    'event',
    'campaign',
    'membership',
    'invoice',
    'payment',
    'gift',
    'pledge',
    'plan',
    'message',
    'relationship',
  ]),
  id: Id,
  personId: Id.nullable().describe('Whom it is about, where it is about a person'),
  name: z.string(),
  chapter: ChapterRef.nullable(),
  detail: z.string().nullable().describe('A code or text that tells it apart: status, type, title'),
  on: CalendarDate.nullable(),
  amount: z.object({ amount: z.int(), currency: z.string() }).nullable(),
})
export type ReportRecord = z.infer<typeof ReportRecord>

const Behind = z.strictObject({
  question: ReportQuestion,
  keys: z.array(z.string().max(200).nullable()).max(2).default([]).describe('Values of the row’s dimensions; everything where empty'),
  measure: FieldKey.describe('Whose rows are asked for; those that count in it'),
})

/** The total of a report beside what its list comes to, counted apart from each other. */
export const ReportCheck = z.object({
  measure: z.string(),
  report: z.number().nullable(),
  list: z.number().nullable().describe('Null where the measure is a share or an average, which no list adds up to'),
  matches: z.boolean(),
  at: Instant,
})
export type ReportCheck = z.infer<typeof ReportCheck>

// Saved reports ---------------------------------------------------------------------------------------------------------------------

export const ReportSharing = z.enum(['me', 'organisation'])
export const SavedReport = z.object({
  id: Id,
  name: z.string(),
  question: ReportQuestion,
  sharedWith: ReportSharing,
  isMine: z.boolean(),
  owner: z.string().nullable(),
  isOnHome: z.boolean().describe('On the caller’s own home page'),
  isStarred: z.boolean().describe('By the caller'),
  thumbnail: z
    .object({ rows: z.array(z.object({ label: z.string().nullable(), value: z.number().nullable() })).describe('At most 12'), at: Instant })
    .nullable()
    .describe('From the caller’s last look at it'),
  schedules: z.int().describe('Of the caller'),
  updatedAt: Instant,
  version: Version,
  may: z.object({ edit: z.boolean(), share: z.boolean() }),
})
export type SavedReport = z.infer<typeof SavedReport>
const OneReport = z.strictObject({ reportId: Id })
export const NewReport = z
  .strictObject({ name: text(120, 1), question: ReportQuestion, sharedWith: ReportSharing.default('me') })
  .meta({ examples: [{ name: 'Active members by chapter', question: questionExample }] })
export const ReportChange = z
  .strictObject({ name: text(120, 1), question: ReportQuestion, sharedWith: ReportSharing })
  .partial()
  .meta({ examples: [{ name: 'Members by region' }] })

export const ReportCadence = z.enum(['daily', 'weekly', 'monthly', 'quarterly'])
export type ReportCadence = z.infer<typeof ReportCadence>
const scheduleFields = {
  cadence: ReportCadence.describe('On the day of the organisation: every day, Mondays, the first of the month or of the quarter; at seven'),
  formats: z
    .array(z.enum(['csv', 'pdf']))
    .min(1)
    .max(2),
  accountIds: z.array(Id).min(1).max(20).describe('Accounts that get it; each is mailed what they themselves may see'),
}
export const ReportSchedule = z.object({
  id: Id,
  report: z.object({ id: Id, name: z.string() }),
  cadence: ReportCadence,
  formats: z.array(z.enum(['csv', 'pdf'])),
  recipients: z.array(z.object({ accountId: Id, name: z.string() })),
  nextOn: CalendarDate,
  lastSentAt: Instant.nullable(),
  failure: Failure.nullable().describe('Why it was not sent the last time'),
  pausedAt: Instant.nullable(),
  version: Version,
})
export type ReportSchedule = z.infer<typeof ReportSchedule>
const OneSchedule = z.strictObject({ scheduleId: Id })

/** A report that takes longer than a page waits for, or that is mailed. */
export const ReportRun = z.object({
  id: Id,
  question: ReportQuestion,
  name: z.string().nullable(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  done: z.int().describe('Steps'),
  total: z.int(),
  answer: ReportAnswer.nullable(),
  error: Failure.nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  expiresAt: Instant.describe('Answers are kept for seven days'),
})
export type ReportRun = z.infer<typeof ReportRun>

const asked = z.strictObject({ question: ReportQuestion }).meta({ examples: [{ question: questionExample }] })

export const reportsData = {
  ask: post('/reports/ask', 'askReport', {
    needs: 'reports.read',
    status: 200,
    idempotent: false,
    perHour: 3_000,
    tag,
    summary: 'Answer a question about what the caller may see; refused with report_takes_long where it needs a run',
  })
    .input(asked)
    .output(ReportAnswer),
  behind: post('/reports/behind', 'listReportRows', {
    needs: 'reports.read',
    status: 200,
    idempotent: false,
    readsPeople: 50,
    tag,
    summary: 'The list behind a figure of a report',
  })
    .input(
      Behind.extend({ cursor: Cursor.optional(), limit: Limit.optional() }).meta({
        examples: [{ question: questionExample, measure: 'memberships' }],
      }),
    )
    .output(page(ReportRecord)),
  check: post('/reports/check', 'checkReport', {
    needs: 'reports.read',
    status: 200,
    idempotent: false,
    perHour: 600,
    tag,
    summary: 'Whether the total of a report is what the list behind it comes to',
  })
    .input(Behind.meta({ examples: [{ question: questionExample, measure: 'memberships' }] }))
    .output(ReportCheck),
  list: get('/reports', 'listReports', { needs: 'reports.read', tag, summary: 'Saved reports: your own and those shared with you' })
    .input(
      z.strictObject({
        q: text(200).optional(),
        home: z.boolean().optional().describe('Only those on your home page'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(SavedReport)),
  create: post('/reports', 'createReport', { needs: 'reports.read', tag, summary: 'Save a report; sharing it needs reports.share' })
    .input(NewReport)
    .output(SavedReport),
  get: get('/reports/{reportId}', 'getReport', { needs: 'reports.read', tag, summary: 'A saved report' })
    .input(OneReport)
    .output(SavedReport),
  update: patch('/reports/{reportId}', 'updateReport', { needs: 'reports.read', tag, summary: 'Change a report of yours' })
    .input(OneReport.extend(ReportChange.shape).meta({ examples: [{ name: 'Members by region' }] }))
    .output(SavedReport),
  remove: del('/reports/{reportId}', 'removeReport', {
    needs: 'reports.read',
    ifMatch: true,
    tag,
    summary: 'Delete a report of yours, with its schedules',
  })
    .input(OneReport)
    .output(z.void()),
  place: post('/reports/{reportId}/place', 'placeReport', {
    needs: 'reports.read',
    status: 200,
    tag,
    summary: 'Star a report, or put it on your own home page',
  })
    .input(
      OneReport.extend({ isOnHome: z.boolean().optional(), isStarred: z.boolean().optional() }).meta({ examples: [{ isOnHome: true }] }),
    )
    .output(SavedReport),
  runs: get('/report-runs', 'listReportRuns', { needs: 'reports.read', tag, summary: 'Your runs of long reports, the newest first' })
    .input(z.strictObject({ cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(ReportRun.omit({ answer: true }))),
  run: get('/report-runs/{runId}', 'getReportRun', {
    needs: 'reports.read',
    tag,
    summary: 'A run of yours, with its answer once it is done',
  })
    .input(z.strictObject({ runId: Id }))
    .output(ReportRun),
  schedules: {
    list: get('/report-schedules', 'listReportSchedules', { needs: 'reports.read', tag, summary: 'Reports that you have mailed' })
      .input(z.strictObject({ reportId: Id.optional() }))
      .output(z.object({ items: z.array(ReportSchedule).describe('At most 200') })),
    create: post('/report-schedules', 'scheduleReport', {
      needs: 'reports.read',
      perHour: 60,
      tag,
      summary: 'Have a report mailed; to others than oneself needs reports.share',
    })
      .input(
        OneReport.extend(scheduleFields).meta({
          examples: [
            {
              reportId: '01920000-0000-7000-8000-000000000081',
              cadence: 'monthly',
              formats: ['csv', 'pdf'],
              accountIds: ['01920000-0000-7000-8000-000000000004'],
            },
          ],
        }),
      )
      .output(ReportSchedule),
    update: patch('/report-schedules/{scheduleId}', 'updateReportSchedule', {
      needs: 'reports.read',
      tag,
      summary: 'Change or pause a schedule',
    })
      .input(
        OneSchedule.extend({ ...z.strictObject(scheduleFields).partial().shape, isPaused: z.boolean().optional() }).meta({
          examples: [{ cadence: 'weekly' }],
        }),
      )
      .output(ReportSchedule),
    remove: del('/report-schedules/{scheduleId}', 'removeReportSchedule', {
      needs: 'reports.read',
      ifMatch: true,
      tag,
      summary: 'Stop having a report mailed',
    })
      .input(OneSchedule)
      .output(z.void()),
  },
}

export const reportsActions = {
  run: post('/report-runs', 'startReportRun', {
    needs: 'reports.read',
    status: 202,
    perHour: 120,
    tag,
    summary: 'Answer a question in the background, with progress',
  })
    .input(asked)
    .output(ReportRun),
  file: post('/reports/files', 'getReportFile', {
    needs: 'reports.read',
    status: 200,
    idempotent: false,
    perHour: 240,
    tag,
    summary: 'A report as CSV, XLSX or PDF, with its filters, scope and time',
  })
    .input(
      z
        .strictObject({
          question: ReportQuestion,
          format: z.enum(['csv', 'xlsx', 'pdf']),
          name: text(120).default(''),
          runId: Id.optional().describe('Of this run instead of asking again'),
        })
        .meta({ examples: [{ question: questionExample, format: 'csv' }] }),
    )
    .output(z.file()),
  send: act('/report-schedules/{scheduleId}/send', 'sendReportNow', {
    needs: 'reports.read',
    perHour: 20,
    tag,
    summary: 'Mail a scheduled report now as well',
  })
    .input(OneSchedule)
    .output(ReportSchedule),
}
