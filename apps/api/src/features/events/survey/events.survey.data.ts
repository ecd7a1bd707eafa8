import { csvTable } from '../../../platform/files/table-writer.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { findEvent } from '../events.queries.ts'
import { standingQuery } from '../events.registrations.queries.ts'
import { faultOfAnswers } from '../events.registrations.rules.ts'
import { othersOf } from '../series/events.series.queries.ts'
import { answerSurvey, findSurvey, resultsQuery, saveSurvey, surveyQuery } from './events.survey.queries.ts'
import { resultLines } from './events.survey.rules.ts'

const { survey: procedures } = data.events

type Reading = Parameters<typeof readOne>[0]
async function mustManage(context: Reading, eventId: string): Promise<void> {
  if (!(await readOne(context, standingQuery(eventId))).mayManage) throw problem('FORBIDDEN')
}
/** Texts of each kind: on a screen, and in a file. */
const [shown, written] = [200, 10_000]

export const survey = procedures.router({
  get: procedures.get.handler(async ({ input, context }) => (await readOne(context, surveyQuery(input.eventId))).survey),

  set: procedures.set.handler(({ input: { eventId, scope, ...wanted }, context }) =>
    context.inTx(async (db) => {
      const event = mustFind(await findEvent(db, eventId))
      if (!event.may.edit) throw problem('FORBIDDEN')
      const { orgId } = context.actor
      await saveSurvey(db, orgId, eventId, wanted)
      // Questions of other events are rows of their own.
      const fresh = { ...wanted, questions: wanted.questions.map(({ id: _, ...question }) => question) }
      for (const { id } of await othersOf(db, event, scope)) await saveSurvey(db, orgId, id, fresh)
      return mustFind(await findSurvey(db, eventId))
    }),
  ),

  answer: procedures.answer.handler(({ input: { eventId, ...given }, context }) =>
    context.inTx(async (db) => {
      const { questions } = mustFind(await findSurvey(db, eventId))
      const wrong = faultOfAnswers(questions, given.answers, 'answers')
      if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
      await answerSurvey(db, eventId, given)
      return mustFind(await findSurvey(db, eventId))
    }),
  ),

  results: procedures.results.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    return (await readOne(context, resultsQuery(input.eventId, shown))).results
  }),

  download: procedures.download.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    const { results } = await readOne(context, resultsQuery(input.eventId, written))
    const { i18n } = await context.inTx((db) => letterheadOf(db, context.actor.orgId))
    const columns = [
      { header: i18n._('Question'), kind: 'text' },
      { header: i18n._('Answer'), kind: 'text' },
      { header: i18n._('Count'), kind: 'number' },
    ] as const
    const lines = resultLines(i18n, results)
    async function* pages() {
      yield lines
    }
    const parts: Uint8Array<ArrayBuffer>[] = []
    for await (const part of csvTable(columns, pages())) parts.push(new Uint8Array(Buffer.from(part)))
    return new File(parts, 'survey.csv', { type: 'text/csv' })
  }),
})
