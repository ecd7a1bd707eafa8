import { randomUUID } from 'node:crypto'
import type { RefundFailure } from '@guildhall/contract/features/payments'
import type {
  PaymentProvider,
  ProviderEvent,
  ProviderPayment,
  ProviderPayout,
  ProviderRefund,
} from '../../platform/payments/payment-provider.ts'
import { ForgedEventError, PaymentProviderError } from '../../platform/payments/payment-provider.ts'
import type { Services } from '../../platform/services.ts'
import type { TestPerson } from '../../testing.ts'
import { draftInvoice, issueInvoice } from '../finance/finance.public.ts'

/** An invoice that can be paid, drafted and issued by somebody who keeps the books. */
export async function issuedInvoice(
  { services }: { services: Services },
  owner: TestPerson,
  { amount, personId = owner.personId, subject }: { amount: number; personId?: string | null; subject?: { type: string; id: string } },
): Promise<string> {
  const actor = { orgId: owner.orgId, accountId: owner.accountId, idpRoles: [] }
  return services.database.asActor(actor, async (tx) => {
    const lines = [{ text: 'Dues', amount, ...(subject && { subject }) }]
    const invoiceId = await draftInvoice(tx, owner.orgId, { owedBy: { personId: personId ?? '' }, currency: 'EUR', lines, reason: 'Dues' })
    await issueInvoice(tx, owner.orgId, invoiceId, {})
    return invoiceId
  })
}

type Row = ProviderPayment & { sessionId: string; intentId: string; version: number; saves: boolean }

/** A provider in memory: quick enough for walks of many steps. What it does stands in `rows`, what it tells in `events`. */
export function memoryProvider(pause: () => Promise<void> = async () => {}, clock: () => Date = () => new Date()) {
  const rows = new Map<string, Row>()
  const events: ProviderEvent[] = []
  /** Saved cards that are declined when they are charged, those that were charged, and those that were forgotten. */
  const declining = new Set<string>()
  const charged: { paymentId: string; methodId: string }[] = []
  const removed: string[] = []
  const payouts: ProviderPayout[] = []
  let told = 0

  const tell = (type: string, { paymentId, orgId, sessionId, intentId }: Row, knows: boolean) =>
    events.push({
      id: `evt_${told++}_${randomUUID()}`,
      type,
      isLive: false,
      sessionId: null,
      intentId,
      ...(knows ? { paymentId, orgId, sessionId } : { paymentId: null, orgId: null }),
    })

  const rowOf = (paymentId: string) => {
    const row = rows.get(paymentId)
    if (!row) throw new Error('no such payment')
    row.version += 1
    return row
  }
  const find = (ids: { sessionId: string | null; intentId: string | null }) =>
    [...byIds.values()].length === 0 ? undefined : (byIds.get(ids.intentId ?? '') ?? byIds.get(ids.sessionId ?? ''))
  const byIds = new Map<string, Row>()

  const provider: PaymentProvider = {
    name: 'stripe',
    isLive: false,
    async startCheckout({ paymentId, orgId, money, customerId, save = false }) {
      const known = rows.get(paymentId)
      const row: Row = known ?? {
        ...{
          paymentId,
          orgId,
          sessionId: `cs_${paymentId}`,
          intentId: `pi_${paymentId}`,
          state: 'pending',
          failure: null,
          money,
          settledAt: null,
        },
        ...{ refunds: [], refundedAmount: 0, fees: [], isDisputed: false, dispute: null, saved: null, isLive: false, version: 0 },
        ...{ customerId: customerId ?? null, saves: save },
      }
      rows.set(paymentId, row)
      byIds.set(row.sessionId, row).set(row.intentId, row)
      return { sessionId: row.sessionId, url: `https://pay.example/${row.sessionId}` }
    },
    async endCheckout(sessionId) {
      const row = byIds.get(sessionId)
      if (row?.state === 'pending') Object.assign(row, { state: 'cancelled', failure: 'expired', version: row.version + 1 })
    },
    addCustomer: async ({ ownerId }) => `cus_${ownerId}`,
    async chargeSaved({ paymentId, orgId, money, customerId, methodId }) {
      const known = rows.get(paymentId)
      if (known) return structuredClone(known)
      const pays = !declining.has(methodId)
      const row: Row = {
        ...{ paymentId, orgId, sessionId: `none_${paymentId}`, intentId: `pi_${paymentId}`, money, customerId, saves: false },
        ...{ state: pays ? ('settled' as const) : ('failed' as const), failure: pays ? null : ('declined' as const) },
        settledAt: pays ? clock().toISOString() : null,
        ...{ refunds: [], refundedAmount: 0, fees: [], isDisputed: false, dispute: null, saved: null, isLive: false, version: 0 },
      }
      rows.set(paymentId, row)
      byIds.set(row.intentId, row)
      charged.push({ paymentId, methodId })
      tell(pays ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', row, true)
      return structuredClone(row)
    },
    async refund({ refundId, intentId, money }) {
      const row = byIds.get(intentId)
      if (!row?.paymentId) throw new Error('no such payment')
      const known = row.refunds.find((one) => one.refundId === refundId)
      if (known) return known
      // Somebody has given back so much at the provider meanwhile.
      if (row.refundedAmount + money.amount > row.money.amount)
        throw new PaymentProviderError('refused', 'so much is not left', { refundFailure: 'too_much' })
      return giveBack(row.paymentId, money.amount, refundId)
    },
    removeMethod: async (methodId) => void removed.push(methodId),
    readEvent() {
      throw new ForgedEventError('not here')
    },
    async find(ids) {
      const row = find(ids)
      const answer = row && structuredClone(row)
      await pause()
      return answer
    },
    async *listSince() {
      for (const row of [...rows.values()].toReversed()) yield structuredClone(row)
    },
    async *listPayouts(since) {
      for (const payout of payouts.toReversed()) if (new Date(payout.madeAt) >= since) yield structuredClone(payout)
    },
  }

  function giveBack(paymentId: string, amount: number, refundId: string | null = null): ProviderRefund {
    const row = rowOf(paymentId)
    const refund: ProviderRefund = {
      id: `re_${randomUUID()}`,
      refundId,
      money: { amount, currency: row.money.currency },
      state: 'settled',
      failure: null,
    }
    row.refunds.unshift(refund)
    row.refundedAmount += amount
    tell('charge.refunded', row, false)
    return refund
  }

  return {
    ...{ provider, rows, events, declining, charged, removed, payouts },
    pay(paymentId: string) {
      const row = rowOf(paymentId)
      Object.assign(row, { state: 'settled', failure: null, settledAt: clock().toISOString() })
      if (row.saves) row.saved = { methodId: `pm_${paymentId}`, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 }
      tell('payment_intent.succeeded', row, true)
      tell('checkout.session.completed', row, true)
    },
    decline(paymentId: string) {
      const row = rowOf(paymentId)
      row.failure = 'declined'
      tell('payment_intent.payment_failed', row, true)
    },
    expire(paymentId: string) {
      const row = rowOf(paymentId)
      Object.assign(row, { state: row.failure === null ? 'cancelled' : 'failed', failure: row.failure ?? 'expired' })
      tell('checkout.session.expired', row, true)
    },
    giveBack,
    /** The bank of the payer does not take the last refund. */
    sendBack(paymentId: string, failure: RefundFailure) {
      const row = rowOf(paymentId)
      const [refund] = row.refunds
      if (!refund) throw new Error('nothing was refunded')
      Object.assign(refund, { state: 'failed', failure })
      row.refundedAmount -= refund.money.amount
      tell('refund.failed', row, false)
    },
    dispute(paymentId: string, state: 'open' | 'won' | 'lost') {
      const row = rowOf(paymentId)
      row.isDisputed = true
      row.dispute = { id: `du_${paymentId}`, state }
      tell(`charge.dispute.${state === 'open' ? 'created' : 'closed'}`, row, false)
    },
  }
}
export type MemoryProvider = ReturnType<typeof memoryProvider>
