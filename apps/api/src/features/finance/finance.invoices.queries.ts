import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DraftLine, InvoiceSummary } from './finance.rules.ts'

/** A transaction of somebody who is signed in, or of a worker. */
export type BooksDb = ActorDb | Kysely<Schema>

type Draft = {
  personId?: string | undefined
  chapterId?: string | undefined
  currency?: string | undefined
  dueOn?: string | undefined
  reason: string
  note?: string | undefined
  dedupeKey?: string | undefined
  lines: readonly DraftLine[]
}

export async function insertDraft(tx: BooksDb, orgId: string, draft: Draft): Promise<string> {
  const { rows } = await sql<{ id: string }>`select app.draft_invoice(${orgId}::uuid, ${JSON.stringify(draft)}::jsonb) as id`.execute(tx)
  return one(rows).id
}

export async function giveNumber(tx: BooksDb, orgId: string, invoiceId: string): Promise<string> {
  const { rows } = await sql<{ number: string }>`select app.issue_invoice(${orgId}::uuid, ${invoiceId}::uuid) as number`.execute(tx)
  return one(rows).number
}

export async function markVoid(tx: BooksDb, orgId: string, invoiceId: string, reason: string): Promise<void> {
  await sql`select app.void_invoice(${orgId}::uuid, ${invoiceId}::uuid, ${reason})`.execute(tx)
}

export async function insertCredit(
  tx: BooksDb,
  orgId: string,
  { invoiceId, lines, reason }: { invoiceId: string; lines: readonly DraftLine[] | null; reason: string },
): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select app.credit_invoice(${orgId}::uuid, ${invoiceId}::uuid, ${lines && JSON.stringify(lines)}::jsonb, ${reason}) as id`.execute(tx)
  return one(rows).id
}

export type Recomputed = { before: string; state: string; paidOn: string | null; subjects: { type: string; id: string }[] }

export async function recompute(tx: BooksDb, orgId: string, invoiceId: string): Promise<Recomputed> {
  const { rows } = await sql<{ settled: Recomputed }>`select app.invoice_settled(${orgId}::uuid, ${invoiceId}::uuid) as settled`.execute(tx)
  return one(rows).settled
}

export async function findInvoiceOf(tx: BooksDb, orgId: string, subject: { type: string; id: string }): Promise<InvoiceSummary | null> {
  const { rows } = await sql<{
    found: InvoiceSummary | null
  }>`select app.invoice_of(${orgId}::uuid, ${subject.type}, ${subject.id}::uuid) as found`.execute(tx)
  return one(rows).found
}

export async function insertReceipt(tx: BooksDb, orgId: string, paymentId: string, reason: string | null): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select app.issue_receipt(${orgId}::uuid, ${paymentId}::uuid, ${reason}) as id`.execute(tx)
  return one(rows).id
}

function one<Row>(rows: Row[]): Row {
  const [row] = rows
  if (!row) throw new Error('a function of the database answered nothing')
  return row
}
