import type { ReportQuestion } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { allOf } from '../../platform/lists/conditions.ts'
import { chapterRef, orNull } from '../../platform/lists/json-refs.ts'
import { problem } from '../../platform/procedures/problem.ts'
import type { ReportFrame } from './reports.engine.rules.ts'
import { boundsOf, checkQuestion, rightsOf, yearBefore } from './reports.questions.rules.ts'

/** Whether the caller holds a permission anywhere: in the organisation, a chapter, a group or an event. */
const holds = (permission: string): RawBuilder<SqlBool> =>
  sql`((select app.everywhere(${permission})) or (select app.scope(${permission})) <> '{}' or (select app.group_scope(${permission})) <> '{}'
    or (select app.event_scope(${permission})) <> '{}')`

/** Reports are for those who may read them; what of the rest they see is for the policies to say. */
export const readsReports = holds('reports.read')
export async function mayReadReports(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select ${readsReports} as may`.execute(db)
  return rows[0]?.may ?? false
}
export async function mustReadReports(db: ActorDb): Promise<void> {
  if (!(await mayReadReports(db))) throw problem('FORBIDDEN')
}

type Known = Pick<ReportFrame, 'today' | 'timezone' | 'currency' | 'at' | 'scope'> & { may: boolean; holdsAll: boolean }

/** What a question is answered with, or why the caller gets no answer. */
export async function frameFor(
  db: ActorDb,
  question: ReportQuestion,
  step: ReportFrame['step'] = async () => undefined,
): Promise<ReportFrame> {
  const needed = rightsOf(question).map(holds)
  const { rows } = await sql<Known>`
    select (select app.today())::text as today, o.timezone, o.currency, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      ${orNull('c', chapterRef)} as scope, ${readsReports} as may, ${allOf(needed)} as "holdsAll"
    from app.organisations o left join app.chapters c on c.org_id = o.org_id and c.id = ${question.chapterId}::uuid
    where o.org_id = (select app.org_id())`.execute(db)
  const [known] = rows
  if (!known?.may) throw problem('FORBIDDEN')
  checkQuestion(question, known.today)
  const { holdsAll, may: _may, ...frame } = known
  if (!holdsAll)
    throw problem('FORBIDDEN', { reason: 'report_right_missing', detail: 'You do not have the right to see what this report counts.' })
  if (question.chapterId !== null && !frame.scope) throw problem('NOT_FOUND')
  const range = question.range && boundsOf(question.range, frame.today)
  return {
    ...frame,
    range,
    before: range && question.compare ? yearBefore(range) : null,
    asOf: question.asOf === 'today' ? frame.today : question.asOf,
    step,
  }
}
