import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { chargePlan } from '../../payments/payments.public.ts'
import { changePlan, findPlan, holdPlan, planQuery, plansList } from './fundraising.plans.queries.ts'
import type { PlanChange } from './fundraising.plans.queries.ts'

const { plans } = data.fundraising

export const plansData = plans.router({
  list: plans.list.handler(({ input, context }) => listPage(context, plansList({ ...input, filter: readFilter(input.filter) }), input)),
  get: plans.get.handler(async ({ input, context }) => (await readOne(context, planQuery(input.planId))).item),

  change: plans.change.handler(({ input: { planId, money }, context }) =>
    context.inTx(async (db) => {
      const { currency } = mustFind(await findPlan(db, planId)).money
      if (money.currency !== currency)
        throw problem(
          'UNPROCESSABLE_CONTENT',
          fault('money.currency', 'gift_currency', 'A recurring gift keeps its currency.', { params: { currency } }),
        )
      // What somebody types is all that is charged.
      return changed(db, context, planId, { do: 'change', amount: money.amount, covers_fees: false })
    }),
  ),
  pause: plans.pause.handler(({ input: { planId, until }, context }) =>
    context.inTx((db) => changed(db, context, planId, { do: 'pause', until })),
  ),
  resume: plans.resume.handler(({ input: { planId }, context }) => context.inTx((db) => changed(db, context, planId, { do: 'resume' }))),
  stop: plans.stop.handler(({ input: { planId, reason }, context }) =>
    context.inTx((db) => changed(db, context, planId, { do: 'stop', reason })),
  ),
  retry: plans.retry.handler(({ input: { planId }, context }) =>
    context.inTx(async (db) => {
      await changed(db, context, planId, { do: 'retry' })
      if (!(await chargePlan(context.services, db, context.actor.orgId, planId))) throw notCharged()
      return mustFind(await findPlan(db, planId))
    }),
  ),
})

async function changed(db: ActorDb, context: Pick<CallerContext, 'ifMatch'>, planId: string, change: PlanChange): Promise<Plan> {
  mustFind(await findPlan(db, planId))
  await mustTouch(await holdPlan(db, planId, context.ifMatch), () => findPlan(db, planId), context.ifMatch)
  await changePlan(db, planId, change)
  return mustFind(await findPlan(db, planId))
}

const notCharged = () =>
  problem('CONFLICT', { reason: 'plan_not_chargeable', detail: 'There is no saved card to charge, or a charge is under way.' })
