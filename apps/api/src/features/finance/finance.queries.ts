import type {
  ChapterFigures,
  DuesRate,
  DuesRateChange,
  FinanceFigures,
  Invoice,
  InvoiceChange,
  InvoiceDetail,
  NewDuesRate,
  Receipt,
} from '@guildhall/contract/features/finance'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, mayInChapter, orNull, personRef } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import type { DraftLine } from './finance.rules.ts'

// `i` is the invoice, `r` the receipt or the rate; `p` and `c` who owes it.

const owes = (
  alias: string,
) => sql`left join app.people p on p.org_id = ${sql.ref(`${alias}.org_id`)} and p.id = ${sql.ref(`${alias}.person_id`)}
    and p.deleted_at is null and p.lifecycle <> 'erased'
  left join app.chapters c on c.org_id = ${sql.ref(`${alias}.org_id`)} and c.id = ${sql.ref(`${alias}.chapter_id`)}`
const owedBy = sql`'person', ${orNull('p', personRef)}, 'chapter', ${orNull('c', chapterRef)}`
export const below = (column: RawBuilder<unknown>, chapterId: string) =>
  sql<SqlBool>`${column} = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`

// Invoices --------------------------------------------------------------------------------------------------------------------------

export const isOpen = sql<SqlBool>`i.state in ('issued', 'partly_paid') and i.kind = 'invoice'`
export const isOverdue = sql<SqlBool>`(${isOpen} and i.due_on < (select app.today()))`
const money = (column: string) => sql`json_build_object('amount', ${sql.ref(`i.${column}_amount`)}, 'currency', i.currency)`
const invoiceFields = sql`'id', i.id, 'kind', i.kind, 'state', i.state, 'overdue', coalesce(${isOverdue}, false), 'number', coalesce(i.number, i.foreign_number), ${owedBy},
  'billedTo', coalesce(i.billing ->> 'name', p.display_name, c.name), 'reason', i.reason, 'total', ${money('total')}, 'paid', ${money('paid')}, 'credited', ${money('credited')}, 'balance', ${money('balance')},
  'issuedOn', i.issued_on, 'dueOn', i.due_on, 'paidOn', i.paid_on, 'sentAt', i.sent_at, 'remindedAt', i.reminded_at, 'createdAt', i.created_at, 'version', i.version`
export const invoicesFrom = sql`from app.invoices i ${owes('i')}`
export const manages = mayInChapter('finance.manage', sql`i.books_chapter_id`)

/** It costs nothing and pays for something, which is settled the moment it is issued. */
export const maySettleByIssuing = sql<SqlBool>`(i.total_amount = 0 and exists (select from app.invoice_lines l
  where l.org_id = i.org_id and l.invoice_id = i.id and l.subject_id is not null))`

const lineItems = sql`(select coalesce(json_agg(json_build_object('id', l.id, 'text', l.text, 'net', l.net_amount, 'taxBps', l.tax_bps, 'taxNote', l.tax_note, 'tax', l.tax_amount,
    'share', case when l.share_chapter_id is not null then json_build_object('chapter', ${orNull('s', chapterRef)}, 'amount', l.share_amount) end,
    'credited', (select json_build_object('net', coalesce(-sum(n.net_amount), 0), 'tax', coalesce(-sum(n.tax_amount), 0)) from app.invoice_lines n
      where n.org_id = l.org_id and n.credits_line_id = l.id)) order by l.place), '[]')
  from app.invoice_lines l left join app.chapters s on s.org_id = l.org_id and s.id = l.share_chapter_id where l.org_id = i.org_id and l.invoice_id = i.id)`
const paymentItems = sql`(select coalesce(json_agg(json_build_object('id', x.id, 'method', x.method, 'state', x.state, 'amount', x.amount, 'refunded', x.refunded_amount,
    'settledAt', x.settled_at) order by x.id), '[]')
  from (select y.id, y.method, y.state, a.amount, a.refunded_amount, y.settled_at from app.payment_allocations a
    join app.payments y on y.org_id = a.org_id and y.id = a.payment_id where a.org_id = i.org_id and a.invoice_id = i.id order by y.id limit 100) x)`
const creditItems = sql`(select coalesce(json_agg(json_build_object('id', n.id, 'number', n.number, 'total', n.total_amount, 'issuedOn', n.issued_on) order by n.id), '[]')
  from app.invoices n where n.org_id = i.org_id and n.credits_id = i.id)`
const correctsItem = sql`(select json_build_object('id', n.id, 'number', coalesce(n.number, n.foreign_number)) from app.invoices n
  where n.org_id = i.org_id and n.id = i.credits_id)`

export const invoiceItem = sql<Invoice>`json_build_object(${invoiceFields})`
const detailItem = sql<InvoiceDetail>`json_build_object(${invoiceFields}, 'billing', i.billing, 'note', i.note, 'lines', ${lineItems}, 'payments', ${paymentItems},
  'credits', ${creditItems}, 'corrects', ${correctsItem}, 'voidReason', i.void_reason,
  'may', json_build_object('edit', ${manages} and i.state = 'draft' and i.kind = 'invoice', 'issue', ${manages} and i.state = 'draft', 'void', ${manages} and i.kind = 'invoice' and i.state in ('draft', 'issued') and i.credited_amount = 0,
    'credit', ${manages} and i.kind = 'invoice' and i.state in ('issued', 'partly_paid', 'paid') and i.credited_amount < i.total_amount,
    'seeHistory', ${mayInChapter('finance.read', sql`i.books_chapter_id`)}))`

const detailFound = (invoiceId: string) =>
  sql<{ item: InvoiceDetail }>`select ${detailItem} as item ${invoicesFrom} where i.id = ${invoiceId}`
export const invoiceQuery = (invoiceId: string) => statement(detailFound(invoiceId))
export async function findInvoice(db: ActorDb, invoiceId: string): Promise<InvoiceDetail | undefined> {
  return (await detailFound(invoiceId).execute(db)).rows[0]?.item
}

/** Lines keep what they pay for, and of a changed amount the chapter's share in proportion. */
export async function changeDraft(
  db: ActorDb,
  orgId: string,
  invoiceId: string,
  { lines, ...texts }: Omit<InvoiceChange, 'lines'> & { lines?: readonly (DraftLine & { lineId?: string | undefined })[] | undefined },
): Promise<void> {
  await sql`select app.change_draft(${orgId}::uuid, ${invoiceId}::uuid, ${JSON.stringify({ ...texts, lines })}::jsonb)`.execute(db)
}

/** Keeps others from changing the invoice until this transaction ends. */
export async function holdInvoice(db: ActorDb, orgId: string, invoiceId: string): Promise<void> {
  await sql`select app.hold_invoice(${orgId}::uuid, ${invoiceId}::uuid)`.execute(db)
}

export async function personThere(db: ActorDb, personId: string): Promise<boolean> {
  const { rows } =
    await sql`select from app.people p where p.id = ${personId} and p.deleted_at is null and p.lifecycle not in ('erased', 'merged')`.execute(
      db,
    )
  return rows.length > 0
}
export async function chapterThere(db: ActorDb, chapterId: string): Promise<boolean> {
  const { rows } = await sql`select from app.chapters c where c.id = ${chapterId}`.execute(db)
  return rows.length > 0
}

// Figures ---------------------------------------------------------------------------------------------------------------------------

const counted = (where: RawBuilder<unknown>, column: RawBuilder<unknown>) =>
  sql`json_build_object('invoices', count(*) filter (where ${where}), 'amount', coalesce(sum(${column}) filter (where ${where}), 0))`

const age = (
  from: number,
  to: number | null,
) => sql`json_build_object('from', ${to === null ? sql`null` : sql`(select app.today()) - ${sql.lit(to)}`},
  'until', (select app.today()) - ${sql.lit(from)}, 'days', ${sql.lit(to === null ? `${from}+` : `${from === 1 ? 0 : from}–${to}`)}::text,
  'invoices', count(*) filter (where ${aged(from, to)}), 'amount', coalesce(sum(i.balance_amount) filter (where ${aged(from, to)}), 0))`
const aged = (from: number, to: number | null) =>
  sql`${isOpen} and i.due_on <= (select app.today()) - ${sql.lit(from)} ${to === null ? sql`` : sql`and i.due_on >= (select app.today()) - ${sql.lit(to)}`}`

/** What each chapter right below has in its books, and those below it. */
export const chapterFiguresQuery = (chapterId: string | undefined) =>
  statement(sql<{ item: ChapterFigures }>`
    select json_build_object('chapter', ${chapterRef('c')}, 'currency', f.currency, 'open', f.open, 'overdue', f.overdue, 'paidThisYear', f.paid) as item
    from (select a.ancestor_id as id, i.currency, coalesce(sum(i.balance_amount) filter (where ${isOpen}), 0) as open,
        coalesce(sum(i.balance_amount) filter (where ${isOverdue}), 0) as overdue,
        coalesce(sum(i.paid_amount) filter (where i.state = 'paid' and i.paid_on >= date_trunc('year', (select app.today()))::date), 0) as paid
      from app.chapters n join app.chapter_ancestors a on a.org_id = n.org_id and a.ancestor_id = n.id
      join app.invoices i on i.org_id = a.org_id and i.books_chapter_id = a.chapter_id and i.kind = 'invoice'
      where n.parent_id = ${chapterId ?? null}::uuid group by a.ancestor_id, i.currency) f
    join app.chapters c on c.id = f.id where f.open <> 0 or f.paid <> 0 order by f.overdue desc, f.open desc, c.name, c.id limit 100`)

export const figuresQuery = (chapterId: string | undefined) =>
  statement(sql<{ item: FinanceFigures }>`
    select json_build_object('currency', i.currency, 'open', ${counted(isOpen, sql`i.balance_amount`)}, 'overdue', ${counted(isOverdue, sql`i.balance_amount`)},
      'drafts', ${counted(sql`i.state = 'draft'`, sql`i.total_amount`)},
      'paidThisYear', ${counted(sql`i.state = 'paid' and i.paid_on >= date_trunc('year', (select app.today()))::date`, sql`i.paid_amount`)},
      'paidLastYear', ${counted(sql`i.state = 'paid' and i.paid_on between (date_trunc('year', (select app.today())) - interval '1 year')::date and ((select app.today()) - interval '1 year')::date`, sql`i.paid_amount`)},
      'ages', json_build_array(${age(1, 30)}, ${age(31, 60)}, ${age(61, 90)}, ${age(91, null)}),
      'chapterShare', coalesce(sum((select sum(l.share_amount) from app.invoice_lines l where l.org_id = i.org_id and l.invoice_id = i.id))
        filter (where i.state = 'paid' and i.paid_on >= date_trunc('year', (select app.today()))::date), 0)) as item
    from app.invoices i where i.kind = 'invoice' and ${chapterId ? below(sql`i.books_chapter_id`, chapterId) : sql`true`}
    group by i.currency order by i.currency`)

export const mayManageQuery = (chapterId: string | undefined) =>
  statement(sql<{ manage: boolean }>`select ${mayInChapter('finance.manage', sql`${chapterId ?? null}::uuid`)} as manage`)

// Dues ------------------------------------------------------------------------------------------------------------------------------

export const ratesLimit = 500

const rateItem = sql<DuesRate>`json_build_object('id', r.id, 'name', r.name, 'chargedTo', r.charged_to, 'memberKind', r.member_kind, 'period', r.period,
  'price', json_build_object('amount', r.price_amount, 'currency', r.price_currency), 'dueDays', r.due_days, 'taxBps', r.tax_bps, 'taxNote', r.tax_note,
  'chapterShareBps', r.chapter_share_bps, 'chapter', ${orNull('c', chapterRef)}, 'overridesId', r.overrides_id, 'archivedAt', r.archived_at, 'version', r.version)`
const ratesFound = (where: RawBuilder<SqlBool>) => sql<{ item: DuesRate }>`select ${rateItem} as item from app.dues_rates r
  left join app.chapters c on c.org_id = r.org_id and c.id = r.chapter_id where ${where}
  order by r.chapter_id is not null, lower(r.name), r.id limit ${sql.lit(ratesLimit)}`

/** Those of a chapter: its own, those of chapters above it, and those of the whole organisation. */
export const ratesQuery = ({ chapterId, archived = false }: { chapterId?: string | undefined; archived?: boolean | undefined }) =>
  statement(
    ratesFound(
      sql`(${archived} or r.archived_at is null) and ${
        chapterId
          ? sql`(r.chapter_id is null or r.chapter_id in (select a.ancestor_id from app.chapter_ancestors a where a.chapter_id = ${chapterId}))`
          : sql`true`
      }`,
    ),
  )
export async function findRate(db: ActorDb, rateId: string): Promise<DuesRate | undefined> {
  return (await ratesFound(sql`r.id = ${rateId}`).execute(db)).rows[0]?.item
}
export async function countRates(db: ActorDb): Promise<number> {
  const { rows } = await sql<{ rates: number }>`select count(*)::int as rates from app.dues_rates`.execute(db)
  return rows[0]?.rates ?? 0
}
export async function isOverridden(db: ActorDb, overridesId: string, chapterId: string): Promise<boolean> {
  const { rows } = await sql`select from app.dues_rates r where r.overrides_id = ${overridesId} and r.chapter_id = ${chapterId}
    and r.archived_at is null`.execute(db)
  return rows.length > 0
}

const priceOf = (price: DuesRate['price'] | undefined) => (price ? { price_amount: price.amount, price_currency: price.currency } : {})

export async function insertRate(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  { price, name, period, chargedTo, ...rest }: NewDuesRate,
): Promise<string> {
  const { id } = await db
    .insertInto('app.dues_rates')
    .values({
      org_id: orgId,
      created_by: accountId,
      name,
      period,
      charged_to: chargedTo,
      price_amount: price.amount,
      price_currency: price.currency,
      ...columnsOf('app.dues_rates', rest),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateRate = (db: ActorDb, rateId: string, version: number, { price, ...rest }: DuesRateChange): Promise<DuesRate> =>
  updateRecord(db, 'app.dues_rates', { id: rateId, version }, { ...columnsOf('app.dues_rates', rest), ...priceOf(price) }, () =>
    findRate(db, rateId),
  )
export const archiveRate = (db: ActorDb, rateId: string, version: number, archived: boolean): Promise<DuesRate> =>
  updateRecord(db, 'app.dues_rates', { id: rateId, version }, { archived_at: archived ? sql`now()` : null }, () => findRate(db, rateId))

// Receipts --------------------------------------------------------------------------------------------------------------------------

type ReceiptsAsked = { personId?: string | undefined; chapterId?: string | undefined; invoiceId?: string | undefined }

export const receiptsList = ({ personId, chapterId, invoiceId }: ReceiptsAsked): List<Receipt> => ({
  key: ['receipts', personId ?? null, chapterId ?? null, invoiceId ?? null],
  item: sql`json_build_object('id', r.id, 'number', r.number, 'state', r.state, ${owedBy}, 'amount', json_build_object('amount', r.amount, 'currency', r.currency),
    'issuedOn', r.issued_on, 'receivedOn', r.received_on, 'replacesId', r.replaces_id)`,
  from: sql`from app.receipts r ${owes('r')}`,
  where: [
    ...(personId ? [sql<SqlBool>`r.person_id = ${personId}`] : []),
    ...(chapterId ? [below(sql`r.books_chapter_id`, chapterId)] : []),
    ...(invoiceId
      ? [
          sql<SqlBool>`exists (select from app.payment_allocations a where a.org_id = r.org_id and a.payment_id = r.payment_id and a.invoice_id = ${invoiceId})`,
        ]
      : []),
  ],
  order: [sql`r.id`],
  descending: true,
})
