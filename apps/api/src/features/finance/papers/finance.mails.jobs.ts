import * as z from 'zod'
import { issueLink } from '../../../platform/links/signed-links.ts'
import type { MailContent } from '../../../platform/mail/mail-content.ts'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import { findInvoicePaper, findReceiptPaper, renewalCharge } from './finance.papers.queries.ts'
import { attached } from './finance.papers.public.ts'
import { findStatement } from './finance.statements.queries.ts'
import { statementDocument, statementTitle } from './finance.statements.rules.ts'
import { fileOf, invoiceDocument, invoiceTitle, receiptDocument, receiptTitle } from './finance.papers.rules.ts'

const linkDays = 180

/** An invoice with the document and a link to pay it. Paid or voided before it leaves, there is nothing to tell, unless somebody asked for it. */
export const invoiceMail: MailTemplate<{ invoice: string; byHand: boolean }> = {
  key: 'invoice',
  essential: true,
  params: z.object({ invoice: z.uuid(), byHand: z.boolean() }),
  async write({ i18n, params, organisation, database }) {
    const paper = await database.withoutActor((db) => findInvoicePaper(db, organisation.id, params.invoice))
    if (!paper || paper.state === 'void') return null
    const isOpen = (paper.state === 'issued' || paper.state === 'partly_paid') && paper.balance > 0
    if (!isOpen && !params.byHand) return null
    const title = invoiceTitle(i18n, paper)
    const facts = {
      ...{ organisation: organisation.name, number: paper.number, reason: paper.reason },
      ...{ money: i18n.money(paper.balance, paper.currency), day: i18n.date(paper.dueOn) },
    }
    const charge = isOpen ? await database.withoutActor((db) => renewalCharge(db, organisation.id, params.invoice)) : undefined
    const charged = charge && { day: i18n.date(charge.on), last4: charge.last4 }
    const content: MailContent = {
      subject: i18n._('{title} from {organisation}', { title, organisation: organisation.name }),
      paragraphs: [
        paper.reason === '' ? i18n._('Your invoice is attached.') : i18n._('Your invoice for {reason} is attached.', facts),
        ...(isOpen ? [i18n._('Amount due: {money}, by {day}.', facts)] : []),
        ...(charged ? [i18n._('On {day} we will charge your saved card ending in {last4}. You don’t have to do anything.', charged)] : []),
      ],
      attachments: [await attached(fileOf(paper), invoiceDocument(i18n, paper))],
    }
    if (!isOpen) return content
    const { path } = await database.withoutActor((db) =>
      issueLink(db, {
        ...{ purpose: 'pay', subject: { type: 'invoice', id: params.invoice }, uses: 'many', orgId: organisation.id },
        expiresAt: new Date(Date.now() + linkDays * 86_400_000),
      }),
    )
    return { ...content, action: { label: i18n._('Pay now'), path } }
  },
}

/** An invoice that is past its due date. Paid before it leaves, there is nothing to tell. */
export const invoiceReminderMail: MailTemplate<{ invoice: string }> = {
  key: 'invoice-reminder',
  essential: true,
  params: z.object({ invoice: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const paper = await database.withoutActor((db) => findInvoicePaper(db, organisation.id, params.invoice))
    if (!paper || (paper.state !== 'issued' && paper.state !== 'partly_paid') || paper.balance <= 0) return null
    const { path } = await database.withoutActor((db) =>
      issueLink(db, {
        ...{ purpose: 'pay', subject: { type: 'invoice', id: params.invoice }, uses: 'many', orgId: organisation.id },
        expiresAt: new Date(Date.now() + linkDays * 86_400_000),
      }),
    )
    const facts = { number: paper.number, money: i18n.money(paper.balance, paper.currency), day: i18n.date(paper.dueOn) }
    return {
      subject: i18n._('Reminder: invoice {number} is overdue', facts),
      paragraphs: [i18n._('Invoice {number} was due on {day}. {money} is still to be paid.', facts)],
      action: { label: i18n._('Pay now'), path },
      after: [i18n._('If you have just paid, please ignore this mail.')],
      attachments: [await attached(fileOf(paper), invoiceDocument(i18n, paper))],
    }
  },
}

/** Thanks for a payment, with its receipt; after a refund of a part, with the one that replaces it. */
export const receiptMail: MailTemplate<{ receipt: string }> = {
  key: 'receipt',
  essential: true,
  params: z.object({ receipt: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const paper = await database.withoutActor((db) => findReceiptPaper(db, organisation.id, params.receipt))
    if (paper?.state !== 'issued') return null
    const money = i18n.money(paper.amount, paper.currency)
    const replaced = { money, number: paper.replaces ?? '' }
    return {
      subject: i18n._('{title} from {organisation}', { title: receiptTitle(i18n, paper), organisation: organisation.name }),
      paragraphs: [
        paper.replaces === null
          ? i18n._('Thank you. We received {money} on {day}. The receipt is attached.', { money, day: i18n.date(paper.receivedOn) })
          : i18n._('Part of your payment was refunded. The attached receipt over {money} replaces receipt {number}.', replaced),
      ],
      attachments: [await attached(fileOf(paper), receiptDocument(i18n, paper))],
    }
  },
}

/** The account of a person or a chapter over a period, as it is when the mail leaves. */
export const statementMail: MailTemplate<{ owedBy: string; since: string; until: string; currency: string }> = {
  key: 'statement',
  essential: true,
  params: z.object({ owedBy: z.uuid(), since: z.iso.date(), until: z.iso.date(), currency: z.string() }),
  async write({ i18n, params, organisation, database }) {
    const paper = await database.withoutActor((db) => findStatement(db, organisation.id, { ...params, owedById: params.owedBy }))
    if (!paper) return null
    return {
      subject: i18n._('{title} from {organisation}', { title: statementTitle(i18n, paper), organisation: organisation.name }),
      paragraphs: [
        i18n._('Your statement is attached.'),
        i18n._('Closing balance: {money}.', { money: i18n.money(paper.closing, paper.currency) }),
      ],
      attachments: [await attached(`statement-${paper.since}-${paper.until}.pdf`, statementDocument(i18n, paper))],
    }
  },
}
