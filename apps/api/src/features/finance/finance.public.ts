import { findInvoiceOf, giveNumber, insertCredit, insertDraft, insertReceipt, markVoid, recompute } from './finance.invoices.queries.ts'
import type { BooksDb } from './finance.invoices.queries.ts'
import type { Settlements } from '../../platform/settlements.ts'
import { draftLine } from './finance.rules.ts'
import type { InvoiceSummary, LineWanted } from './finance.rules.ts'

export type { BooksDb } from './finance.invoices.queries.ts'
export type { InvoiceSummary, LineWanted } from './finance.rules.ts'

type Subject = { type: string; id: string }

export type InvoiceWanted = {
  owedBy: { personId: string } | { chapterId: string }
  /** That of the organisation unless stated. */
  currency?: string | undefined
  /** 30 days after issuing unless stated. */
  dueOn?: string | undefined
  lines: readonly LineWanted[]
  /** A few words for lists and histories: what it was drafted for. */
  reason: string
  note?: string | undefined
  /** Drafted once under the same key. */
  dedupeKey?: string | undefined
}

/*
 * All of these work inside the caller's transaction, as whoever is signed in or as a worker. The database checks the right: managing finance there, or
 * ordering something that is registered (app_private.register_invoice_subject) at its price.
 */

export const draftInvoice = (tx: BooksDb, orgId: string, { owedBy, lines, ...wanted }: InvoiceWanted): Promise<string> =>
  insertDraft(tx, orgId, { ...owedBy, ...wanted, lines: lines.map(draftLine) })

/** Gives the draft its number; what costs nothing is paid by that, so the handlers of its subjects are called. */
export async function issueInvoice(tx: BooksDb, orgId: string, invoiceId: string, settlements: Settlements): Promise<{ number: string }> {
  const number = await giveNumber(tx, orgId, invoiceId)
  const now = await recompute(tx, orgId, invoiceId)
  if (now.state === 'paid') await tell(tx, orgId, invoiceId, now, settlements)
  return { number }
}

/** Only while nothing was paid or credited. */
export const voidInvoice = (tx: BooksDb, orgId: string, invoiceId: string, reason: string): Promise<void> =>
  markVoid(tx, orgId, invoiceId, reason)

/** A credit note over all of it, or over lines (with amounts below zero); its id. */
export async function creditInvoice(
  tx: BooksDb,
  orgId: string,
  invoiceId: string,
  { reason, lines, settlements }: { reason: string; lines?: readonly LineWanted[]; settlements: Settlements },
): Promise<string> {
  const creditId = await insertCredit(tx, orgId, { invoiceId, reason, lines: lines?.map(draftLine) ?? null })
  await invoiceSettled(tx, orgId, invoiceId, settlements)
  return creditId
}

/** The newest invoice for something that is not void. */
export const invoiceOf = (tx: BooksDb, orgId: string, subject: Subject): Promise<InvoiceSummary | null> => findInvoiceOf(tx, orgId, subject)

/**
 * Brings an invoice in line with its settled payments, and tells the features whose subjects it charges when it is paid by that, or is not any
 * more. To be called in the transaction that changed its allocations; once more does nothing.
 */
export async function invoiceSettled(tx: BooksDb, orgId: string, invoiceId: string, settlements: Settlements): Promise<{ state: string }> {
  const now = await recompute(tx, orgId, invoiceId)
  if ((now.before === 'paid') !== (now.state === 'paid')) await tell(tx, orgId, invoiceId, now, settlements)
  return { state: now.state }
}

async function tell(
  tx: BooksDb,
  orgId: string,
  invoiceId: string,
  { state, paidOn, subjects }: Awaited<ReturnType<typeof recompute>>,
  settlements: Settlements,
): Promise<void> {
  for (const { type, id } of subjects) {
    const settlement = settlements[type]
    if (state !== 'paid') await settlement?.unpaid(tx, { orgId, subjectId: id, invoiceId })
    else if (paidOn) await settlement?.paid(tx, { orgId, subjectId: id, invoiceId, paidOn })
  }
}

/** The receipt of a settled payment: issued once however often it is asked for. */
export const issueReceipt = (tx: BooksDb, orgId: string, paymentId: string): Promise<string> => insertReceipt(tx, orgId, paymentId, null)
