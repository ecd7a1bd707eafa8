import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { findInvoicePaper, findReceiptPaper } from './finance.papers.queries.ts'
import { findStatement } from './finance.statements.queries.ts'
import { statementDocument } from './finance.statements.rules.ts'
import { fileOf, invoiceDocument, receiptDocument } from './finance.papers.rules.ts'

const { finance } = actions

/** Documents in the organisation's language, laid out outside the transaction that reads what they say. */
export const papers = finance.papers.router({
  invoice: finance.papers.invoice.handler(async ({ input: { invoiceId }, context }) => {
    const { orgId } = context.actor
    const { paper, i18n } = await context.inTx(async (db) => ({
      paper: mustFind(await findInvoicePaper(db, orgId, invoiceId)),
      ...(await letterheadOf(db, orgId)),
    }))
    return pdf(fileOf(paper), await renderPdf(invoiceDocument(i18n, paper)))
  }),

  statement: finance.papers.statement.handler(async ({ input, context }) => {
    const { orgId } = context.actor
    const { paper, i18n } = await context.inTx(async (db) => ({
      paper: mustFind(await findStatement(db, orgId, input)),
      ...(await letterheadOf(db, orgId)),
    }))
    return pdf(`statement-${paper.since}-${paper.until}.pdf`, await renderPdf(statementDocument(i18n, paper)))
  }),

  receipt: finance.papers.receipt.handler(async ({ input: { receiptId }, context }) => {
    const { orgId } = context.actor
    const { paper, i18n } = await context.inTx(async (db) => ({
      paper: mustFind(await findReceiptPaper(db, orgId, receiptId)),
      ...(await letterheadOf(db, orgId)),
    }))
    return pdf(fileOf(paper), await renderPdf(receiptDocument(i18n, paper)))
  }),
})

const pdf = (name: string, content: Buffer) => new File([new Uint8Array(content)], name, { type: 'application/pdf' })
