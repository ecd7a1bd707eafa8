import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { exportField, exportRows } from '../../platform/lists/export-source.ts'
import type { ExportSource } from '../../platform/lists/export-source.ts'
import { amountCell } from '../../platform/lists/money-cell.ts'
import { invoicesList } from './finance.list.queries.ts'
import { invoicesFrom } from './finance.queries.ts'

const money = (column: string) => amountCell(sql.ref(column), sql`i.currency`)

/** Lines, each with its invoice or credit note: those in whose books the caller reads, not the ones they owe themselves. */
export const invoicesExport: ExportSource = {
  fields: [
    exportField('number', 'Number', sql`coalesce(i.number, i.foreign_number)`),
    exportField('kind', 'Kind', sql`i.kind`),
    exportField('state', 'State', sql`i.state`),
    exportField('billedTo', 'Billed to', sql`coalesce(i.billing ->> 'name', p.display_name, c.name)`),
    exportField('debtorChapter', 'Billed chapter', sql`c.code`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField(
      'chapterCode',
      'Chapter code',
      sql`coalesce(c.code, (select b.code from app.chapters b where b.org_id = i.org_id and b.id = i.books_chapter_id))`,
    ),
    exportField('reason', 'For', sql`i.reason`),
    exportField('issuedOn', 'Issued on', sql`i.issued_on`, 'date'),
    exportField('dueOn', 'Due', sql`i.due_on`, 'date'),
    exportField('paidOn', 'Paid on', sql`i.paid_on`, 'date'),
    exportField('line', 'Line', sql`l.place`, 'number'),
    exportField('text', 'Text', sql`l.text`),
    exportField('net', 'Net', money('l.net_amount'), 'number'),
    exportField('taxRate', 'Tax rate', sql`l.tax_bps / 100.0`, 'number'),
    exportField('tax', 'Tax', money('l.tax_amount'), 'number'),
    exportField('gross', 'Gross', amountCell(sql`(l.net_amount + l.tax_amount)`, sql`i.currency`), 'number'),
    exportField('currency', 'Currency', sql`i.currency`),
    exportField('share', 'Chapter share', money('l.share_amount'), 'number'),
    exportField(
      'shareChapter',
      'Share of chapter',
      sql`(select s.code from app.chapters s where s.org_id = l.org_id and s.id = l.share_chapter_id)`,
    ),
    exportField('total', 'Total of invoice', money('i.total_amount'), 'number'),
    exportField('balance', 'Balance of invoice', money('i.balance_amount'), 'number'),
    exportField('invoiceId', 'Invoice id', sql`i.id`),
    exportField('personId', 'Person record id', sql`i.person_id`),
  ],
  may: () => sql`((select app.everywhere('finance.read')) or (select app.scope('finance.read')) <> '{}')`,
  rows(request) {
    const { selection, sort } = request
    const list = invoicesList({ ...('all' in selection ? selection.all : {}), sort })
    const read = sql<SqlBool>`((select app.everywhere('finance.read')) or i.books_chapter_id = any ((select app.scope('finance.read'))::uuid[]))`
    // What is ticked are invoices, of which all lines are wanted.
    const { where, ...rows } = exportRows(request, sql`i.id`, {
      ...list,
      from: sql`${invoicesFrom} join app.invoice_lines l on l.org_id = i.org_id and l.invoice_id = i.id`,
    })
    return { ...rows, id: sql`l.id`, where: [...where, read], order: [...rows.order, sql`l.place`] }
  },
}
