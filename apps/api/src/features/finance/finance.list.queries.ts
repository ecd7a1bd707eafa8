import { InvoiceSort, InvoiceState } from '@guildhall/contract/features/finance'
import type { Invoice, InvoiceTotals } from '@guildhall/contract/features/finance'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, idField, idValues } from '../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField } from '../../platform/lists/filters.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { hasAllWords } from '../../platform/lists/match-rank.ts'
import { amountField } from '../../platform/lists/money-cell.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { statement } from '../../platform/records/statement.ts'
import { chapterField } from '../chapters/chapters.references.public.ts'
import { below, invoiceItem, invoicesFrom, isOpen, isOverdue } from './finance.queries.ts'

/** Invoices for registrations of these events. */
const eventField: FilterField = {
  ops: ['is', 'in'],
  where: (_, value, refuse) => sql`i.id in (select app.event_invoices(${idValues(value, refuse)}::uuid[]))`,
}

const catalogue: FilterCatalogue = {
  kind: choiceField(sql`i.kind`, ['invoice', 'credit_note']),
  state: choiceField(sql`i.state`, InvoiceState.options),
  open: flagField(isOpen),
  overdue: flagField(isOverdue),
  sent: flagField(sql`(i.sent_at is not null)`),
  reminded: flagField(sql`(i.reminded_at is not null)`),
  dueOn: dateField(sql`i.due_on`),
  issuedOn: dateField(sql`i.issued_on`),
  paidOn: dateField(sql`i.paid_on`),
  person: idField(sql`i.person_id`),
  chapter: idField(sql`i.chapter_id`),
  books: chapterField(sql`i.books_chapter_id`),
  event: eventField,
  total: amountField(sql`i.total_amount`, sql`i.currency`),
  balance: amountField(sql`i.balance_amount`, sql`i.currency`),
}

const orders: Record<InvoiceSort, RawBuilder<unknown>[]> = {
  created: [sql`i.id`],
  number: [sql`coalesce(i.number_year, 0)`, sql`coalesce(i.number_place, 0)`, sql`i.id`],
  issuedOn: [sql`coalesce(i.issued_on, '0001-01-01')`, sql`i.id`],
  dueOn: [sql`coalesce(i.due_on, '0001-01-01')`, sql`i.id`],
  total: [sql`i.total_amount`, sql`i.id`],
  balance: [sql`i.balance_amount`, sql`i.id`],
}

type Question = {
  personId?: string | undefined
  chapterId?: string | undefined
  q?: string | undefined
  filter?: Filter | undefined
}

/** Looked for one way after the other, so that each can use its index: as one condition they would be asked of every invoice. */
const found = (words: string) => sql<SqlBool>`i.id in (
  select n.id from app.invoices n where n.number >= ${words.toUpperCase()} collate "C" and n.number < ${`${words.toUpperCase()}\uffff`} collate "C"
  union all select n.id from app.invoices n where n.foreign_number = ${words}
  union all select n.id from app.invoices n where n.person_id in (select f.id from app.matching_people(${words}) f)
  union all select n.id from app.invoices n where n.chapter_id in (
    select h.id from app.chapters h where ${hasAllWords(sql`h.search`, words)}))`

export const invoicesWhere = ({ personId, chapterId, q, filter }: Question): RawBuilder<SqlBool>[] => {
  const filtered = filterWhere(filter, catalogue)
  const words = q?.trim()
  return [
    ...(personId ? [sql<SqlBool>`i.person_id = ${personId}`] : []),
    ...(chapterId ? [below(sql`i.books_chapter_id`, chapterId)] : []),
    ...(words ? [found(words)] : []),
    ...(filtered ? [filtered] : []),
  ]
}

export function invoicesList({ sort = '-created', ...question }: Question & { sort?: string | undefined }): List<Invoice> {
  const { by, descending } = readSort(sort, InvoiceSort.options, 'created')
  const { personId, chapterId, q, filter } = question
  return {
    key: ['invoices', personId ?? null, chapterId ?? null, q?.trim() ?? '', filter ?? null, by],
    item: invoiceItem,
    from: invoicesFrom,
    where: invoicesWhere(question),
    order: orders[by],
    descending,
  }
}

export const totalsQuery = (question: Question) =>
  statement(sql<{ item: InvoiceTotals }>`
    select json_build_object('currency', i.currency, 'invoices', count(*), 'open', coalesce(sum(i.balance_amount) filter (where ${isOpen}), 0),
      'overdue', coalesce(sum(i.balance_amount) filter (where ${isOverdue}), 0), 'paid', coalesce(sum(i.paid_amount), 0)) as item
    from app.invoices i where ${sql.join(
      [sql`true`, ...invoicesWhere(question)].map((one) => sql`(${one})`),
      sql` and `,
    )}
    group by i.currency order by i.currency`)
