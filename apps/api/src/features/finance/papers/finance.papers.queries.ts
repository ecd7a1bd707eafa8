import { sql } from 'kysely'
import type { BooksDb } from '../finance.invoices.queries.ts'
import type { InvoicePaper, ReceiptPaper } from './finance.papers.rules.ts'

/** Null of drafts, and of what the caller does not see. */
export async function findInvoicePaper(tx: BooksDb, orgId: string, invoiceId: string): Promise<InvoicePaper | null> {
  const { rows } = await sql<{ paper: InvoicePaper | null }>`select app.invoice_paper(${orgId}, ${invoiceId}) as paper`.execute(tx)
  return rows[0]?.paper ?? null
}
export async function findReceiptPaper(tx: BooksDb, orgId: string, receiptId: string): Promise<ReceiptPaper | null> {
  const { rows } = await sql<{ paper: ReceiptPaper | null }>`select app.receipt_paper(${orgId}, ${receiptId}) as paper`.execute(tx)
  return rows[0]?.paper ?? null
}

/** How many mails that makes. */
export async function mailIssued(tx: BooksDb, orgId: string, invoiceIds: readonly string[], again: string | null): Promise<number> {
  const { rows } = await sql<{
    mails: number
  }>`select app.mail_invoices(${orgId}, ${[...invoiceIds]}::uuid[], ${again}) as mails`.execute(tx)
  return rows[0]?.mails ?? 0
}

const remindersAtOnce = 1_000
export async function remindOfInvoices(tx: BooksDb, orgId: string, on: string, after: string | null) {
  const { rows } = await sql<{ done: { after: string | null; isLast: boolean } }>`
    select app.remind_invoices(${orgId}, ${on}, ${after}, ${remindersAtOnce}) as done`.execute(tx)
  return rows[0]?.done ?? { after, isLast: true }
}

/** When the invoice of a renewal is charged to which saved card. */
export async function renewalCharge(tx: BooksDb, orgId: string, invoiceId: string): Promise<{ on: string; last4: string } | undefined> {
  const { rows } = await sql<{ on: string; last4: string }>`
    select to_json(c.charge_on) #>> '{}' as "on", c.last4 from app.renewal_charge(${orgId}, ${invoiceId}) c`.execute(tx)
  return rows[0]
}
