import type { ReportAnswer, ReportRecord, StandardQuestion } from '@guildhall/contract/features/reports'
import type { ChapterRef } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import type * as z from 'zod'
import type { List } from '../../platform/lists/list-page.ts'

/** Days from first to last, both included; null where open. */
export type Bounds = { since: string | null; until: string | null }

/** What a question is answered with besides the rows: read once, in the transaction of the answer. */
export type ReportFrame = {
  /** Of the organisation's calendar. */
  today: string
  timezone: string
  currency: string
  /** ISO instant: time of the data. */
  at: string
  /** The chapter asked about, which the caller sees; null for everything they see. */
  scope: z.infer<typeof ChapterRef> | null
  /** The range as it was understood; null where the question has none. */
  range: Bounds | null
  /** The same days of the year before; null without comparison or where the range is open. */
  before: Bounds | null
  /** The day of the past, never after today; null for now. */
  asOf: string | null
  /** Reports progress of a run; nothing happens while somebody waits for the answer. */
  step: (done: number, total: number) => Promise<void>
}

/** Which figure a list stands behind: the values of the row's dimensions, everything where empty, and the measure. */
export type Figure = { keys: readonly (string | null)[]; measure: string }

/** One of the reports that come with the product. Everything is read as the caller, so that row-level security decides. */
export type StandardAnswerer = {
  answer: (db: ActorDb, question: StandardQuestion, frame: ReportFrame) => Promise<ReportAnswer>
  /** The list behind a figure, as pieces of one SELECT; `problem('UNPROCESSABLE_CONTENT', …)` for a measure that the report does not have. */
  behind: (question: StandardQuestion, frame: ReportFrame, figure: Figure) => List<ReportRecord>
  /** What that list comes to, counted by a statement of its own; null for shares and averages, which no list adds up to. */
  listTotal: (db: ActorDb, question: StandardQuestion, frame: ReportFrame, figure: Figure) => Promise<number | null>
}

type Parts = Pick<ReportAnswer, 'dimensions' | 'measures' | 'rows' | 'total' | 'previousTotal' | 'picture'> &
  Partial<Pick<ReportAnswer, 'isCut' | 'hidden'>>

/** An answer with the scope, range and time of its frame. */
export const answerOf = (frame: ReportFrame, parts: Parts): ReportAnswer => ({
  isCut: false,
  hidden: parts.rows.filter((row) => row.isHidden).length,
  ...parts,
  scope: frame.scope,
  range: frame.range,
  asOf: frame.asOf,
  at: frame.at,
})

export const mostRows = 1_000
/** Of fields about somebody's person, groups of fewer people than this are kept back. */
export const smallCell = 5

/** Rows that are people by name count towards what an account may read in an hour. */
export const peopleIn = ({ dimensions, rows }: ReportAnswer): number => (dimensions.some(({ kind }) => kind === 'person') ? rows.length : 0)
