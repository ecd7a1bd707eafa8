import type { ReportAnswer, ReportQuestion } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../platform/public-pages/brand.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { fileTypes, reportFile } from './files/reports.files.jobs.ts'
import { filteredNames, timezoneOf } from './files/reports.names.queries.ts'
import { reportTable } from './files/reports.table.rules.ts'
import { answerQuestion } from './reports.answers.queries.ts'
import { asked } from './reports.data.ts'
import { peopleIn } from './reports.engine.rules.ts'
import { frameFor } from './reports.frame.queries.ts'
import { findRun, insertRun } from './saved/reports.runs.queries.ts'
import { findSchedule, touchSchedule } from './sending/reports.schedules.queries.ts'

const { reports } = actions

/** Of a run where one is named: its question and answer, as they are. */
async function answered(
  db: ActorDb,
  question: ReportQuestion,
  runId: string | undefined,
): Promise<{ question: ReportQuestion; answer: ReportAnswer }> {
  if (runId === undefined) return { question, answer: await answerQuestion(db, question) }
  const run = mustFind(await findRun(db, runId))
  if (!run.answer) throw problem('CONFLICT', { reason: 'report_run_unfinished', detail: 'This run has no answer yet.' })
  return { question: run.question, answer: run.answer }
}

export const reportsActions = reports.router({
  run: reports.run.handler(({ input: { question }, context }) =>
    context.inTx(async (db) => {
      // What cannot be asked is refused at once, not by a run.
      await frameFor(db, question)
      const { orgId, accountId } = context.actor
      const runId = await insertRun(db, context.actor, question)
      await context.services.jobs.send(db, 'reports', { kind: 'run', orgId, accountId, runId })
      return mustFind(await findRun(db, runId))
    }),
  ),
  /** Laid out outside the transaction that reads what it says. */
  file: reports.file.handler(async ({ input: { question, format, name, runId }, context }) => {
    const { orgId } = context.actor
    const found = await asked(context, async (db) => ({
      ...(await answered(db, question, runId)),
      ...(await letterheadOf(db, orgId)),
      timezone: await timezoneOf(db),
      recordNames: await filteredNames(db, question),
    }))
    const people = peopleIn(found.answer)
    if (people > 0) await context.services.reading.take(context.actor, people)
    const table = reportTable(found.i18n, { ...found, name })
    const file = await reportFile(found.i18n, found.brand.name, table, format, found.answer.at)
    return new File([new Uint8Array(file.content)], file.name, { type: fileTypes[format] })
  }),
  /** The version it has then names this once: two who ask with the same one cause one mail. */
  send: reports.send.handler(({ input: { scheduleId }, context }) =>
    context.inTx(async (db) => {
      const read = () => findSchedule(db, scheduleId)
      await mustTouch(await touchSchedule(db, scheduleId, context.ifMatch), read, context.ifMatch)
      const schedule = mustFind(await read())
      const { orgId, accountId } = context.actor
      await context.services.jobs.send(db, 'reports', { kind: 'mail', orgId, accountId, scheduleId, slot: `now-${schedule.version}` })
      return schedule
    }),
  ),
})
