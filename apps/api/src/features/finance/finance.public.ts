import { findInvoiceOf, giveNumbers, insertCredit, insertDrafts, markVoid, recompute } from './finance.invoices.queries.ts'
import type { BooksDb } from './finance.invoices.queries.ts'
import { mailIssued, remindOfInvoices } from './papers/finance.papers.queries.ts'
import type { Settlements } from '../../platform/settlements.ts'
import { draftLine } from './finance.rules.ts'
import type { DraftLine, InvoiceSummary, LineWanted } from './finance.rules.ts'

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

/**
 * Their ids, in the order in which they are wanted; one that was drafted before under its key stays as it is. At most 2,000 or so in one transaction:
 * whoever else writes in the books waits for its end.
 */
export const draftInvoices = (tx: BooksDb, orgId: string, wanted: readonly InvoiceWanted[]): Promise<string[]> =>
  insertDrafts(
    tx,
    orgId,
    wanted.map(({ owedBy, lines, ...one }) => ({ ...owedBy, ...one, lines: lines.map(draftLine) })),
  )

export async function draftInvoice(tx: BooksDb, orgId: string, wanted: InvoiceWanted): Promise<string> {
  const [id] = await draftInvoices(tx, orgId, [wanted])
  if (id === undefined) throw new Error('an invoice was neither drafted nor refused')
  return id
}

/**
 * Gives drafts their numbers, in the order of the list; one that was issued before keeps its own. What costs nothing is paid by that, so the handlers of
 * its subjects are called.
 */
export async function issueInvoices(
  tx: BooksDb,
  orgId: string,
  invoiceIds: readonly string[],
  settlements: Settlements,
): Promise<{ invoiceId: string; number: string }[]> {
  const issued = await giveNumbers(tx, orgId, invoiceIds)
  for (const { invoiceId, state } of issued)
    if (state === 'paid') await tell(tx, orgId, invoiceId, await recompute(tx, orgId, invoiceId), settlements)
  return issued
}

export async function issueInvoice(tx: BooksDb, orgId: string, invoiceId: string, settlements: Settlements): Promise<{ number: string }> {
  const [issued] = await issueInvoices(tx, orgId, [invoiceId], settlements)
  if (!issued) throw new Error('an invoice was neither issued nor refused')
  return { number: issued.number }
}

/** Mails invoices that were issued to whoever owes them, with the document and a link to pay; each once. */
export async function mailInvoices(tx: BooksDb, orgId: string, invoiceIds: readonly string[]): Promise<void> {
  await mailIssued(tx, orgId, invoiceIds, null)
}

/** Mails who owes what is overdue, a portion of them; each once at 3, 14 and 30 days past the due date. */
export const remindInvoices = (
  tx: BooksDb,
  orgId: string,
  on: string,
  after: string | null,
): Promise<{ after: string | null; isLast: boolean }> => remindOfInvoices(tx, orgId, on, after)

/** Only while nothing was paid or credited. */
export const voidInvoice = (tx: BooksDb, orgId: string, invoiceId: string, reason: string): Promise<void> =>
  markVoid(tx, orgId, invoiceId, reason)

/** A credit note over all of it, or over lines (with amounts below zero); its id. */
export async function creditInvoice(
  tx: BooksDb,
  orgId: string,
  invoiceId: string,
  { reason, lines, settlements }: { reason: string; lines?: readonly DraftLine[] | undefined; settlements: Settlements },
): Promise<string> {
  const creditId = await insertCredit(tx, orgId, { invoiceId, reason, lines: lines ?? null })
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
