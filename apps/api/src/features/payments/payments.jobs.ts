import type { JobHandler } from '../../platform/jobs/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { PaymentProviderError } from '../../platform/payments/payment-provider.ts'
import type { PaymentProvider, ProviderPayment } from '../../platform/payments/payment-provider.ts'
import { sendMailFor } from '../../platform/mail/send-mail.ts'
import type { Schedule } from '../../platform/schedules/schedules.ts'
import type { BooksDb } from '../finance/finance.public.ts'
import type { Settlements } from '../../platform/settlements.ts'
import { chargeFailedMail } from './payments.mails.jobs.ts'
import {
  applyReading,
  chargeToMake,
  comparePayments,
  failRefund,
  failedCharge,
  giveUpPayment,
  noteCharge,
  noteDifferences,
  noteEvent,
  paymentToRead,
  paymentsToLookAfter,
  refundToGive,
  removedMethod,
} from './payments.queries.ts'
import type { Listed } from './payments.queries.ts'
import { noteFees } from './payments.fees.queries.ts'
import { countsAs } from './payments.rules.ts'
import { invoicesChanged } from './payments.settling.public.ts'

/** What is asked of the provider, each with the ids it needs. Every job may run twice. */
export const paymentJobs =
  (services: Services, settlements: Settlements): JobHandler =>
  async ({ does = 'look-after', org = '', payment = '', refund = '', method = '', intent = '', event = '', type = '' }, { signal }) => {
    const { payments: provider, log } = services
    if (!provider && does === 'look-after') return
    if (!provider) {
      log.warn({ does, org, payment }, 'there is no payment provider any more')
      return
    }
    const desk: Desk = { services, payments: provider, settlements }
    if (does === 'read') await readPayment(desk, org, payment)
    else if (does === 'find') await findPayment(desk, { intent, event, type })
    else if (does === 'charge') await charge(desk, org, payment)
    else if (does === 'refund') await refundPayment(desk, org, refund)
    else if (does === 'remove-method') await removeMethod(desk, org, method)
    else if (does === 'look-after') await lookAfter(desk)
    else if (does === 'compare') await compare(desk, org, signal)
    else throw new Error(`nobody does ${does} with payments`)
  }

type Desk = { services: Services; payments: PaymentProvider; settlements: Settlements }

const mostTries = 8

/**
 * Reads a payment at the provider and brings ours in line. An answer counts only when nobody has read the payment since it was asked for: so the last
 * one that is applied was asked for last, and nothing goes back to what was before.
 */
async function readPayment(desk: Desk, org: string, payment: string, elsewhere: ProviderIds = nowhere): Promise<void> {
  const { services, payments } = desk
  for (let tries = 0; tries < mostTries; tries++) {
    const known = await services.database.withoutActor((db) => paymentToRead(db, org, payment))
    if (!known) return
    const ids = known.session === null && known.intent === null ? elsewhere : { sessionId: known.session, intentId: known.intent }
    // Never begun there: a process ended before it could ask.
    if (ids.sessionId === null && ids.intentId === null) return services.database.withoutActor((db) => giveUpPayment(db, org, payment))
    const read = await payments.find(ids)
    if (!read) return services.database.withoutActor((db) => noteFees(db, org, payment, []))
    if (await apply(desk, { orgId: org, paymentId: payment, reads: known.reads }, read)) return
  }
  throw new Error('a payment is read by too many at once')
}

type ProviderIds = { sessionId: string | null; intentId: string | null }
const nowhere: ProviderIds = { sessionId: null, intentId: null }

function apply(
  { services, settlements }: Desk,
  known: { orgId: string; paymentId: string; reads: number },
  read: ProviderPayment,
): Promise<boolean> {
  const { database, config } = services
  const { orgId, paymentId } = known
  return database.withoutActor(async (tx) => {
    const applied = await applyReading(tx, known, read, countsAs(read.isLive, config.NODE_ENV))
    if (!applied) return false
    await noteFees(tx, orgId, paymentId, read.fees)
    await invoicesChanged(tx, orgId, applied.invoices, settlements)
    if (applied.kind === 'charge' && applied.after === 'failed') await tellOfFailure(tx, orgId, paymentId)
    return true
  })
}

async function tellOfFailure(tx: BooksDb, org: string, payment: string): Promise<void> {
  const failed = await failedCharge(tx, org, payment)
  if (failed?.personId)
    await sendMailFor(tx, org, chargeFailedMail, {
      to: { personId: failed.personId },
      params: { payment },
      dedupeKey: `charge-failed:${payment}`,
    })
}

/** An event about a payment whose id there we have not heard of yet. */
async function findPayment(desk: Desk, { intent, event, type }: Record<'intent' | 'event' | 'type', string>): Promise<void> {
  const found = await desk.payments.find({ sessionId: null, intentId: intent })
  if (!found?.paymentId || !found.orgId) return
  const { paymentId, orgId, isLive } = found
  const about = { id: event, type, isLive, paymentId, orgId, sessionId: null, intentId: intent }
  const noted = await desk.services.database.withoutActor((db) => noteEvent(db, about))
  if (noted) await readPayment(desk, noted.orgId, noted.paymentId, found)
}

async function charge(desk: Desk, org: string, payment: string): Promise<void> {
  const { services, payments } = desk
  const { database } = services
  const due = await database.withoutActor((db) => chargeToMake(db, org, payment))
  if (due) {
    const { amount, currency, number, customer, method } = due
    try {
      const made = await payments.chargeSaved({
        ...{ paymentId: payment, orgId: org, money: { amount, currency }, text: number ?? payment },
        ...{ customerId: customer, methodId: method },
      })
      await database.withoutActor((db) => noteCharge(db, org, payment, made.intentId, made.failure))
    } catch (error) {
      if (!(error instanceof PaymentProviderError) || error.reason !== 'refused') throw error
      services.log.warn({ err: error, org, payment }, 'a saved card cannot be charged')
      await database.withoutActor(async (tx) => {
        await noteCharge(tx, org, payment, null, 'declined')
        await tellOfFailure(tx, org, payment)
      })
    }
  }
  await readPayment(desk, org, payment)
}

async function refundPayment(desk: Desk, org: string, refund: string): Promise<void> {
  const { services, payments } = desk
  const { database, log } = services
  const due = await database.withoutActor((db) => refundToGive(db, org, refund))
  if (!due) return
  const { paymentId, intent, amount, currency } = due
  try {
    await payments.refund({ refundId: refund, orgId: org, intentId: intent, money: { amount, currency } })
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.reason !== 'refused') throw error
    log.warn({ err: error, org, refund }, 'the provider does not give this refund')
    await database.withoutActor((db) => failRefund(db, org, refund, error.refundFailure))
  }
  await readPayment(desk, org, paymentId)
}

async function removeMethod({ services, payments }: Desk, org: string, method: string): Promise<void> {
  const known = await services.database.withoutActor((db) => removedMethod(db, org, method))
  if (known !== null) await payments.removeMethod(known)
}

/** Every few minutes: payments of which nothing was heard, since a webhook may be lost, and those whose fee is not known yet. */
async function lookAfter({ services: { database, jobs } }: Desk): Promise<void> {
  await database.withoutActor(async (tx) => {
    for (const { orgId, paymentId } of await paymentsToLookAfter(tx, 100))
      await jobs.send(tx, 'payments', { does: 'read', org: orgId, payment: paymentId })
  })
}

const comparedDays = 35

/** Every night: reads what the provider says otherwise, and lists what still differs then. */
async function compare(desk: Desk, org: string, signal: AbortSignal): Promise<void> {
  const { services, payments } = desk
  const { database, log } = services
  const since = new Date(Date.now() - comparedDays * 86_400_000)
  const theirs = await listed(payments, org, since, signal)
  const toRead = await database.withoutActor((db) => comparePayments(db, org, theirs))
  for (const payment of toRead) {
    signal.throwIfAborted()
    const there = theirs.find((one) => one.payment === payment)
    await readPayment(desk, org, payment, { sessionId: null, intentId: there?.intent ?? null })
  }
  const open = await database.withoutActor((db) => noteDifferences(db, org, theirs, since))
  if (open > 0) log.warn({ org, differences: open }, 'payments differ from what the provider says')
}

async function listed(payments: PaymentProvider, org: string, since: Date, signal: AbortSignal): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const { paymentId, orgId, intentId, state, money, refundedAmount, isDisputed } of payments.listSince(since)) {
    signal.throwIfAborted()
    if (orgId === org && intentId !== null)
      all.push({
        payment: paymentId,
        intent: intentId,
        state,
        amount: money.amount,
        refunded: refundedAmount,
        disputed: isDisputed,
        currency: money.currency,
      })
  }
  return all
}

export const paymentSchedules = ({ jobs, payments }: Services): Schedule[] =>
  payments
    ? [
        {
          name: 'compare-payments',
          rule: { every: 'day', at: '04:20' },
          missed: 'once',
          run: (db, { org }) => jobs.send(db, 'payments', { does: 'compare', org }),
        },
      ]
    : []
