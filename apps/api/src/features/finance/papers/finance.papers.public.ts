import type { MailAttachment } from '../../../platform/mail/mail-content.ts'
import type { BillDocument } from '../../../platform/pdf/documents.ts'
import { renderPdf } from '../../../platform/pdf/render-pdf.ts'

export { findReceiptPaper } from './finance.papers.queries.ts'
export { fileOf, pages, receiptDocument, receiptTitle, recipient, sender } from './finance.papers.rules.ts'
export type { Address, ReceiptPaper, Seller } from './finance.papers.rules.ts'

/** A document as it comes along with a mail. */
export const attached = async (name: string, document: BillDocument): Promise<MailAttachment> => ({
  name,
  contentType: 'application/pdf',
  content: await renderPdf(document),
})
