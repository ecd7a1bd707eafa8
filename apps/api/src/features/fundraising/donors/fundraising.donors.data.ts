import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { donorsList, givingQuery } from './fundraising.donors.queries.ts'
import { findPayout, payoutsList, recordPayout, reversePayout, sharesQuery } from './fundraising.payouts.queries.ts'
import { findGivingPaper, personRefOf, previewGivingRun, runsList } from './fundraising.statements.queries.ts'
import { statementOf } from './fundraising.statements.rules.ts'

const { donors } = data.fundraising

export const donorsData = donors.router({
  list: donors.list.handler(({ input, context }) => listPage(context, donorsList({ ...input, filter: readFilter(input.filter) }), input)),
  giving: donors.giving.handler(async ({ input, context }) => (await readOne(context, givingQuery(input.personId))).item),

  statement: donors.statement.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const person = mustFind(await personRefOf(db, input.personId))
      return statementOf(mustFind(await findGivingPaper(db, context.actor.orgId, input)), person)
    }),
  ),
  runs: donors.runs.handler(({ input, context }) => listPage(context, runsList(), input)),
  runPreview: donors.runPreview.handler(({ input, context }) => context.inTx((db) => previewGivingRun(db, input.since, input.until))),

  shares: donors.shares.handler(({ input, context }) => readOne(context, sharesQuery(input.chapterId))),
  payouts: donors.payouts.handler(({ input, context }) => listPage(context, payoutsList(input.chapterId), input)),
  recordPayout: donors.recordPayout.handler(({ input: { chapterId, money, paidOn, reference, note }, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, chapterId)
      const said = { chapter_id: chapterId, amount: money.amount, currency: money.currency, paid_on: paidOn, reference, note }
      return mustFind(await findPayout(db, await recordPayout(db, said)))
    }),
  ),
  reversePayout: donors.reversePayout.handler(({ input: { payoutId, reason }, context }) =>
    context.inTx(async (db) => {
      const payout = mustFind(await findPayout(db, payoutId))
      if (payout.reversal) throw problem('CONFLICT', { reason: 'payout_reversed', detail: 'This payout was reversed.' })
      await mustTouch(await reversePayout(db, payoutId, context.ifMatch, reason), () => findPayout(db, payoutId), context.ifMatch)
      return mustFind(await findPayout(db, payoutId))
    }),
  ),
})
