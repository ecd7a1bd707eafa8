import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { allocatePayment, recordPayment, reversePayment } from './payments.queries.ts'
import { differencesQuery, findPayment, methodsQuery, paymentQuery, paymentsList } from './payments.reads.queries.ts'
import { invoicesChanged, mustHold, settlePayment } from './payments.settling.public.ts'

const { payments } = data

export const paymentsData = payments.router({
  list: payments.list.handler(({ input: { invoiceId, personId, state, ...page }, context }) =>
    listPage(context, paymentsList({ invoiceId, personId, state }), page),
  ),

  get: payments.get.handler(async ({ input, context }) => (await readOne(context, paymentQuery(input.paymentId))).item),

  record: payments.record.handler(({ input: { money, personId, chapterId, ...said }, context }) =>
    context.inTx(async (db) => {
      const { orgId } = context.actor
      const paymentId = await recordPayment(db, { ...said, ...money, personId: personId ?? null, chapterId: chapterId ?? null })
      await settlePayment(db, orgId, paymentId, new Date(), context.settlements)
      return mustFind(await findPayment(db, paymentId))
    }),
  ),

  allocate: payments.allocate.handler(({ input: { paymentId, allocations }, context }) =>
    context.inTx(async (db) => {
      const { orgId } = context.actor
      await mustHold(db, paymentId, context.ifMatch)
      await allocatePayment(db, paymentId, allocations)
      await settlePayment(db, orgId, paymentId, new Date(), context.settlements)
      return mustFind(await findPayment(db, paymentId))
    }),
  ),

  reverse: payments.reverse.handler(({ input: { paymentId, reason }, context }) =>
    context.inTx(async (db) => {
      await mustHold(db, paymentId, context.ifMatch)
      await invoicesChanged(db, context.actor.orgId, await reversePayment(db, paymentId, reason), context.settlements)
      return mustFind(await findPayment(db, paymentId))
    }),
  ),

  methods: {
    list: payments.methods.list.handler(async ({ context }) => ({
      items: await context.read(methodsQuery()),
      canPayOnline: context.services.payments !== undefined,
    })),
  },

  differences: payments.differences.handler(async ({ context }) => ({ items: await context.read(differencesQuery()) })),
})
