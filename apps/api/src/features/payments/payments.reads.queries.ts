import type { Payment, PaymentDifference, SavedMethod, TransferAccount } from '@guildhall/contract/features/payments'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { chapterRef, mayInChapter } from '../../platform/lists/json-refs.ts'
import { statement } from '../../platform/records/statement.ts'

// `p` is the payment. Policies decide who sees which.

/** Of a gift also who manages gifts where it belongs; it is in no books of a chapter. */
const manages = sql`(${mayInChapter('finance.manage', sql`p.books_chapter_id`)} or (p.gift_id is not null and ((select app.everywhere('gifts.manage'))
  or exists (select from app.gifts g where g.org_id = p.org_id and g.id = p.gift_id and g.chapter_id = any ((select app.scope('gifts.manage'))::uuid[])))))`
/** What of it pays no invoice. A gift pays none, and nothing of it is left over. */
export const unallocated = sql`(case when p.gift_id is null and p.counts and p.state in ('settled', 'partly_refunded') then p.amount - p.refunded_amount
  - (select coalesce(sum(a.amount - a.refunded_amount), 0) from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id) else 0 end)`
export const paymentItem = sql<Payment>`json_build_object(
  'id', p.id, 'kind', p.kind, 'method', p.method, 'state', p.state, 'failure', p.failure,
  'money', json_build_object('amount', p.amount, 'currency', p.currency),
  'refunded', json_build_object('amount', p.refunded_amount, 'currency', p.currency),
  'unallocated', json_build_object('amount', ${unallocated}, 'currency', p.currency),
  'person', (select json_build_object('id', x.id, 'displayName', x.display_name) from app.people x
    where x.org_id = p.org_id and x.id = p.person_id and x.deleted_at is null and x.lifecycle <> 'erased'),
  'chapter', (select ${chapterRef('c')} from app.chapters c where c.org_id = p.org_id and c.id = p.chapter_id),
  'invoice', (select json_build_object('id', i.id, 'number', coalesce(i.number, i.foreign_number)) from app.invoices i where i.org_id = p.org_id and i.id = p.invoice_id),
  'receivedOn', p.received_on, 'settledAt', p.settled_at, 'reference', p.reference, 'note', p.note, 'isTest', p.is_test, 'counts', p.counts,
  'disputeState', p.dispute_state,
  'reversal', case when p.reversed_at is not null then json_build_object('at', p.reversed_at, 'reason', p.reversal_reason) end,
  'allocations', (select coalesce(json_agg(json_build_object('invoiceId', a.invoice_id, 'number', coalesce(i.number, i.foreign_number), 'amount', a.amount - a.refunded_amount)
      order by i.issued_on, coalesce(i.number, i.foreign_number), a.id), '[]') from app.payment_allocations a join app.invoices i on i.org_id = a.org_id and i.id = a.invoice_id where a.org_id = p.org_id and a.payment_id = p.id),
  'refunds', (select coalesce(json_agg(json_build_object('id', r.id, 'money', json_build_object('amount', r.amount, 'currency', r.currency),
    'state', r.state, 'failure', r.failure, 'reason', r.reason, 'createdAt', r.created_at) order by r.id), '[]') from app.refunds r where r.org_id = p.org_id and r.payment_id = p.id),
  'createdAt', p.created_at,
  'may', json_build_object('refund', ${manages} and p.state in ('settled', 'partly_refunded'), 'reverse', ${manages} and p.kind = 'manual' and p.state = 'settled',
    'allocate', p.gift_id is null and ${manages} and p.counts and p.state in ('settled', 'partly_refunded')), 'version', p.version)`

const account = sql`'accountHolder', s.account_holder, 'accountNumber', s.account_number, 'bankCode', s.bank_code, 'bankName', s.bank_name, 'transferNote', s.transfer_note`

export const paymentQuery = (paymentId: string) =>
  statement(sql<{ item: Payment }>`select ${paymentItem} as item from app.payments p where p.id = ${paymentId}`)

export async function findPayment(db: ActorDb, paymentId: string): Promise<Payment | undefined> {
  const { rows } = await db.executeQuery(paymentQuery(paymentId).compile())
  return rows[0]?.item
}

type Methods = { items: SavedMethod[]; transfer: TransferAccount | null }
/** The reader's saved cards, the one that is charged first, and the account for transfers. Cards of recurring gifts pay nothing else, and stand there. */
export const methodsQuery = () =>
  statement(sql<Methods>`
    select (select coalesce(json_agg(json_build_object('id', x.id, 'brand', x.brand, 'last4', x.last4, 'expMonth', x.exp_month, 'expYear', x.exp_year,
        'isCharged', x.place = 1, 'createdAt', x.created_at) order by x.place), '[]')
      from (select m.*, row_number() over (order by m.preferred_at desc nulls last, m.id desc) as place
        from (select id, brand, last4, exp_month, exp_year, created_at, preferred_at from app.payment_methods where removed_at is null and plan_id is null) m
        order by place limit 20) x) as items,
      (select json_build_object(${account}) from app.payment_settings s where s.account_number <> '') as transfer`)

type Differences = { items: PaymentDifference[]; comparedAt: string | null; may: { answer: boolean } }
export const differencesQuery = () =>
  statement(sql<Differences>`
    select (select coalesce(json_agg(json_build_object('id', d.id, 'kind', d.kind, 'providerRef', d.provider_ref, 'paymentId', d.payment_id, 'ours', d.ours,
        'theirs', d.theirs, 'currency', d.currency, 'foundAt', d.found_at) order by d.found_at desc, d.id), '[]')
      from (select * from app.payment_differences where resolved_at is null order by found_at desc, id limit 200) d) as items,
      (select to_json(c.compared_at) #>> '{}' from app.payment_comparisons c) as "comparedAt",
      json_build_object('answer', app.everywhere('finance.manage')) as may`)

/** Whether the caller may see the invoice at all. */
export async function seesEvent(db: ActorDb, eventId: string): Promise<boolean> {
  return (await db.selectFrom('app.events').select('id').where('id', '=', eventId).executeTakeFirst()) !== undefined
}
export async function seesInvoice(db: ActorDb, invoiceId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from app.invoices i where i.id = ${invoiceId}`.execute(db)
  return rows.length > 0
}

export async function seesDifference(db: ActorDb, differenceId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from app.payment_differences d where d.id = ${differenceId}`.execute(db)
  return rows.length > 0
}

/** The caller's own person. */
export async function personOf(db: ActorDb): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.person_id() as id`.execute(db)
  return rows[0]?.id ?? null
}

/** Whether the caller manages the finance of the whole organisation. */
export async function keepsAllBooks(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select app.everywhere('finance.manage') as may`.execute(db)
  return rows[0]?.may ?? false
}
