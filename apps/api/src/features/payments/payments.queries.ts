import type { RefundFailure } from '@guildhall/contract/features/payments'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { ProviderEvent, ProviderPayment } from '../../platform/payments/payment-provider.ts'

type Rows = Kysely<Schema>
type DifferenceAnswer = 'ignored' | 'recorded' | 'accepted'

/** A payment to be made on a page of the provider. */
export type BegunPayment = {
  paymentId: string
  orgId: string
  amount: number
  currency: string
  number: string | null
  email: string | null
  customer: string | null
  saves: boolean
  expiresAt: string
  /** Pages that nobody should pay on any more. */
  staleSessions: string[]
}
/** Whether money moves, and whether what is paid pays invoices. */
export type Counting = { isLive: boolean; counts: boolean }

export const begunColumns = sql.raw(
  `b.payment_id as "paymentId", b.org_id as "orgId", b.amount::float8 as amount, b.currency, b.number, b.email, b.customer, b.saves,
    b.expires_at as "expiresAt", b.stale_sessions as "staleSessions"`,
)

export async function beginCheckout(tx: Rows, invoiceId: string, saves: boolean, { isLive, counts }: Counting): Promise<BegunPayment> {
  const { rows } =
    await sql<BegunPayment>`select ${begunColumns} from app.begin_checkout(${invoiceId}, ${saves}, ${isLive}, ${counts}) b`.execute(tx)
  return one(rows)
}

/** Undefined where the link is not valid. */
export async function beginCheckoutByLink(
  tx: Rows,
  { idpOrg, secretHash }: { idpOrg: string | undefined; secretHash: string },
  { isLive, counts }: Counting,
): Promise<BegunPayment | undefined> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_checkout_by_link(${idpOrg ?? null}, ${secretHash}, ${isLive}, ${counts}) b where b.payment_id is not null`.execute(
    tx,
  )
  return rows[0]
}

/** Begins to pay a registration for an event by its link; undefined where nothing is to be paid. */
export async function beginRegistrationPayment(
  tx: Rows,
  { idpOrg, secretHash }: { idpOrg: string | undefined; secretHash: string },
  { isLive, counts }: Counting,
): Promise<BegunPayment | undefined> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_registration_payment(${idpOrg ?? null}, ${secretHash}, ${isLive}, ${counts}) b where b.payment_id is not null`.execute(
    tx,
  )
  return rows[0]
}

/** Null where nobody owes the invoice who has saved a card. */
export async function beginCharge(tx: Rows, orgId: string, invoiceId: string, { isLive, counts }: Counting): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.begin_charge(${orgId}, ${invoiceId}, ${isLive}, ${counts}) as id`.execute(tx)
  return rows[0]?.id ?? null
}

export async function noteCheckout(db: Rows, orgId: string, paymentId: string, session: string, customer: string | null): Promise<void> {
  await sql`select app.note_checkout(${orgId}, ${paymentId}, ${session}, ${customer})`.execute(db)
}

export type ChargeToMake = { amount: number; currency: string; number: string | null; customer: string; method: string }
export async function chargeToMake(db: Rows, orgId: string, paymentId: string): Promise<ChargeToMake | undefined> {
  const { rows } = await sql<ChargeToMake>`
    select c.amount::float8 as amount, c.currency, c.number, c.customer, c.method from app.payment_to_charge(${orgId}, ${paymentId}) c`.execute(
    db,
  )
  return rows[0]
}

/** Without an intent it was refused before it began. */
export async function noteCharge(db: Rows, orgId: string, paymentId: string, intent: string | null, failure: string | null): Promise<void> {
  await sql`select app.note_charge(${orgId}, ${paymentId}, ${intent}, ${failure})`.execute(db)
}

/** Notes an event once; undefined where it is about no payment that we know by its ids. */
export async function noteEvent(
  tx: Rows,
  event: ProviderEvent,
): Promise<{ orgId: string; paymentId: string; isFresh: boolean } | undefined> {
  const { id, type, orgId, paymentId, sessionId, intentId } = event
  const { rows } = await sql<{ orgId: string | null; paymentId: string | null; isFresh: boolean }>`
    select e.noted_org as "orgId", e.noted_payment as "paymentId", e.fresh as "isFresh"
    from app.note_payment_event(${id}, ${type}, ${uuidOrNull(orgId)}, ${uuidOrNull(paymentId)}, ${sessionId}, ${intentId}) e`.execute(tx)
  const [noted] = rows
  return noted?.orgId && noted.paymentId ? { orgId: noted.orgId, paymentId: noted.paymentId, isFresh: noted.isFresh } : undefined
}

export type ToRead = { session: string | null; intent: string | null; reads: number }
export async function paymentToRead(db: Rows, orgId: string, paymentId: string): Promise<ToRead | undefined> {
  const { rows } = await sql<ToRead>`
    select r.session, r.intent, r.reads from app.payment_to_read(${orgId}, ${paymentId}) r`.execute(db)
  return rows[0]
}

export type Applied = { before: string; after: string; kind: string; person: string | null; invoices: string[] }
/** Undefined where somebody has read the payment since `reads` was. */
export async function applyReading(
  tx: Rows,
  { orgId, paymentId, reads }: { orgId: string; paymentId: string; reads: number },
  read: Omit<ProviderPayment, 'paymentId' | 'orgId'>,
  counts: boolean,
): Promise<Applied | undefined> {
  const said = {
    ...{ state: read.state, failure: read.failure, intent: read.intentId, customer: read.customerId, settled_at: read.settledAt },
    ...{ amount: read.money.amount, currency: read.money.currency, is_live: read.isLive, counts },
    ...{ dispute: read.dispute?.id ?? null, dispute_state: read.dispute?.state ?? null },
    refunds: read.refunds.map(({ id, refundId, money, state, failure }) => ({
      id,
      refund: refundId,
      amount: money.amount,
      state,
      failure,
    })),
    saved: read.saved && {
      ...{ method: read.saved.methodId, brand: read.saved.brand, last4: read.saved.last4 },
      ...{ exp_month: read.saved.expMonth, exp_year: read.saved.expYear },
    },
  }
  const { rows } = await sql<{ applied: Applied | null }>`
    select app.apply_reading(${orgId}, ${paymentId}, ${reads}, ${JSON.stringify(said)}::jsonb) as applied`.execute(tx)
  return rows[0]?.applied ?? undefined
}

/** The invoices whose state may have changed. */
export async function settleRows(tx: Rows, orgId: string, paymentId: string, at: Date): Promise<string[]> {
  return invoicesOf(
    await sql<{ id: string }>`select s as id from app.settle_payment(${orgId}, ${paymentId}, ${at.toISOString()}) s`.execute(tx),
  )
}

export type RecordedPayment = {
  method: string
  amount: number
  currency: string
  personId: string | null
  chapterId: string | null
  receivedOn: string
  reference: string
  note: string
  allocations: readonly Allocation[]
}
export type Allocation = { invoiceId: string; amount: number }
export async function recordPayment(tx: Rows, { personId, chapterId, receivedOn, allocations, ...said }: RecordedPayment): Promise<string> {
  const row = { ...said, person_id: personId, chapter_id: chapterId, received_on: receivedOn, allocations: columnsOf(allocations) }
  const { rows } = await sql<{ id: string }>`select app.record_payment(${JSON.stringify(row)}::jsonb) as id`.execute(tx)
  return one(rows).id
}
export async function allocatePayment(tx: Rows, paymentId: string, allocations: readonly Allocation[]): Promise<void> {
  await sql`select app.allocate_payment(${paymentId}, ${JSON.stringify(columnsOf(allocations))}::jsonb)`.execute(tx)
}
/** Whether the payment is still as the caller knows it; nobody else changes it until the transaction ends. */
export async function holdPayment(tx: Rows, paymentId: string, version: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean | null }>`select app.hold_payment(${paymentId}, ${version}) as held`.execute(tx)
  return rows[0]?.held ?? false
}
export async function reversePayment(tx: Rows, paymentId: string, reason: string): Promise<string[]> {
  return invoicesOf(await sql<{ id: string }>`select s as id from app.reverse_payment(${paymentId}, ${reason}) s`.execute(tx))
}
export async function requestRefund(
  tx: Rows,
  paymentId: string,
  amount: number,
  reason: string,
): Promise<{ refundId: string; byHand: boolean }> {
  const { rows } = await sql<{ refundId: string; byHand: boolean }>`
    select r.refund as "refundId", r.by_hand as "byHand" from app.request_refund(${paymentId}, ${amount}, ${reason}) r`.execute(tx)
  return one(rows)
}
/** Of money that came by hand. */
export async function applyRefund(tx: Rows, paymentId: string): Promise<string[]> {
  return invoicesOf(await sql<{ id: string }>`select s as id from app.apply_refund(${paymentId}) s`.execute(tx))
}

export type RefundToGive = { paymentId: string; intent: string; amount: number; currency: string }
export async function refundToGive(db: Rows, orgId: string, refundId: string): Promise<RefundToGive | undefined> {
  const { rows } = await sql<RefundToGive>`
    select r.payment_id as "paymentId", r.intent, r.amount::float8 as amount, r.currency from app.refund_to_give(${orgId}, ${refundId}) r`.execute(
    db,
  )
  return rows[0]
}
export async function failRefund(db: Rows, orgId: string, refundId: string, why: RefundFailure): Promise<void> {
  await sql`select app.fail_refund(${orgId}, ${refundId}, ${why})`.execute(db)
}

export async function removeMethod(tx: Rows, methodId: string): Promise<boolean> {
  const { rows } = await sql<{ removed: boolean }>`select app.remove_payment_method(${methodId}) as removed`.execute(tx)
  return one(rows).removed
}
export async function preferMethod(tx: Rows, methodId: string): Promise<boolean> {
  const { rows } = await sql<{ preferred: boolean }>`select app.prefer_payment_method(${methodId}) as preferred`.execute(tx)
  return one(rows).preferred
}
export async function removedMethod(db: Rows, orgId: string, methodId: string): Promise<string | null> {
  const { rows } = await sql<{ method: string | null }>`select app.removed_payment_method(${orgId}, ${methodId}) as method`.execute(db)
  return rows[0]?.method ?? null
}

export async function giveUpPayment(db: Rows, orgId: string, paymentId: string): Promise<void> {
  await sql`select app.give_up_payment(${orgId}, ${paymentId})`.execute(db)
}

export async function paymentsToLookAfter(db: Rows, most: number): Promise<{ orgId: string; paymentId: string }[]> {
  const { rows } = await sql<{ orgId: string; paymentId: string }>`
    select l.org_id as "orgId", l.payment_id as "paymentId" from app.payments_to_look_after(${most}) l`.execute(db)
  return rows
}

/** A payment as the provider lists it. */
export type Listed = {
  payment: string | null
  intent: string
  state: string
  amount: number
  refunded: number
  disputed: boolean
  currency: string
}
export async function comparePayments(db: Rows, orgId: string, theirs: readonly Listed[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.payment_id as id from app.compare_payments(${orgId}, ${JSON.stringify(theirs)}::jsonb) c`.execute(db)
  return rows.map(({ id }) => id)
}
export async function noteDifferences(db: Rows, orgId: string, theirs: readonly Listed[], since: Date): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select app.note_payment_differences(${orgId}, ${JSON.stringify(theirs)}::jsonb, ${since.toISOString()}) as open`.execute(db)
  return one(rows).open
}

const columnsOf = (allocations: readonly Allocation[]) => allocations.map(({ invoiceId, amount }) => ({ invoice_id: invoiceId, amount }))
const invoicesOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)

function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('the database gave no answer')
  return row
}

/** What comes from outside need not be an id of ours. */
const uuidOrNull = (text: string | null) => (text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : null)

export type FailedCharge = {
  invoiceId: string
  number: string | null
  amount: number
  currency: string
  failure: string
  personId: string | null
}
export async function failedCharge(db: Rows, orgId: string, paymentId: string): Promise<FailedCharge | undefined> {
  const { rows } = await sql<FailedCharge>`
    select f.invoice as "invoiceId", f.number, f.amount::float8 as amount, f.currency, f.failure, f.person as "personId"
    from app.failed_charge(${orgId}, ${paymentId}) f`.execute(db)
  return rows[0]
}

export type InvoiceToPay = {
  number: string | null
  reason: string
  dueOn: string | null
  state: string
  amount: number
  currency: string
  isWaiting: boolean
}
export async function invoiceToPay(db: Rows, idpOrg: string | undefined, secretHash: string): Promise<InvoiceToPay | undefined> {
  const { rows } = await sql<InvoiceToPay>`
    select i.number, i.reason, to_json(i.due_on) #>> '{}' as "dueOn", i.state, i.open_amount::float8 as amount, i.currency, i.is_waiting as "isWaiting"
    from app.invoice_to_pay(${idpOrg ?? null}, ${secretHash}) i`.execute(db)
  return rows[0]
}

/** The payment that the difference is about, if it is one of ours. */
export async function answerDifference(tx: Rows, differenceId: string, answer: DifferenceAnswer, reason: string): Promise<string | null> {
  const { rows } = await sql<{ payment: string | null }>`
    select app.answer_difference(${differenceId}, ${answer}, ${reason}) as payment`.execute(tx)
  return one(rows).payment
}

export type TransferDetails = { accountHolder: string; accountNumber: string; bankCode: string; bankName: string; transferNote: string }
export async function transferByLink(db: Rows, idpOrg: string | undefined, secretHash: string): Promise<TransferDetails | undefined> {
  const { rows } = await sql<TransferDetails>`
    select t.account_holder as "accountHolder", t.account_number as "accountNumber", t.bank_code as "bankCode", t.bank_name as "bankName",
      t.transfer_note as "transferNote" from app.transfer_by_link(${idpOrg ?? null}, ${secretHash}) t`.execute(db)
  return rows[0]
}
