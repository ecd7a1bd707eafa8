import type { ReportAnswer, ReportCheck, ReportQuestion, ReportRecord } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import type { List } from '../../platform/lists/list-page.ts'
import { problem } from '../../platform/procedures/problem.ts'
import type { Figure, ReportFrame } from './reports.engine.rules.ts'
import { frameFor } from './reports.frame.queries.ts'
import { answerOwn, behindOwn, listTotalOwn } from './own/reports.own.queries.ts'
import { notAsked, sensitiveIn } from './reports.questions.rules.ts'
import { standardAnswerers } from './standard/reports.standard.queries.ts'

// One engine for whoever asks: a page, a run, a mail, a file, the assistant.

/** How long a page waits for one statement. */
export const askedWithinMs = 1_500
/** And for all statements of a question. */
const askedInAllMs = 6_000
/** How long one statement of a run may take. */
export const runWithinMs = 300_000

/** A statement that was ended since it took longer than it may. */
export const tookLong = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '57014'
export const takesLong = () =>
  problem('UNPROCESSABLE_CONTENT', {
    reason: 'report_takes_long',
    detail: 'This takes longer than a request may wait; start a run and read its answer there.',
  })

/** Ends what takes long in all, however short each of its statements is. */
function whileAsked(): ReportFrame['step'] {
  const started = performance.now()
  return async (done, total) => {
    if (done < total && performance.now() - started > askedInAllMs) throw takesLong()
  }
}

const answerIn = (db: ActorDb, question: ReportQuestion, frame: ReportFrame): Promise<ReportAnswer> =>
  question.kind === 'own' ? answerOwn(db, question, frame) : standardAnswerers[question.report].answer(db, question, frame)

export async function answerQuestion(db: ActorDb, question: ReportQuestion, step = whileAsked()): Promise<ReportAnswer> {
  return answerIn(db, question, await frameFor(db, question, step))
}

/** Of a group that is kept back nothing is listed either; null for nothing at all. */
export async function behindQuestion(db: ActorDb, question: ReportQuestion, figure: Figure): Promise<List<ReportRecord> | null> {
  const frame = await frameFor(db, question, whileAsked())
  if (question.kind === 'standard') return standardAnswerers[question.report].behind(question, frame, figure)
  if (sensitiveIn(question).includes(true) && isKeptBack(await answerOwn(db, question, frame), figure)) return null
  return behindOwn(question, frame, figure)
}

const rowOf = ({ rows }: ReportAnswer, { keys }: Figure) =>
  rows.find((row) => row.keys.length === keys.length && row.keys.every(({ value }, at) => value === keys[at]))
function isKeptBack(answer: ReportAnswer, figure: Figure): boolean {
  if (figure.keys.length === 0) return answer.rows.length === 1 && answer.hidden === 1
  // Of rows that are cut nobody knows which are kept back.
  return rowOf(answer, figure)?.isHidden ?? answer.isCut
}

/** The figure as the report has it beside what its list comes to, each counted by a statement of its own. */
export async function reconcile(db: ActorDb, question: ReportQuestion, figure: Figure): Promise<ReportCheck> {
  const frame = await frameFor(db, question, whileAsked())
  const answer = await answerIn(db, question, frame)
  const at = answer.measures.findIndex(({ key }) => key === figure.measure)
  if (at < 0) throw notAsked(figure.measure)
  const row = figure.keys.length > 0 ? rowOf(answer, figure) : undefined
  const isCut = figure.keys.length > 0 && !row && answer.isCut
  const report = (figure.keys.length > 0 ? (row ? row.values[at] : isCut ? null : 0) : answer.total[at]) ?? null
  const isHidden = isCut || (question.kind === 'own' && sensitiveIn(question).includes(true) && isKeptBack(answer, figure))
  const list = isHidden
    ? null
    : question.kind === 'own'
      ? await listTotalOwn(db, question, frame, figure)
      : await standardAnswerers[question.report].listTotal(db, question, frame, figure)
  return { measure: figure.measure, report, list, matches: isHidden || list === null || report === list, at: frame.at }
}
