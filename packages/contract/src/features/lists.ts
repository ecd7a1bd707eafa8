import * as z from 'zod'
import { del, get, patch, post } from '../base.ts'
import { BulkResult } from '../bulk.ts'
import { Filter, Id, Instant, Job, Selection, Version, lines, text } from '../shapes.ts'

const tag = 'Lists'

// Saved views -----------------------------------------------------------------------------------------------------------------------

export const ViewedList = z.enum([
  'people',
  'groups',
  'chapters',
  'audit',
  'accounts',
  'imports',
  'invoices',
  'payments',
  'events',
  'registrations',
  'announcements',
  'messages',
  'campaigns',
  'gifts',
  'donors',
  'recurring_gifts',
  'pledges',
])
export const SharedWith = z.enum(['me', 'organisation'])

/** What a list looks like under a name. Fields that no longer exist stay in, so that a screen can show them struck out. */
export const ViewSpec = z.strictObject({
  q: z.string().max(200).optional(),
  filter: Filter.optional(),
  sort: z.string().max(40).optional(),
  columns: z.array(z.string().max(40)).max(60).optional(),
  layout: z.enum(['table', 'cards', 'board', 'map', 'tree']).optional(),
  widths: z.record(z.string().max(40), z.int().min(40).max(1200)).optional(),
})
export type ViewSpec = z.infer<typeof ViewSpec>

export const SavedView = z.object({
  id: Id,
  list: ViewedList,
  name: z.string(),
  spec: ViewSpec,
  sharedWith: SharedWith,
  mine: z.boolean(),
  owner: z.string().describe('Name of the account that keeps it'),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
})
export type SavedView = z.infer<typeof SavedView>

export const NewSavedView = z
  .strictObject({ list: ViewedList, name: text(100, 1), spec: ViewSpec, sharedWith: SharedWith.default('me') })
  .meta({
    examples: [
      {
        list: 'people',
        name: 'Alumni without e-mail',
        spec: { filter: { and: [{ or: [{ field: 'hasEmail', op: 'is', value: false }] }] }, columns: ['homeChapter'] },
      },
    ],
  })

// Tags ------------------------------------------------------------------------------------------------------------------------------

/** Types of records that carry tags, with their tables; people have a table of their own. */
export const taggedTables = z.object({
  chapter: z.literal('chapters'),
  group: z.literal('groups'),
})
export const TaggedType = taggedTables.keyof()
export type TaggedType = z.infer<typeof TaggedType>

// Exports ---------------------------------------------------------------------------------------------------------------------------

export const ExportedList = z.enum([
  'people',
  'groups',
  'chapters',
  'group_members',
  'memberships',
  'invoices',
  'payments',
  'events',
  'registrations',
  'announcements',
  'messages',
  'message_deliveries',
  'campaigns',
  'gifts',
  'donors',
  'recurring_gifts',
  'pledges',
  'relationships',
])
export type ExportedList = z.infer<typeof ExportedList>
export const ExportFormat = z.enum(['csv', 'xlsx', 'pdf'])
/** Above so many rows an export needs a reason. */
export const exportReasonAbove = 1_000
/** XLSX files hold at most so many rows; CSV has no limit. */
export const xlsxRowLimit = 100_000
/** PDF files are for reading and printing: so many rows and columns at most. */
export const pdfRowLimit = 1_000
export const pdfColumnLimit = 8

export const NewExport = z
  .strictObject({
    list: ExportedList,
    format: ExportFormat,
    columns: z
      .array(z.string().max(40))
      .min(1, 'Choose at least one column.')
      .max(80)
      .describe('Keys of the list’s columns, in the order wanted'),
    selection: Selection,
    sort: z.string().max(40).optional(),
    groupId: Id.optional().describe('For group_members: whose members'),
    reason: lines(500).optional().describe('What for; required above 1,000 rows and kept in the audit log'),
  })
  .meta({
    examples: [
      {
        list: 'people',
        format: 'csv',
        columns: ['displayName', 'primaryEmail'],
        selection: { all: { q: 'smith' }, except: [] },
        reason: 'Newsletter of May',
      },
    ],
  })
export type NewExport = z.infer<typeof NewExport>

export const Export = z.object({
  id: Id,
  list: ExportedList,
  format: ExportFormat,
  reason: z.string(),
  rows: z.int().nullable(),
  job: Job,
  createdAt: Instant,
  expiresAt: Instant,
  downloadable: z.boolean().describe('The file is there; fetch it from the actions API until expiresAt'),
})
export type Export = z.infer<typeof Export>

export const ExportColumn = z.object({
  key: z.string(),
  header: z.string().describe('What stands in the first line; imports know it again'),
  kind: z.enum(['text', 'number', 'date', 'instant', 'flag']),
})

export const listsData = {
  views: {
    list: get('/views', 'listViews', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Saved views: your own and those shared with you',
    })
      .input(z.strictObject({ list: ViewedList.optional() }))
      .output(z.object({ items: z.array(SavedView) })),
    create: post('/views', 'createView', { needs: 'signed-in', tag, summary: 'Save a view; sharing it needs views.share' })
      .input(NewSavedView)
      .output(SavedView),
    update: patch('/views/{viewId}', 'updateView', { needs: 'signed-in', tag, summary: 'Change a view of yours' })
      .input(z.strictObject({ viewId: Id, name: text(100, 1).optional(), spec: ViewSpec.optional(), sharedWith: SharedWith.optional() }))
      .output(SavedView),
    remove: del('/views/{viewId}', 'removeView', { needs: 'signed-in', tag, summary: 'Delete a view of yours' })
      .input(z.strictObject({ viewId: Id }))
      .output(z.void()),
  },
  exports: {
    list: get('/exports', 'listExports', { needs: 'signed-in', tag, summary: 'Your exports, newest first' }).output(
      z.object({ items: z.array(Export) }),
    ),
    get: get('/exports/{exportId}', 'getExport', { needs: 'signed-in', tag, summary: 'One of your exports and how far it is' })
      .input(z.strictObject({ exportId: Id }))
      .output(Export),
    columns: get('/exports/columns', 'listExportColumns', { needs: 'signed-in', tag, summary: 'Columns that an export of a list can have' })
      .input(z.strictObject({ list: ExportedList }))
      .output(z.object({ items: z.array(ExportColumn) })),
  },
}

const OneBulkChange = z.strictObject({ jobId: Id })

export const listsActions = {
  bulk: {
    get: get('/bulk/{jobId}', 'getBulkChange', { needs: 'signed-in', tag, summary: 'How far a change to many records is' })
      .input(OneBulkChange)
      .output(BulkResult),
    list: get('/bulk', 'listBulkChanges', {
      needs: 'signed-in',
      tag,
      summary: 'Your changes to many records that are not done yet',
    }).output(z.object({ items: z.array(BulkResult) })),
    cancel: post('/bulk/{jobId}/cancel', 'cancelBulkChange', {
      needs: 'signed-in',
      tag,
      status: 200,
      idempotent: false,
      summary: 'Stop a change to many records; those changed so far stay changed, and can be undone',
    })
      .input(OneBulkChange)
      .output(BulkResult),
    undo: post('/bulk/{jobId}/undo', 'undoBulkChange', {
      needs: 'signed-in',
      tag,
      status: 200,
      summary: 'Undo a change to many records exactly; what was changed again since stays',
    })
      .input(OneBulkChange)
      .output(BulkResult),
  },
  exports: {
    create: post('/exports', 'createExport', {
      needs: 'signed-in',
      perHour: 60,
      tag,
      status: 202,
      summary: 'Export a list to a file, in the background',
      description:
        'Has the rows that you may both see and export, with the columns in the order given. A cell that is not yours to see is empty. ' +
        'People, groups and chapters need people.export, group_members needs groups.manage of that group, memberships (a row for each term) people.export and ' +
        'memberships.read, invoices (a row for each line) finance.read, registrations events.manage of their event, events events.manage of any event. The file can be fetched by you alone, for 7 days.',
    })
      .input(NewExport)
      .output(Export),
    cancel: post('/exports/{exportId}/cancel', 'cancelExport', {
      needs: 'signed-in',
      tag,
      status: 200,
      idempotent: false,
      summary: 'Stop an export of yours that is under way; no file comes of it',
    })
      .input(z.strictObject({ exportId: Id }))
      .output(Export),
    download: get('/exports/{exportId}/file', 'downloadExport', { needs: 'signed-in', tag, summary: 'The file of an export of yours' })
      .input(z.strictObject({ exportId: Id }))
      .output(z.file()),
  },
}
