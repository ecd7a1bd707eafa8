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

/** Their ids, in the order of the drafts. */
export async function insertDrafts(tx: BooksDb, orgId: string, drafts: readonly Draft[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.invoice as id from app.draft_invoices(${orgId}::uuid, ${JSON.stringify(drafts)}::jsonb) d order by d.place`.execute(tx)
  return rows.map(({ id }) => id)
}

export type Numbered = { invoiceId: string; number: string; state: string }

/** In the order of the ids. */
export async function giveNumbers(tx: BooksDb, orgId: string, invoiceIds: readonly string[]): Promise<Numbered[]> {
  const { rows } = await sql<Numbered>`
    select i.invoice as "invoiceId", i.number, i.state from app.issue_invoices(${orgId}::uuid, ${[...invoiceIds]}::uuid[]) i`.execute(tx)
  return rows
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

function one<Row>(rows: Row[]): Row {
  const [row] = rows
  if (!row) throw new Error('a function of the database answered nothing')
  return row
}
