import * as z from 'zod'
import { get, post } from '../base.ts'
import { CalendarDate, ChapterRef, Cursor, Id, Instant, Limit, page, text } from '../shapes.ts'
import { RelationshipState } from './relationships.ts'

const tag = 'Relationships'

/** What can be read as lines: the organisation's types of relationships by key, and its chapters. */
export const chaptersLine = 'chapters'
/** Every organisation has this type. */
export const usualLine = 'lineage'
/** How deep a line is shown; deeper ones go on from the node where they were cut. */
export const maxLineDepth = 50
/** Nodes that one answer holds at most. */
export const maxLineNodes = 2_000

const Kind = z.string().min(1).max(40).default(usualLine).describe('Key of a type of relationship, or “chapters”')
const AsOf = CalendarDate.optional().describe('What was so on this day; today unless stated, never later')
const scope = { kind: Kind, asOf: AsOf, chapterId: Id.optional().describe('Whose second person belongs there or below') }

/** A person, or a chapter where the kind is chapters. */
export const LineRecord = z.object({
  id: Id,
  name: z.string(),
  pictureId: Id.nullable().optional(),
  chapter: ChapterRef.nullable().describe('Home chapter of a person; null of a chapter'),
})
export type LineRecord = z.infer<typeof LineRecord>

export const LineNode = z.object({
  key: z
    .string()
    .describe('Unique in one tree, also where somebody stands below two others: those below them are shown at the first of these places'),
  parentKey: z.string().nullable(),
  record: LineRecord,
  relationshipId: Id.nullable().describe('The relationship that puts it below its parent; null of a root and of chapters'),
  depth: z.int().describe('0 of the root'),
  generation: z.int().describe('Steps from the top of the whole line: 1 of somebody with nobody above'),
  children: z.int(),
  descendants: z.int().describe('Different people below, at any depth'),
  members: z.int().nullable().describe('Of chapters: members on that day; null of people'),
  membersBelow: z.int().nullable().describe('Of chapters: with those below'),
  since: CalendarDate.nullable(),
  continues: z
    .boolean()
    .describe(
      'Its children are not shown: they are below the depth that was asked for, or are shown at an earlier place of the same person',
    ),
})
export type LineNode = z.infer<typeof LineNode>

export const LineTree = z.object({
  path: z.array(LineRecord).describe('From the top of the line down to the root, without it; at most 50'),
  nodes: z.array(LineNode).describe('Each parent before its children, level by level'),
  total: z.int().describe('All nodes of the tree within the depth, with the root'),
  nextCursor: z.string().nullable(),
  asOf: CalendarDate,
  at: Instant.describe('Time of the data'),
})
export type LineTree = z.infer<typeof LineTree>

export const LinePair = z.object({
  relationshipId: Id.nullable(),
  parent: LineRecord,
  child: LineRecord,
  kind: z.string(),
  since: CalendarDate.nullable(),
  until: CalendarDate.nullable(),
  state: RelationshipState,
  generation: z.int().describe('Of the child, by the shortest way from a top'),
  descendants: z.int().describe('Below the child'),
  verifiedBy: z.string().nullable(),
})
export type LinePair = z.infer<typeof LinePair>

export const LineRoot = z.object({
  record: LineRecord,
  children: z.int(),
  descendants: z.int(),
  generations: z.int().describe('Depth of the line, with the root'),
  living: z.int().describe('Of the descendants: active members today; of chapters: open ones'),
})
export type LineRoot = z.infer<typeof LineRoot>

export const LineProblemKind = z.enum([
  'cycle',
  'too_many_parents',
  'minor_without_guardian',
  'guardian_under_age',
  'guardian_younger',
  'guardian_is_managed',
  'majority_soon',
  'ended_parent',
  'cross_chapter',
  'dead_end',
])
export type LineProblemKind = z.infer<typeof LineProblemKind>
export const LineProblem = z.object({
  kind: LineProblemKind,
  record: LineRecord.describe('Whom it is about: usually the second person'),
  others: z.array(LineRecord).describe('Who else takes part; at most 20'),
  relationshipId: Id.nullable(),
  on: CalendarDate.nullable().describe('Day of majority, or of the end'),
})
export type LineProblem = z.infer<typeof LineProblem>

export const LineStatistics = z.object({
  people: z.int().describe('Who has a place in a line'),
  links: z.int(),
  roots: z.int(),
  longest: z.int().describe('Generations of the deepest line'),
  averageChildren: z.number().describe('Of those who have any'),
  isolated: z.int().describe('Active members without a place in any line of the kind'),
  survival: z
    .array(z.object({ year: z.int(), lines: z.int(), alive: z.int() }))
    .describe(
      'Lines by the year in which they began, and how many of them took in somebody within the last three years; oldest first, at most 60',
    ),
  generations: z.array(z.object({ generation: z.int(), people: z.int() })).describe('At most 50'),
  asOf: CalendarDate,
})
export type LineStatistics = z.infer<typeof LineStatistics>

export const LineFileFormat = z.enum(['csv', 'graphml', 'json', 'svg', 'pdf'])
export type LineFileFormat = z.infer<typeof LineFileFormat>

const treeInput = {
  ...scope,
  rootId: Id.optional().describe('A person or chapter; of chapters the top ones unless stated; of people the caller unless stated'),
  depth: z.int().min(1).max(maxLineDepth).default(maxLineDepth),
}
const example = { kind: 'lineage' }

export const linesData = {
  tree: get('/lines/tree', 'getLineTree', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 200,
    tag,
    summary: 'Everybody below one person or chapter, level by level; 200 at a time unless stated',
  })
    .input(
      z
        .strictObject({
          ...treeInput,
          cursor: Cursor.optional(),
          limit: z.int().min(1).max(maxLineNodes).default(200),
        })
        .meta({ examples: [example] }),
    )
    .output(LineTree),
  pairs: get('/lines/pairs', 'listLinePairs', {
    needs: 'reports.read',
    readsPeople: 50,
    tag,
    summary: 'Pairs of a kind: who stands directly below whom',
  })
    .input(
      z
        .strictObject({
          ...scope,
          q: text(200).optional(),
          generation: z.int().min(1).max(maxLineDepth).optional().describe('Of the child'),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        })
        .meta({ examples: [example] }),
    )
    .output(page(LinePair)),
  roots: get('/lines/roots', 'listLineRoots', {
    needs: 'reports.read',
    readsPeople: 50,
    tag,
    summary: 'Tops of the lines with how many stand below, most first',
  })
    .input(
      z
        .strictObject({ ...scope, q: text(200).optional(), cursor: Cursor.optional(), limit: Limit.optional() })
        .meta({ examples: [example] }),
    )
    .output(page(LineRoot)),
  problems: get('/lines/problems', 'listLineProblems', {
    needs: 'reports.read',
    readsPeople: 50,
    tag,
    summary: 'What is wrong in the lines of a kind, with how many of each',
  })
    .input(
      z
        .strictObject({ ...scope, problem: LineProblemKind.optional(), cursor: Cursor.optional(), limit: Limit.optional() })
        .meta({ examples: [example] }),
    )
    .output(
      page(LineProblem).extend({
        counts: z
          .array(z.object({ kind: LineProblemKind, count: z.int() }))
          .describe('Kinds with any, in a fixed order; on the first page'),
      }),
    ),
  search: get('/lines/search', 'searchLines', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 20,
    tag,
    summary: 'People or chapters of a kind by name, with the way from the top of their line; at most 20',
  })
    .input(z.strictObject({ kind: Kind, q: text(200, 1), asOf: AsOf }).meta({ examples: [{ ...example, q: 'Ada' }] }))
    .output(z.object({ items: z.array(z.object({ record: LineRecord, path: z.array(LineRecord), descendants: z.int() })) })),
  path: get('/lines/path', 'findLinePath', {
    needs: 'reports.read',
    readsPeople: 100,
    tag,
    summary: 'The shortest way between two people over relationships of a kind, up and down; empty where there is none',
  })
    .input(
      z.strictObject({ kind: Kind, fromId: Id, toId: Id, asOf: AsOf }).meta({
        examples: [{ ...example, fromId: '01920000-0000-7000-8000-000000000002', toId: '01920000-0000-7000-8000-000000000003' }],
      }),
    )
    .output(z.object({ steps: z.array(z.object({ record: LineRecord, step: z.enum(['start', 'up', 'down']) })).describe('At most 100') })),
  statistics: get('/lines/statistics', 'getLineStatistics', {
    needs: 'reports.read',
    tag,
    summary: 'How the lines of a kind are doing',
  })
    .input(z.strictObject(scope).meta({ examples: [example] }))
    .output(LineStatistics),
}

export const linesActions = {
  file: post('/lines/files', 'getLineFile', {
    needs: 'reports.read',
    status: 200,
    idempotent: false,
    perHour: 120,
    readsPeople: 200,
    tag,
    summary:
      'A line, or all pairs of a kind, as a file: list of pairs (CSV), GraphML, JSON, picture (SVG), print (PDF); counted in the audit log',
  })
    .input(
      z
        .strictObject({
          ...treeInput,
          rootId: Id.optional().describe('All pairs of the kind where absent; pictures and prints need one'),
          format: LineFileFormat,
        })
        .meta({ examples: [{ ...example, format: 'csv' }] }),
    )
    .output(z.file()),
}
