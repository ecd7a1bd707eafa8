import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import type { Services } from '../../platform/services.ts'
import { paymentsList, totalsQuery } from './payments.list.queries.ts'
import { allocatePayment, answerDifference, preferMethod, recordPayment, reversePayment } from './payments.queries.ts'
import { differencesQuery, findPayment, methodsQuery, paymentQuery } from './payments.reads.queries.ts'
import { countingOf } from './payments.rules.ts'
import { settingsQuery, updateSettings } from './payments.settings.queries.ts'
import { invoicesChanged, mustHold, settlePayment } from './payments.settling.public.ts'

const { payments } = data

export const paymentsData = payments.router({
  list: payments.list.handler(({ input, context }) =>
    listPage(context, paymentsList({ ...input, filter: readFilter(input.filter) }), input),
  ),

  totals: payments.totals.handler(({ input, context }) => readOne(context, totalsQuery({ ...input, filter: readFilter(input.filter) }))),

  get: payments.get.handler(async ({ input, context }) => (await readOne(context, paymentQuery(input.paymentId))).item),

  record: payments.record.handler(({ input: { money, personId, chapterId, differenceId, ...said }, context }) =>
    context.inTx(async (db) => {
      const { orgId } = context.actor
      const paymentId = await recordPayment(db, { ...said, ...money, personId: personId ?? null, chapterId: chapterId ?? null })
      if (differenceId) await answerDifference(db, differenceId, 'recorded', `Recorded as payment ${paymentId}`)
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
    list: payments.methods.list.handler(async ({ context }) => {
      const { payments: provider } = context.services
      const { counts } = countingOf(context.services)
      return {
        ...(await readOne(context, methodsQuery())),
        ...{
          canPayOnline: provider !== undefined,
          isTestMode: provider?.isLive === false,
          testsCount: counts && provider?.isLive === false,
        },
      }
    }),
    prefer: payments.methods.prefer.handler(({ input: { methodId }, context }) =>
      context.inTx(async (db) => {
        mustFind((await preferMethod(db, methodId)) || null)
      }),
    ),
  },

  settings: {
    get: payments.settings.get.handler(async ({ context }) => ({
      ...(await readOne(context, settingsQuery())).item,
      ...providerOf(context.services),
    })),
    update: payments.settings.update.handler(({ input, context }) =>
      context.inTx(async (db) => ({ ...(await updateSettings(db, context.ifMatch, input)), ...providerOf(context.services) })),
    ),
  },

  differences: payments.differences.handler(({ context }) => readOne(context, differencesQuery())),
})

const providerOf = ({ payments: provider }: Services) => ({ byCard: provider !== undefined, isTestMode: provider?.isLive === false })
