import { mustFind } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import { notOnline, openCheckout } from './payments.checkout.actions.ts'
import { applyRefund, beginCheckout, removeMethod, requestRefund } from './payments.queries.ts'
import { findPayment, personOf, seesInvoice } from './payments.reads.queries.ts'
import { countingOf } from './payments.rules.ts'
import { invoicesChanged, mustHold } from './payments.settling.public.ts'

const { payments } = actions

export const paymentsActions = payments.router({
  pay: payments.pay.handler(async ({ input: { invoiceId, saveCard }, context }) => {
    const { services } = context
    if (!services.payments) throw notOnline()
    const { begun, person } = await context.inTx(async (db) => {
      mustFind((await seesInvoice(db, invoiceId)) || null)
      return { begun: await beginCheckout(db, invoiceId, saveCard, countingOf(services)), person: await personOf(db) }
    })
    const back = `${services.config.PUBLIC_URL.replace(/\/$/, '')}/profile`
    const url = await openCheckout(services, begun, person, {
      success: `${back}?paid=${begun.paymentId}`,
      cancelled: `${back}?unpaid=${begun.paymentId}`,
    })
    return { paymentId: begun.paymentId, url }
  }),

  refund: payments.refund.handler(({ input: { paymentId, amount, reason }, context }) =>
    context.inTx(async (db) => {
      const { orgId } = context.actor
      await mustHold(db, paymentId, context.ifMatch)
      const { refundId, byHand } = await requestRefund(db, paymentId, amount, reason)
      if (byHand) await invoicesChanged(db, orgId, await applyRefund(db, paymentId), context.settlements)
      else await context.services.jobs.send(db, 'payments', { does: 'refund', org: orgId, refund: refundId })
      return mustFind(await findPayment(db, paymentId))
    }),
  ),

  removeMethod: payments.removeMethod.handler(({ input: { methodId }, context }) =>
    context.inTx(async (db) => {
      mustFind((await removeMethod(db, methodId)) || null)
      await context.services.jobs.send(db, 'payments', { does: 'remove-method', org: context.actor.orgId, method: methodId })
    }),
  ),
})
