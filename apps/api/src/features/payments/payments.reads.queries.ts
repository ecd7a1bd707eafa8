import type { Payment, PaymentState } from '@guildhall/contract/features/payments'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { List } from '../../platform/lists/list-page.ts'
import { statement } from '../../platform/records/statement.ts'

// `p` is the payment. Policies decide who sees which.

const item = sql<Payment>`json_build_object(
  'id', p.id, 'kind', p.kind, 'method', p.method, 'state', p.state, 'failure', p.failure,
  'money', json_build_object('amount', p.amount, 'currency', p.currency),
  'refunded', json_build_object('amount', p.refunded_amount, 'currency', p.currency),
  'unallocated', json_build_object('amount', case when p.counts and p.state in ('settled', 'partly_refunded') then p.amount - p.refunded_amount
    - (select coalesce(sum(a.amount - a.refunded_amount), 0) from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id) else 0 end, 'currency', p.currency),
  'person', (select json_build_object('id', x.id, 'displayName', x.display_name) from app.people x
    where x.org_id = p.org_id and x.id = p.person_id and x.deleted_at is null and x.lifecycle <> 'erased'),
  'chapterId', p.chapter_id, 'receivedOn', p.received_on, 'settledAt', p.settled_at, 'reference', p.reference, 'note', p.note, 'isTest', p.is_test,
  'disputeState', p.dispute_state,
  'reversal', case when p.reversed_at is not null then json_build_object('at', p.reversed_at, 'reason', p.reversal_reason) end,
  'allocations', (select coalesce(json_agg(json_build_object('invoiceId', a.invoice_id, 'amount', a.amount - a.refunded_amount) order by a.id), '[]')
    from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id),
  'refunds', (select coalesce(json_agg(json_build_object('id', r.id, 'money', json_build_object('amount', r.amount, 'currency', r.currency),
    'state', r.state, 'reason', r.reason, 'createdAt', r.created_at) order by r.id), '[]') from app.refunds r where r.org_id = p.org_id and r.payment_id = p.id),
  'createdAt', p.created_at, 'version', p.version)`

type Asked = { invoiceId?: string | undefined; personId?: string | undefined; state?: PaymentState | undefined }

export const paymentsList = ({ invoiceId, personId, state }: Asked): List<Payment> => ({
  key: ['payments', invoiceId ?? null, personId ?? null, state ?? null],
  item,
  from: sql`from app.payments p`,
  where: [
    ...(invoiceId
      ? [
          sql<SqlBool>`(p.invoice_id = ${invoiceId} or exists (select 1 from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id and a.invoice_id = ${invoiceId}))`,
        ]
      : []),
    ...(personId ? [sql<SqlBool>`p.person_id = ${personId}`] : []),
    ...(state ? [sql<SqlBool>`p.state = ${state}`] : []),
  ],
  order: [sql`p.id`],
  descending: true,
})

export const paymentQuery = (paymentId: string) =>
  statement(sql<{ item: Payment }>`select ${item} as item from app.payments p where p.id = ${paymentId}`)

export async function findPayment(db: ActorDb, paymentId: string): Promise<Payment | undefined> {
  const { rows } = await db.executeQuery(paymentQuery(paymentId).compile())
  return rows[0]?.item
}

export const methodsQuery = () =>
  statement(sql<{ id: string; brand: string; last4: string; expMonth: number; expYear: number; createdAt: string }>`
    select m.id, m.brand, m.last4, m.exp_month as "expMonth", m.exp_year as "expYear", to_json(m.created_at) #>> '{}' as "createdAt"
    from app.payment_methods m where m.removed_at is null order by m.id desc limit 20`)

type Difference = {
  id: string
  kind: 'unknown_here' | 'unknown_there' | 'amount' | 'refunds'
  providerRef: string
  paymentId: string | null
  ours: number | null
  theirs: number | null
  currency: string | null
  foundAt: string
}
export const differencesQuery = () =>
  statement(sql<Difference>`
    select d.id, d.kind, d.provider_ref as "providerRef", d.payment_id as "paymentId", d.ours::float8 as ours, d.theirs::float8 as theirs, d.currency,
      to_json(d.found_at) #>> '{}' as "foundAt"
    from app.payment_differences d where d.resolved_at is null order by d.found_at desc, d.id limit 200`)

/** Whether the caller may see the invoice at all. */
export async function seesInvoice(db: ActorDb, invoiceId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from app.invoices i where i.id = ${invoiceId}`.execute(db)
  return rows.length > 0
}

/** The caller's own person. */
export async function personOf(db: ActorDb): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.person_id() as id`.execute(db)
  return rows[0]?.id ?? null
}
