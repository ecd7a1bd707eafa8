import type { Statement } from '@guildhall/contract/features/finance'
import type { BillDocument } from '../../../platform/pdf/documents.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { pages, recipient, sender } from './finance.papers.rules.ts'
import type { Address, Seller } from './finance.papers.rules.ts'

export type StatementPaper = Omit<Statement, 'may'> & { billing: Address; seller: Seller; mayMail: boolean }

export const statementTitle = (i18n: Texts, { since, until }: Pick<StatementPaper, 'since' | 'until'>): string =>
  i18n._('Statement from {since} to {until}', { since: i18n.date(since), until: i18n.date(until) })

export function statementDocument(i18n: Texts, paper: StatementPaper): BillDocument {
  const money = (amount: number) => i18n.money(amount, paper.currency)
  const words: Record<StatementPaper['entries'][number]['kind'], string> = {
    invoice: i18n._('Invoice'),
    credit_note: i18n._('Credit note'),
    void: i18n._('Invoice voided'),
    payment: i18n._('Payment'),
    refund: i18n._('Refund'),
    reversal: i18n._('Payment reversed'),
    dispute: i18n._('Payment disputed'),
  }
  return {
    kind: 'bill',
    language: i18n.language,
    title: statementTitle(i18n, paper),
    from: sender(i18n, paper.seller),
    to: recipient(paper.billing),
    facts: [{ term: i18n._('Currency'), value: paper.currency }],
    columns: [i18n._('Description'), i18n._('Amount'), i18n._('Balance')],
    rows: [
      [i18n._('Opening balance'), '', money(paper.opening)],
      ...paper.entries.map(({ on, kind, number, text, amount, balance }) => [
        [i18n.date(on), [words[kind], number].filter(Boolean).join(' '), kind === 'payment' ? '' : text].filter(Boolean).join(' · '),
        money(amount),
        money(balance),
      ]),
    ],
    totals: [{ term: i18n._('Closing balance'), value: money(paper.closing), strong: true }],
    notes: [
      paper.closing > 0
        ? i18n._('Open on {day}: {money}.', { day: i18n.date(paper.until), money: money(paper.closing) })
        : paper.closing < 0
          ? i18n._('In credit on {day}: {money}.', { day: i18n.date(paper.until), money: money(-paper.closing) })
          : i18n._('Nothing is open on {day}.', { day: i18n.date(paper.until) }),
    ],
    foot: [],
    footer: pages(i18n),
  }
}
