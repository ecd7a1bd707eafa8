import { ReportQuestion } from '@guildhall/contract/features/reports'
import type { Failure } from '@guildhall/contract/reasons'
import type { Actor, ActorDb } from '@guildhall/db'
import { jobActor } from '../../platform/jobs/job-progress.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { failureOf, problem, toProblem } from '../../platform/procedures/problem.ts'
import type { Schedule } from '../../platform/schedules/schedules.ts'
import type { Services } from '../../platform/services.ts'
import { answerQuestion, runWithinMs, tookLong } from './reports.answers.queries.ts'
import { peopleIn } from './reports.engine.rules.ts'
import { mayReadReports } from './reports.frame.queries.ts'
import { keepThumbnails } from './saved/reports.saved.queries.ts'
import { failRun, finishRun, insertMailedRun, noteStep, takeRun } from './saved/reports.runs.queries.ts'
import { reportMail } from './sending/reports.mails.jobs.ts'
import { findDue, noteSent, purgeRuns, takeDue } from './sending/reports.schedules.queries.ts'

const tooLong = () =>
  failureOf(
    problem('UNPROCESSABLE_CONTENT', { reason: 'report_too_long', detail: 'This took more than five minutes; ask for less at once.' }),
  )
const ownerLost = () =>
  failureOf(
    problem('FORBIDDEN', { reason: 'report_owner_lost_right', detail: 'The owner of this schedule may not mail this report any more.' }),
  )
const gone = () =>
  failureOf(problem('NOT_FOUND', { reason: 'report_gone', detail: 'The report is gone, or not shared with its reader any more.' }))
const recipientLost = (name: string) =>
  failureOf(
    problem('FORBIDDEN', { reason: 'report_recipient_lost_right', detail: `${name} may not see reports any more.`, params: { name } }),
  )

/** Answers runs, and starts those that are mailed. */
export const reportJobs =
  (services: Services): JobHandler =>
  async (data, { signal }) =>
    data['kind'] === 'mail' ? startMails(services, data) : answerRun(services, data, signal)

/** As the account that asked, with the rights it has now. */
async function answerRun(
  services: Services,
  { orgId = '', accountId = '', runId = '', own = '' }: Record<string, string>,
  signal: AbortSignal,
) {
  const { database, log, reading } = services
  const actor = await jobActor(database, orgId, accountId)
  if (!actor) return log.warn({ runId }, 'a report was given up: its account may no longer act')
  const as = <T>(run: (db: ActorDb) => Promise<T>, more = {}) => database.asActor(actor, run, more)
  const run = await as((db) => takeRun(db, runId))
  if (!run) return
  const started = performance.now()
  try {
    const question = ReportQuestion.parse(run.question)
    const answer = await as(
      (db) =>
        answerQuestion(db, question, async (done, total) => {
          if (signal.aborted) throw new Error('The worker is stopping; the report begins again elsewhere.')
          if (performance.now() - started > runWithinMs) throw new OutOfTime()
          // What is left is to write the answer down.
          await as((other) => noteStep(other, runId, done, total + 1))
        }),
      { statementTimeoutMs: runWithinMs },
    )
    const people = peopleIn(answer)
    if (people > 0) await reading.take(actor, people)
    await as(async (db) => {
      if (!(await finishRun(db, runId, answer))) return
      await keepThumbnails(db, actor, question, answer)
      if (!run.scheduleId) return
      await sendMail(db, reportMail, {
        to: { accountId },
        params: { run: runId },
        dedupeKey: `report:${runId}`,
        essential: own === 'yes',
      })
      // With the mail: nobody comes back to a run that is answered.
      await noteSent(db, orgId, run.scheduleId, true, null)
    })
  } catch (error) {
    const failure = failureFor(error)
    if (!failure) throw error
    await as(async (db) => {
      await failRun(db, runId, failure)
      if (run.scheduleId) await noteSent(db, orgId, run.scheduleId, false, failure)
    })
  }
}

class OutOfTime extends Error {}

function failureFor(error: unknown): Failure | null {
  if (error instanceof OutOfTime || tookLong(error)) return tooLong()
  const expected = toProblem(error)
  return expected && expected.status < 500 ? failureOf(expected) : null
}

const noteFor = ({ database }: Services, orgId: string, scheduleId: string, sent: boolean, failure: Failure | null) =>
  database.withoutActor((db) => noteSent(db, orgId, scheduleId, sent, failure))

/** A run for each recipient, as whom it is asked: each is mailed what they themselves may see. A second job of the same moment adds nothing. */
async function startMails(services: Services, { orgId = '', accountId = '', scheduleId = '', slot = '' }: Record<string, string>) {
  const { database, jobs } = services
  const owner = await jobActor(database, orgId, accountId)
  const due = owner && (await database.asActor(owner, (db) => findDue(db, scheduleId)))
  if (owner && !due) return
  const failure = whyNot(owner, due)
  await noteFor(services, orgId, scheduleId, false, failure)
  if (failure || !due?.question) return
  const { question, name, formats, recipients } = due
  for (const { accountId: recipientId, name: who } of recipients) {
    const recipient = await jobActor(database, orgId, recipientId)
    const isStarted =
      recipient !== null &&
      (await database.asActor(recipient, async (db) => {
        if (!(await mayReadReports(db))) return false
        const runId = await insertMailedRun(db, recipient, { scheduleId, slot, name: name ?? '', formats, question })
        if (runId)
          await jobs.send(db, 'reports', { kind: 'run', orgId, accountId: recipientId, runId, own: recipientId === accountId ? 'yes' : '' })
        return true
      }))
    if (!isStarted) await noteFor(services, orgId, scheduleId, false, recipientLost(who))
  }
}

function whyNot(owner: Actor | null, due: Awaited<ReturnType<typeof findDue>> | null): Failure | null {
  if (!owner || !due?.mayRead) return ownerLost()
  if (due.question === null) return gone()
  const others = due.recipients.some(({ accountId }) => accountId !== owner.accountId)
  return others && !due.mayShare ? ownerLost() : null
}

export const reportSchedules = ({ jobs }: Services): Schedule[] => [
  {
    name: 'reports',
    rule: { every: 'day', at: '07:00' },
    missed: 'once',
    run: async (db, { org, dueOn }) => {
      for (const { scheduleId, accountId } of await takeDue(db, org, dueOn))
        await jobs.send(db, 'reports', { kind: 'mail', orgId: org, accountId, scheduleId, slot: dueOn })
      await purgeRuns(db, org)
    },
  },
]
