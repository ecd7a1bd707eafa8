import type { InvoiceBulkChange } from '@guildhall/contract/features/finance'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { BulkTargets, BulkWork } from '../../platform/lists/bulk.ts'
import { invoicesFrom, isOpen, isOverdue, manages, maySettleByIssuing } from './finance.queries.ts'
import { invoicesWhere } from './finance.list.queries.ts'

type Condition = RawBuilder<SqlBool>

const all = (conditions: readonly Condition[]): Condition =>
  sql<SqlBool>`(${sql.join(
    conditions.map((one) => sql`(${one})`),
    sql` and `,
  )})`

/** The invoices that a selection means; refuses a filter that cannot be asked. */
export const selectedInvoices = (selection: Selection): Condition =>
  'ids' in selection
    ? sql<SqlBool>`i.id = any (${selection.ids}::uuid[])`
    : all([...invoicesWhere(selection.all), sql`i.id <> all (${selection.except}::uuid[])`])

/** What cannot be done with an invoice counts as refused, so that nobody takes it for done. */
const may: Record<InvoiceBulkChange['do'], Condition> = {
  // What costs nothing settles what it is for at once; that is done one by one.
  issue: sql`${manages} and (i.state <> 'draft' or (i.total_amount >= 0 and not ${maySettleByIssuing}
    and exists (select from app.invoice_lines l where l.org_id = i.org_id and l.invoice_id = i.id)))`,
  send: manages,
  remind: manages,
  void: sql`${manages} and i.kind = 'invoice' and i.paid_amount = 0 and i.credited_amount = 0 and i.state in ('draft', 'issued', 'void')`,
}

// Mails -------------------------------------------------------------------------------------------------------------------------------

const remindedLately = sql<SqlBool>`(coalesce((i.reminded_at at time zone (select o.timezone from app.organisations o))::date, '-infinity')
  > (select app.today()) - (select app.reminder_pace()))`
/** Why no mail goes out for an invoice, null where one does; the words are those of the screen. */
const whyNotMailed = (
  further: RawBuilder<unknown>,
) => sql`(case when i.kind = 'credit_note' then 'credit_note' when i.state = 'draft' then 'draft'
  when i.state = 'void' then 'void' when not ${isOpen} or i.balance_amount <= 0 then 'settled' ${further} else r.reason end)`
const whyNotSent = whyNotMailed(sql`when i.sent_at is not null then 'sent'`)
const whyNotReminded = whyNotMailed(sql`when not ${isOverdue} then 'not_due' when ${remindedLately} then 'reminded'`)
const why: Partial<Record<InvoiceBulkChange['do'], RawBuilder<unknown>>> = { send: whyNotSent, remind: whyNotReminded }

const differs: Record<InvoiceBulkChange['do'], Condition> = {
  issue: sql`(i.state = 'draft')`,
  send: sql`${whyNotSent} is null`,
  remind: sql`${whyNotReminded} is null`,
  void: sql`(i.state <> 'void')`,
}

export const invoiceTargets = (selection: Selection, change: InvoiceBulkChange): BulkTargets => ({
  from: why[change.do] ? sql`${invoicesFrom} left join app.unreachable_debtors() r on r.invoice = i.id` : invoicesFrom,
  id: sql`i.id`,
  name: sql`concat_ws(' · ', coalesce(i.number, i.foreign_number), coalesce(p.display_name, c.name), nullif(i.reason, ''))`,
  sort: sql`coalesce(i.number, i.reason)`,
  where: selectedInvoices(selection),
  may: may[change.do],
  differs: differs[change.do],
  why: why[change.do],
})

export async function applyInvoiceBulk(
  db: ActorDb,
  { orgId, change }: BulkWork<InvoiceBulkChange>,
  ids: readonly string[],
): Promise<number> {
  const invoices = sql`${[...ids]}::uuid[]`
  if (change.do === 'send' || change.do === 'remind') {
    const mailed =
      change.do === 'send' ? sql`app.send_invoices(${orgId}::uuid, ${invoices})` : sql`app.remind_debtors(${orgId}::uuid, ${invoices})`
    const { rows } = await sql<{ mails: number }>`select ${mailed} as mails`.execute(db)
    return rows[0]?.mails ?? 0
  }
  const each =
    change.do === 'issue'
      ? sql`select app.issue_invoice(${orgId}::uuid, u.id) from unnest(${invoices}) u (id) order by u.id`
      : sql`select app.void_invoice(${orgId}::uuid, u.id, ${change.reason}) from unnest(${invoices}) u (id) order by u.id`
  const { rows } = await each.execute(db)
  return rows.length
}
