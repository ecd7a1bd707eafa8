import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { mustSeeFunds, mustSeePeople } from '../fundraising.references.queries.ts'
import {
  changePledge,
  findPledge,
  holdPledge,
  pledgeQuery,
  pledgesList,
  recordPledge,
  remindPledge,
  waiveInstalment,
} from './fundraising.pledges.queries.ts'
import { instalmentsOf } from './fundraising.pledges.rules.ts'

const { pledges } = data.fundraising
const noteMost = 500

export const pledgesData = pledges.router({
  list: pledges.list.handler(({ input, context }) => listPage(context, pledgesList({ ...input, filter: readFilter(input.filter) }), input)),
  get: pledges.get.handler(async ({ input, context }) => (await readOne(context, pledgeQuery(input.pledgeId))).item),

  create: pledges.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { personId, campaignId, fundId, money, pledgedOn, firstDueOn, instalments, interval, note } = input
      if (firstDueOn < pledgedOn)
        throw problem('UNPROCESSABLE_CONTENT', fault('firstDueOn', 'dates', 'The first instalment comes before the pledge.'))
      if (money.amount < instalments)
        throw problem('UNPROCESSABLE_CONTENT', fault('instalments', 'pledge_instalments_small', 'Choose fewer instalments.'))
      await mustSeePeople(db, [{ personId, path: 'personId' }])
      await mustSeeFunds(db, [{ fundId, path: 'fundId' }])
      const id = await recordPledge(db, {
        ...{ person_id: personId, campaign_id: campaignId, fund_id: fundId, amount: money.amount, currency: money.currency },
        ...{ pledged_on: pledgedOn, note, instalments: instalmentsOf({ amount: money.amount, firstDueOn, instalments, interval }) },
      })
      return mustFind(await findPledge(db, id))
    }),
  ),

  waive: pledges.waive.handler(({ input: { pledgeId, instalmentId, waived }, context }) =>
    context.inTx(async (db) => {
      const pledge = await held(db, pledgeId, context.ifMatch)
      mustFind(pledge.instalments.find(({ id }) => id === instalmentId))
      await waiveInstalment(db, instalmentId, waived)
      return mustFind(await findPledge(db, pledgeId))
    }),
  ),

  cancel: pledges.cancel.handler(({ input: { pledgeId, reason }, context }) =>
    context.inTx(async (db) => {
      const { note, status } = await held(db, pledgeId, context.ifMatch)
      if (status !== 'open') throw problem('CONFLICT', { reason: 'pledge_over', detail: 'This pledge is fulfilled or cancelled.' })
      // Why it was cancelled is for the office, as its note is.
      const noted = [note, reason].filter(Boolean).join('\n').slice(0, noteMost)
      await changePledge(db, pledgeId, { cancelled: true, ...(reason !== '' && { note: noted }) })
      return mustFind(await findPledge(db, pledgeId))
    }),
  ),

  remind: pledges.remind.handler(({ input: { pledgeId }, context }) =>
    context.inTx(async (db) => {
      await held(db, pledgeId, context.ifMatch)
      await remindPledge(db, pledgeId)
      return mustFind(await findPledge(db, pledgeId))
    }),
  ),
})

/** The pledge as the caller knows it; nobody else changes it until the transaction ends. */
async function held(db: ActorDb, pledgeId: string, version: number): Promise<Pledge> {
  mustFind(await findPledge(db, pledgeId))
  await mustTouch(await holdPledge(db, pledgeId, version), () => findPledge(db, pledgeId), version)
  return mustFind(await findPledge(db, pledgeId))
}
