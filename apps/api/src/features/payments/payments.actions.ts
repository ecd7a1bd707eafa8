import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import { notOnline, openCheckout } from './payments.checkout.actions.ts'
import { answerDifference, applyRefund, beginCheckout, removeMethod, requestRefund } from './payments.queries.ts'
import { findPayment, keepsAllBooks, personOf, seesDifference, seesEvent, seesInvoice } from './payments.reads.queries.ts'
import { countingOf } from './payments.rules.ts'
import { invoicesChanged, mustHold } from './payments.settling.public.ts'

const { payments } = actions

export const paymentsActions = payments.router({
  pay: payments.pay.handler(async ({ input: { invoiceId, saveCard, eventId }, context }) => {
    const { services } = context
    if (!services.payments) throw notOnline()
    const { begun, person } = await context.inTx(async (db) => {
      mustFind((await seesInvoice(db, invoiceId)) || null)
      if (eventId !== undefined) mustFind((await seesEvent(db, eventId)) || null)
      return { begun: await beginCheckout(db, invoiceId, saveCard, countingOf(services)), person: await personOf(db) }
    })
    const back = `${services.config.PUBLIC_URL.replace(/\/$/, '')}/${eventId === undefined ? 'profile' : `event/${eventId}`}`
    const url = await openCheckout(services, begun, person, {
      success: `${back}?paid=${begun.paymentId}`,
      cancelled: `${back}?unpaid=${begun.paymentId}`,
    })
    return { paymentId: begun.paymentId, url }
  }),

  check: payments.check.handler(({ input: { paymentId }, context }) =>
    context.inTx(async (db) => {
      const { kind } = mustFind(await findPayment(db, paymentId))
      if (kind !== 'manual')
        await context.services.jobs.send(db, 'payments', { does: 'read', org: context.actor.orgId, payment: paymentId })
    }),
  ),

  compare: payments.compare.handler(({ context }) =>
    context.inTx(async (db) => {
      if (!context.services.payments) throw notOnline()
      if (!(await keepsAllBooks(db))) throw problem('FORBIDDEN')
      await context.services.jobs.send(db, 'payments', { does: 'compare', org: context.actor.orgId })
    }),
  ),

  answerDifference: payments.answerDifference.handler(({ input: { differenceId, answer, reason }, context }) =>
    context.inTx(async (db) => {
      mustFind((await seesDifference(db, differenceId)) || null)
      const payment = await answerDifference(db, differenceId, answer, reason)
      if (answer === 'accepted' && payment !== null)
        await context.services.jobs.send(db, 'payments', { does: 'read', org: context.actor.orgId, payment })
    }),
  ),

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
