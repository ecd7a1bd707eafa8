import type { FormattedDocument } from '@guildhall/contract/formatted-document'

/** What a mail says, as plain text; the layout makes it HTML and adds who writes and why. */
export type MailContent = {
  subject: string
  greeting?: string
  paragraphs: string[]
  /** What somebody wrote with the editor for formatted text, below the paragraphs. */
  document?: FormattedDocument
  /** What somebody wrote, shown as a quotation. */
  quote?: string
  /** Lines of a list, each with an address it leads to. */
  items?: { text: string; path?: string }[]
  action?: { label: string; path: string }
  after?: string[]
  replyTo?: string
  /** Documents that come along, made while the mail is written; few and small. */
  attachments?: readonly MailAttachment[]
}
export type MailAttachment = { name: string; contentType: 'application/pdf' | 'text/calendar' | 'text/csv'; content: Buffer }
