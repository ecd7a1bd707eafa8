import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { answerQuestion, askedWithinMs, behindQuestion, reconcile, takesLong, tookLong } from './reports.answers.queries.ts'
import { peopleIn } from './reports.engine.rules.ts'
import { mustReadReports } from './reports.frame.queries.ts'
import { findRun, runsList } from './saved/reports.runs.queries.ts'
import {
  findReport,
  insertReport,
  keepThumbnails,
  placeReport,
  removeReport,
  reportsList,
  updateReport,
} from './saved/reports.saved.queries.ts'
import {
  countSchedules,
  findSchedule,
  insertSchedule,
  listSchedules,
  mostSchedules,
  removeSchedule,
  updateSchedule,
} from './sending/reports.schedules.queries.ts'

const { reports } = data

/** A question while somebody waits: no statement of it may take longer than a page waits for. */
export const asked = <T>(context: CallerContext, run: (db: ActorDb) => Promise<T>): Promise<T> =>
  context.inTx(run, { statementTimeoutMs: askedWithinMs }).catch((error: unknown) => {
    throw tookLong(error) ? takesLong() : error
  })

const noRows = { items: [], nextCursor: null, total: 0, totalIsExact: true }

export const reportsData = reports.router({
  ask: reports.ask.handler(async ({ input: { question }, context }) => {
    const answer = await asked(context, async (db) => {
      const found = await answerQuestion(db, question)
      await keepThumbnails(db, context.actor, question, found)
      return found
    })
    const people = peopleIn(answer)
    if (people > 0) await context.services.reading.take(context.actor, people)
    return answer
  }),
  behind: reports.behind.handler(({ input: { question, cursor, limit, ...figure }, context }) =>
    asked(context, async (db) => {
      const list = await behindQuestion(db, question, figure)
      if (!list) return noRows
      return listPage({ ...context, read: async (query) => (await db.executeQuery(query.compile())).rows }, list, { cursor, limit })
    }),
  ),
  check: reports.check.handler(({ input: { question, ...figure }, context }) => asked(context, (db) => reconcile(db, question, figure))),

  list: reports.list.handler(async ({ input, context }) => {
    await context.inTx(mustReadReports)
    return listPage(context, reportsList(input), input)
  }),
  create: reports.create.handler(({ input, context }) =>
    context.inTx(async (db) => mustFind(await findReport(db, await insertReport(db, context.actor, input)))),
  ),
  get: reports.get.handler(({ input, context }) => context.inTx(async (db) => mustFind(await findReport(db, input.reportId)))),
  update: reports.update.handler(({ input: { reportId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findReport(db, reportId))
      if (!before.isMine) throw problem('FORBIDDEN')
      return updateReport(db, reportId, context.ifMatch, change)
    }),
  ),
  remove: reports.remove.handler(({ input: { reportId }, context }) =>
    context.inTx(async (db) => {
      const read = () => findReport(db, reportId)
      const before = mustFind(await read())
      if (!before.isMine) throw problem('FORBIDDEN')
      await mustTouch(await removeReport(db, reportId, context.ifMatch), read, context.ifMatch)
    }),
  ),
  place: reports.place.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await findReport(db, input.reportId))
      await placeReport(db, context.actor, input)
      return mustFind(await findReport(db, input.reportId))
    }),
  ),

  runs: reports.runs.handler(async ({ input, context }) => {
    await context.inTx(mustReadReports)
    return listPage(context, runsList(), input)
  }),
  run: reports.run.handler(({ input, context }) => context.inTx(async (db) => mustFind(await findRun(db, input.runId)))),

  schedules: {
    list: reports.schedules.list.handler(({ input, context }) =>
      context.inTx(async (db) => {
        await mustReadReports(db)
        return { items: await listSchedules(db, input.reportId) }
      }),
    ),
    create: reports.schedules.create.handler(({ input, context }) =>
      context.inTx(async (db) => {
        mustFind(await findReport(db, input.reportId))
        if ((await countSchedules(db)) >= mostSchedules)
          throw problem('CONFLICT', { reason: 'report_schedules_full', detail: 'You have as many schedules as anybody may have.' })
        return mustFind(await findSchedule(db, await insertSchedule(db, context.actor, input)))
      }),
    ),
    update: reports.schedules.update.handler(({ input: { scheduleId, ...change }, context }) =>
      context.inTx(async (db) => {
        await updateSchedule(db, context.actor, scheduleId, context.ifMatch, change)
        return mustFind(await findSchedule(db, scheduleId))
      }),
    ),
    remove: reports.schedules.remove.handler(({ input: { scheduleId }, context }) =>
      context.inTx(async (db) => {
        const read = () => findSchedule(db, scheduleId)
        mustFind(await read())
        await mustTouch(await removeSchedule(db, scheduleId, context.ifMatch), read, context.ifMatch)
      }),
    ),
  },
})
