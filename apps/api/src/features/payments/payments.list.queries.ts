import { PaymentMethod, PaymentSort, PaymentState } from '@guildhall/contract/features/payments'
import type { Payment, PaymentTotals } from '@guildhall/contract/features/payments'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { exportField, exportRows } from '../../platform/lists/export-source.ts'
import type { ExportSource } from '../../platform/lists/export-source.ts'
import { choiceField, dateField, filterWhere, flagField, idField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../platform/lists/filters.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { hasAllWords } from '../../platform/lists/match-rank.ts'
import { amountCell, amountField } from '../../platform/lists/money-cell.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { statement } from '../../platform/records/statement.ts'
import { chapterField } from '../chapters/chapters.references.public.ts'
import { paymentItem, unallocated } from './payments.reads.queries.ts'

// `p` is the payment. Policies decide who sees which.

/** The day a payment stands under: when it was received, settled or begun, by the organisation's clock. */
const day = sql`coalesce(p.received_on, (coalesce(p.settled_at, p.created_at) at time zone (select o.timezone from app.organisations o where o.org_id = (select app.org_id())))::date)`
const paymentsFrom = sql`from app.payments p`

const catalogue: FilterCatalogue = {
  state: choiceField(sql`p.state`, PaymentState.options),
  method: choiceField(sql`p.method`, PaymentMethod.options),
  day: dateField(day),
  money: amountField(sql`p.amount`, sql`p.currency`),
  person: idField(sql`p.person_id`),
  chapter: idField(sql`p.chapter_id`),
  books: chapterField(sql`p.books_chapter_id`),
  unallocated: flagField(sql`(${unallocated} > 0)`),
  test: flagField(sql`p.is_test`),
}

const orders: Record<PaymentSort, RawBuilder<unknown>[]> = {
  created: [sql`p.id`],
  day: [day, sql`p.id`],
  money: [sql`p.amount`, sql`p.id`],
}

type Question = {
  invoiceId?: string | undefined
  personId?: string | undefined
  chapterId?: string | undefined
  q?: string | undefined
  filter?: Filter | undefined
}

/** Looked for one way after the other, so that each can use its index. */
const found = (words: string) => sql<SqlBool>`p.id in (
  select a.payment_id from app.payment_allocations a where a.invoice_id in (select n.id from app.invoices n
    where n.number >= ${words.toUpperCase()} collate "C" and n.number < ${`${words.toUpperCase()}\uffff`} collate "C")
  union all select a.payment_id from app.payment_allocations a where a.invoice_id in (select n.id from app.invoices n where n.foreign_number = ${words})
  union all select app.payments_referring(${words})
  union all select n.id from app.payments n where n.person_id in (select f.id from app.matching_people(${words}) f)
  union all select n.id from app.payments n where n.chapter_id in (
    select h.id from app.chapters h where ${hasAllWords(sql`h.search`, words)}))`

function paymentsWhere({ invoiceId, personId, chapterId, q, filter }: Question): RawBuilder<SqlBool>[] {
  const filtered = filterWhere(filter, catalogue)
  const words = q?.trim()
  return [
    ...(invoiceId
      ? [
          sql<SqlBool>`(p.invoice_id = ${invoiceId} or exists (select 1 from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id and a.invoice_id = ${invoiceId}))`,
        ]
      : []),
    ...(personId ? [sql<SqlBool>`p.person_id = ${personId}`] : []),
    ...(chapterId
      ? [
          sql<SqlBool>`p.books_chapter_id = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`,
        ]
      : []),
    ...(words ? [found(words)] : []),
    ...(filtered ? [filtered] : []),
  ]
}

export function paymentsList({ sort = '-created', ...question }: Question & { sort?: string | undefined }): List<Payment> {
  const { by, descending } = readSort(sort, PaymentSort.options, 'created')
  const { invoiceId, personId, chapterId, q, filter } = question
  return {
    key: ['payments', invoiceId ?? null, personId ?? null, chapterId ?? null, q?.trim() ?? '', filter ?? null, by],
    item: paymentItem,
    from: paymentsFrom,
    where: paymentsWhere(question),
    order: orders[by],
    descending,
  }
}

type Totals = { items: PaymentTotals[]; differences: number | null }
/** What the payments of the question come to. A disputed one is not here; a test that counts for nothing is no money. */
export function totalsQuery(question: Question) {
  const conditions = paymentsWhere(question)
  const where = sql.join(
    [sql`true`, ...conditions].map((one) => sql`(${one})`),
    sql` and `,
  )
  // Those of payments unknown here belong to no filter.
  const ofThese = conditions.length === 0 ? sql`true` : sql`d.payment_id in (select p.id ${paymentsFrom} where ${where})`
  return statement(sql<Totals>`
    select (select coalesce(json_agg(json_build_object('currency', t.currency, 'payments', t.payments, 'received', t.received, 'refunded', t.refunded)
        order by t.currency), '[]')
      from (select p.currency, count(*) as payments, sum(p.amount) as received, sum(p.refunded_amount) as refunded ${paymentsFrom}
        where p.counts and p.state in ('settled', 'partly_refunded', 'refunded') and ${where} group by p.currency) t) as items,
      case when app.everywhere('finance.read') then (select count(*)::int from app.payment_differences d where d.resolved_at is null and ${ofThese}) end
        as differences`)
}

const money = (amount: RawBuilder<unknown>) => amountCell(amount, sql`p.currency`)

/** Payments in whose books the caller reads, not the ones they made themselves. */
export const paymentsExport: ExportSource = {
  fields: [
    exportField('day', 'Date', day, 'date'),
    exportField('state', 'State', sql`p.state`),
    exportField('method', 'Method', sql`p.method`),
    exportField('amount', 'Amount', money(sql`p.amount`), 'number'),
    exportField('refunded', 'Refunded', money(sql`p.refunded_amount`), 'number'),
    exportField('unallocated', 'Not allocated', money(unallocated), 'number'),
    exportField('currency', 'Currency', sql`p.currency`),
    exportField('paidBy', 'Paid by', sql`coalesce(x.display_name, c.name)`),
    exportField('memberNo', 'Member number', sql`x.member_no`),
    exportField(
      'chapterCode',
      'Chapter code',
      sql`coalesce(c.code, (select b.code from app.chapters b where b.org_id = p.org_id and b.id = p.books_chapter_id))`,
    ),
    exportField(
      'invoices',
      'Invoices',
      sql`(select string_agg(coalesce(i.number, i.foreign_number), ', ' order by i.issued_on, i.id) from app.payment_allocations a
        join app.invoices i on i.org_id = a.org_id and i.id = a.invoice_id where a.org_id = p.org_id and a.payment_id = p.id)`,
    ),
    exportField('reference', 'Reference', sql`p.reference`),
    exportField('note', 'Note', sql`p.note`),
    exportField('test', 'Test', sql`case when p.is_test then 'yes' end`),
    exportField('paymentId', 'Payment id', sql`p.id`),
    exportField('personId', 'Person record id', sql`p.person_id`),
  ],
  may: () => sql`((select app.everywhere('finance.read')) or (select app.scope('finance.read')) <> '{}')`,
  rows(request) {
    const { selection, sort } = request
    const list = paymentsList({ ...('all' in selection ? selection.all : {}), sort })
    const read = sql<SqlBool>`((select app.everywhere('finance.read')) or p.books_chapter_id = any ((select app.scope('finance.read'))::uuid[]))`
    const rows = exportRows(request, sql`p.id`, {
      ...list,
      from: sql`${paymentsFrom} left join app.people x on x.org_id = p.org_id and x.id = p.person_id and x.deleted_at is null and x.lifecycle <> 'erased'
        left join app.chapters c on c.org_id = p.org_id and c.id = p.chapter_id`,
    })
    return { ...rows, where: [...rows.where, read] }
  },
}
