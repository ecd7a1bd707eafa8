import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { beginOwnInstalment } from '../../payments/payments.public.ts'
import { findPledge, giftOfPayment } from './fundraising.pledges.queries.ts'

const { pledges } = actions.fundraising

export const pledgesActions = pledges.router({
  /** Paying an instalment by card while signed in. Asked again, it answers the same gift. */
  pay: pledges.pay.handler(async ({ input: { pledgeId, instalmentId }, context }) => {
    const { services } = context
    const { giftId, begun } = await context.inTx(async (db) => {
      const { person, instalments, status, may } = mustFind(await findPledge(db, pledgeId))
      const { state } = mustFind(instalments.find(({ id }) => id === instalmentId))
      if (!may.pay || !person) throw problem('FORBIDDEN')
      if (status !== 'open' || (state !== 'due' && state !== 'overdue'))
        throw problem('CONFLICT', {
          reason: 'instalment_not_due',
          detail: 'This instalment was paid or waived, or its pledge was cancelled.',
        })
      const begun = await beginOwnInstalment(services, db, person.id, instalmentId)
      return { giftId: mustFind(await giftOfPayment(db, begun.paymentId)), begun }
    })
    const back = `${services.config.PUBLIC_URL.replace(/\/$/, '')}/profile?section=giving&given=${giftId}`
    return { giftId, url: await begun.open({ success: back, cancelled: `${back}&cancelled=1` }) }
  }),
})
